import { expect, it } from 'vitest'
import { toAmountMinor, toRefundedMinor, toStripeAmount } from './stripe-amounts'

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

// Somebody can refund 10.50 in Stripe's dashboard.
it.each([
  ['HUF', 11],
  ['IDR', 11],
  ['ISK', 11],
  ['UGX', 11],
  // Learnify counts the Taiwan dollar in hundredths, as Stripe does.
  ['TWD', 1050],
])('in %s, a refund of 1050 of Stripe’s units is stored as %i', (currency, minor) => {
  expect(toRefundedMinor(1050, currency.toLowerCase())).toBe(minor)
})

it.each(['HUF', 'IDR', 'ISK', 'UGX'])(
  'in %s, a payment of 10.50 is not taken for one of 10 or 11',
  (currency) => {
    expect(toAmountMinor(1050, currency)).toBe(10.5)
  },
)

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
