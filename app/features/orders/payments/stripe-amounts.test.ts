import { expect, it } from 'vitest'
import { toAmountMinor, toStripeAmount } from './stripe-amounts'

it.each([
  ['USD', 6900, 6900],
  ['JPY', 6900, 6900],
  ['KWD', 6900, 6900],
  // Stripe counts these in hundredths, although the currencies have none.
  ['ISK', 6900, 690_000],
  ['UGX', 6900, 690_000],
  ['HUF', 6900, 690_000],
])('charges %s %i as %i of Stripe’s units, and reads them back', (currency, minor, amount) => {
  expect(toStripeAmount(minor, currency)).toBe(amount)
  expect(toAmountMinor(amount, currency.toLowerCase())).toBe(minor)
})

/** Stripe takes no payments in it. */
const notTaken = ['LYD']

it('an amount is a whole number of Stripe’s units in every currency', () => {
  const currencies = Intl.supportedValuesOf('currency').filter(
    (currency) => !notTaken.includes(currency),
  )
  expect(currencies.filter((currency) => !Number.isInteger(toStripeAmount(1, currency)))).toEqual(
    [],
  )
})
