import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatDecimal,
  formatMoney,
  formatPrice,
  getCurrencyDecimals,
  getPercentOff,
  isSameMoney,
  parseAmount,
  parseOptionalAmount,
  toMajorUnits,
  toMinorUnits,
} from './money'

const withPlainSpaces = (text: string) => text.replaceAll('\u00a0', ' ')

it.each([
  [19_900, 'USD', '$199', '$199.00', '199.00'],
  [1_950, 'USD', '$19.50', '$19.50', '19.50'],
  [123_400, 'USD', '$1,234', '$1,234.00', '1234.00'],
  [4_900, 'EUR', '€49', '€49.00', '49.00'],
  [4_900, 'JPY', '¥4,900', '¥4,900', '4900'],
  [49_500, 'KWD', 'KWD 49.500', 'KWD 49.500', '49.500'],
  [0, 'EUR', 'Free', '€0.00', '0.00'],
])(
  'writes %i minor units of %s for a card, for a receipt and for a machine',
  (minor, currency, ...texts) => {
    const written = [
      formatPrice(minor, currency),
      formatMoney(minor, currency),
      formatDecimal(minor, currency),
    ]
    expect(written.map(withPlainSpaces)).toEqual(texts)
  },
)

it('knows the decimals of currencies', () => {
  expect(['USD', 'JPY', 'KWD'].map(getCurrencyDecimals)).toEqual([2, 0, 3])
})

describe('an amount that somebody typed', () => {
  it.each([
    ['10.50', 'USD', 1_050],
    ['10.5', 'USD', 1_050],
    ['1050', 'JPY', 1_050],
    ['10.505', 'KWD', 10_505],
    ['10,50', 'EUR', 1_050],
    ['1,234.50', 'USD', 123_450],
    ['1,234', 'USD', 123_400],
    ['1.234,50', 'EUR', 123_450],
    ['1.234.567', 'EUR', 123_456_700],
    ['1\u202f234,50', 'EUR', 123_450],
    ['1’234.50', 'CHF', 123_450],
    ['1.050', 'JPY', 1_050],
    ['25,000,000', 'IDR', 25_000_000],
    ['1,234.500', 'KWD', 1_234_500],
    ['$1,234.50', 'USD', 123_450],
    ['49 €', 'EUR', 4_900],
    ['EUR\u00a049,00', 'EUR', 4_900],
    ['49 kr', 'SEK', 4_900],
    ['￥１，０５０', 'JPY', 1_050],
    ['١٠٫٥٠', 'SAR', 1_050],
    ['١٬٢٣٤٫٥', 'SAR', 123_450],
    ['१०.५०', 'INR', 1_050],
    [' \u200e10.50\u00a0', 'USD', 1_050],
  ])('%s in %s is read', (text, currency, amountMinor) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, value: amountMinor })
  })

  it.each([
    ['10.50', 'JPY', 'Give an amount like 1050.'],
    ['ten', 'KWD', 'Give an amount like 10.500.'],
    ['', 'USD', 'Give an amount like 10.50.'],
    ['-10', 'USD', 'Give an amount like 10.50.'],
    ['10.505', 'USD', 'Give an amount like 10.50.'],
    ['49.999', 'USD', 'Give an amount like 10.50.'],
    ['1,234', 'KWD', 'Give an amount like 10.500.'],
    ['12,34,567.50', 'INR', 'Give an amount like 10.50.'],
    ['1,234,50', 'EUR', 'Give an amount like 10.50.'],
    ['0,500', 'USD', 'Give an amount like 10.50.'],
    ['0.500', 'JPY', 'Give an amount like 1050.'],
    ['00,500.50', 'USD', 'Give an amount like 10.50.'],
    ['€49', 'USD', 'Give an amount like 10.50.'],
    ['25000000', 'USD', 'Give a lower amount.'],
    // The database column can't hold more.
    ['9999999.999', 'KWD', 'Give a lower amount.'],
  ])('%s in %s is refused with an example of what is possible', (text, currency, problem) => {
    expect(parseAmount(text, currency)).toEqual({ ok: false, problem })
  })

  it('may be left out of an optional field', () => {
    expect(parseOptionalAmount('', 'USD')).toEqual({ ok: true, value: null })
    expect(parseOptionalAmount('1', 'USD')).toEqual({ ok: true, value: 100 })
  })

  it('is read as it was written, in every currency', () => {
    const currencies = fc.constantFrom('USD', 'JPY', 'KWD')
    fc.assert(
      fc.property(fc.nat(999_999_999), currencies, (amountMinor, currency) => {
        const text = formatDecimal(amountMinor, currency)
        expect(parseAmount(text, currency)).toEqual({ ok: true, value: amountMinor })
        expect(toMinorUnits(toMajorUnits(amountMinor, currency), currency)).toBe(amountMinor)
      }),
    )
  })
})

it('an amount with more decimals than the currency has does not become a whole number', () => {
  expect(Number.isInteger(toMinorUnits(49.99, 'USD'))).toBe(true)
  expect(Number.isInteger(toMinorUnits(49.999, 'USD'))).toBe(false)
  expect(Number.isInteger(toMinorUnits(5000.005, 'USD'))).toBe(false)
  expect(Number.isInteger(toMinorUnits(600_000.5, 'JPY'))).toBe(false)
})

it('the same number in another currency is not the same money', () => {
  const dollars = { amountMinor: 100, currency: 'USD' }

  expect(isSameMoney(dollars, { ...dollars })).toBe(true)
  expect(isSameMoney(dollars, { ...dollars, currency: 'EUR' })).toBe(false)
})

describe('the percentage of a reduction', () => {
  it('is 33 for 199 instead of 299 dollars', () => {
    expect(getPercentOff(19_900, 29_900)).toBe(33)
  })

  it('is 0 if the price is not below the full price', () => {
    expect(getPercentOff(19_900, 19_900)).toBe(0)
    expect(getPercentOff(29_900, 19_900)).toBe(0)
    expect(getPercentOff(0, 0)).toBe(0)
  })

  it('never promises more than what is saved', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (price, fullPrice) => {
        const percent = getPercentOff(price, fullPrice)
        expect(Number.isInteger(percent)).toBe(true)
        expect(percent).toBeLessThanOrEqual(100)
        expect(percent * fullPrice).toBeLessThanOrEqual(Math.max(0, fullPrice - price) * 100)
      }),
    )
  })
})
