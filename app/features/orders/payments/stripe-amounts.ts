/**
 * Stripe counts most currencies in the same units as Learnify. This module knows the exceptions.
 *
 * An amount in Stripe's units is called `stripeAmount`, and an amount in Learnify's `amountMinor`.
 * Only the functions of this module turn one into the other.
 *
 * Source: the lists 'Zero-decimal currencies', 'Three-decimal currencies' and 'Special cases' on
 * docs.stripe.com/currencies. Last compared on 2026-11-28 with two copies of that page, made by
 * others and without a date, and not with the page itself.
 */
import { getCurrencyDecimals } from '~/features/school/money'

const currenciesWithoutDecimals = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const currenciesWithThreeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/**
 * Returns how many decimals Stripe counts with. Some currencies, such as HUF, IDR and ISK, have no
 * decimals in Learnify, but Stripe counts them in hundredths.
 */
function getStripeDecimals(currency: string): number {
  if (currenciesWithoutDecimals.has(currency)) {
    return 0
  }

  return currenciesWithThreeDecimals.has(currency) ? 3 : 2
}

/** Returns how many of Stripe's units are one minor unit: 100 for HUF, IDR and ISK, mostly 1. */
function getUnitFactor(currency: string): number {
  const code = currency.toUpperCase()
  return 10 ** (getStripeDecimals(code) - getCurrencyDecimals(code))
}

/** Converts minor units to the units in which Stripe counts. */
export function toStripeAmount(amountMinor: number, currency: string): number {
  return amountMinor * getUnitFactor(currency)
}

/**
 * Converts the amount of a payment from the units in which Stripe counts to minor units.
 *
 * A payment of 10.50 forint becomes 10.5, which is not rounded. So it equals no price, and the
 * payment is refused instead of being taken for one of 10 or 11 forint.
 */
export function toAmountMinor(stripeAmount: number, currency: string): number {
  return stripeAmount / getUnitFactor(currency)
}

/**
 * Converts the amount of a refund or a dispute from the units in which Stripe counts to minor
 * units.
 *
 * In Stripe's dashboard, somebody can refund 10.50 forint, which become 11. The amount is rounded
 * up, so that Learnify never tries to refund more than Stripe still has, and a payment that was
 * refunded in several parts counts as refunded in full.
 */
export function toRefundedMinor(stripeAmount: number, currency: string): number {
  return Math.ceil(stripeAmount / getUnitFactor(currency))
}
