import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buyerForm } from '../checkout/checkout-form'
import { getContainedTax, getTaxRate, parsePercent, parseTaxRates } from './tax'

it('tax rates are parsed by country, and anything else is refused', () => {
  expect(parseTaxRates('DE=19 CH=8.1, *=0')).toEqual({ DE: 1900, CH: 810, '*': 0 })
  expect(parseTaxRates('')).toEqual({})
  expect(['DE', 'DE=', 'DE=x', 'de=19', 'DE=100', 'DE=19%'].map(parseTaxRates)).toEqual(
    Array(6).fill(null),
  )
})

it('a percentage is parsed with a point or a comma, and anything else is refused', () => {
  expect(
    ['19', '7.7', '7,70 %', '0', '8.05', '99.99', '\u200e١٩', '７.7％'].map(parsePercent),
  ).toEqual([1900, 770, 770, 0, 805, 9999, 1900, 770])
  expect(['', '100', '-1', '7.777', 'x', '1e1', '.5'].map(parsePercent)).toEqual(
    Array(7).fill(null),
  )
})

it('a country has its own rate, or the rate of all other countries', () => {
  expect(getTaxRate({ DE: 1900, '*': 700 }, 'DE')).toBe(1900)
  expect(getTaxRate({ DE: 1900, '*': 700 }, 'FR')).toBe(700)
  expect(getTaxRate({ DE: 1900 })).toBe(0)
})

it("the buyer has to choose a country with a rate of its own, or 'another country'", () => {
  const parseCountry = (form: object, countries: string[]) => {
    const { success, data } = buyerForm(countries).safeParse(form)
    return success ? data.country : null
  }
  const parseAmongTwo = (country?: string) => parseCountry({ country }, ['DE', 'AT'])

  expect(['DE', 'other', '', 'FR', undefined].map(parseAmongTwo)).toEqual([
    'DE',
    '',
    null,
    null,
    null,
  ])

  // The tax does not depend on the country.
  expect(parseCountry({}, [])).toBeUndefined()
  expect(parseCountry({ country: 'FR' }, [])).toBeUndefined()
})

it('a credit note takes back exactly the tax of its receipt', () => {
  fc.assert(
    fc.property(fc.nat(100_000_000), fc.nat(5_000), (totalMinor, basisPoints) => {
      const tax = getContainedTax(totalMinor, basisPoints)
      expect(Number.isInteger(tax) && tax >= 0 && tax <= totalMinor).toBe(true)
      expect(getContainedTax(-totalMinor, basisPoints) + tax).toBe(0)

      // The tax is rounded by half a minor unit at most, so the net amount with its tax differs
      // from the total by half a minor unit with its tax at most.
      const factor = 1 + basisPoints / 10_000
      const difference = Math.abs((totalMinor - tax) * factor - totalMinor)
      expect(difference).toBeLessThanOrEqual(0.5 * factor + 1e-6)
    }),
  )
})
