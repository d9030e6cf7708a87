import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buyerForm } from '../checkout/checkout-form'
import { containedTax, getTaxRate, parseTaxRates } from './tax'

it('tax rates are parsed by country, and anything else is refused', () => {
  expect(parseTaxRates('DE=19 CH=8.1, *=0')).toEqual({ DE: 1900, CH: 810, '*': 0 })
  expect(parseTaxRates('')).toEqual({})
  expect(['DE', 'DE=', 'DE=x', 'de=19', 'DE=100', 'DE=19%'].map(parseTaxRates)).toEqual(
    Array(6).fill(null),
  )
})

it('a country has its own rate, or the rate of all other countries', () => {
  expect(getTaxRate({ DE: 1900, '*': 700 }, 'DE')).toBe(1900)
  expect(getTaxRate({ DE: 1900, '*': 700 }, 'FR')).toBe(700)
  expect(getTaxRate({ DE: 1900 })).toBe(0)
})

it("the buyer has to choose a country with a rate of its own, or 'another country'", () => {
  const countryOf = (form: object, countries: string[]) => {
    const { success, data } = buyerForm(countries).safeParse(form)
    return success ? data.country : null
  }
  expect(
    ['DE', 'other', '', 'FR', undefined].map((country) => countryOf({ country }, ['DE', 'AT'])),
  ).toEqual(['DE', '', null, null, null])
  // One rate for all.
  expect([countryOf({}, []), countryOf({ country: 'FR' }, [])]).toEqual(['', ''])
})

it('a credit note takes back exactly the tax of its receipt', () => {
  fc.assert(
    fc.property(fc.nat(100_000_000), fc.nat(5_000), (total, rate) => {
      const tax = containedTax(total, rate)
      expect(Number.isInteger(tax) && tax >= 0 && tax <= total).toBe(true)
      expect(containedTax(-total, rate) + tax).toBe(0)
      // The net amount with its tax on top is the total again, but for half a unit.
      expect(Math.abs((total - tax) * (1 + rate / 10_000) - total)).toBeLessThanOrEqual(
        0.5 * (1 + rate / 10_000) + 1e-6,
      )
    }),
  )
})
