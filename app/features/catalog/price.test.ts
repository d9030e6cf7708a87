import fc from 'fast-check'
import { expect, it } from 'vitest'
import { percentOff } from './price'

it('gives the sample, 199 instead of 299 dollars, 33 percent off', () => {
  expect(percentOff(19900, 29900)).toBe(33)
})

it('is nothing off when the price is not below the original one', () => {
  expect(percentOff(19900, 19900)).toBe(0)
  expect(percentOff(29900, 19900)).toBe(0)
  expect(percentOff(0, 0)).toBe(0)
})

it('never promises more than what is saved', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (price, original) => {
      const percent = percentOff(price, original)
      expect(Number.isInteger(percent)).toBe(true)
      expect(percent).toBeLessThanOrEqual(100)
      expect(percent * original).toBeLessThanOrEqual(Math.max(0, original - price) * 100)
    }),
  )
})
