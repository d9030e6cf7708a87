import { expect, it } from 'vitest'
import { minorDigits, priceNumber, priceText } from './currency.server'

it.each([
  [19900, 'USD', '$199', '199.00'],
  [1950, 'USD', '$19.50', '19.50'],
  [123400, 'USD', '$1,234', '1234.00'],
  [4900, 'EUR', '€49', '49.00'],
  [4900, 'JPY', '¥4,900', '4900'],
  [49500, 'KWD', 'KWD 49.500', '49.500'],
  [0, 'EUR', 'Free', '0.00'],
])('shows %i minor units of %s as %s', (minorUnits, currency, text, number) => {
  expect(priceText(minorUnits, currency).replaceAll('\u00a0', ' ')).toBe(text)
  expect(priceNumber(minorUnits, currency)).toBe(number)
})

it('is in dollars without a setting', () => {
  expect(priceText(6900)).toBe('$69')
  expect(minorDigits()).toBe(2)
})
