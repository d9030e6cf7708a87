/**
 * Stripe counts most currencies in the same units as Learnify. This module knows the exceptions.
 *
 * Source: docs.stripe.com/currencies
 */
import { getCurrencyDecimals } from '~/features/school/money'

const currenciesWithoutDecimals = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const currenciesWithThreeDecimals = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/**
 * Returns how many decimals Stripe counts with. ISK and UGX have no decimals any more, but Stripe
 * still counts them in hundredths that end in 00.
 */
function getStripeDecimals(currency: string): number {
  if (currenciesWithoutDecimals.has(currency)) {
    return 0
  }

  return currenciesWithThreeDecimals.has(currency) ? 3 : 2
}

/** Returns how many of Stripe's units are one minor unit: 100 for ISK and UGX, otherwise 1. */
function getUnitFactor(currency: string): number {
  const code = currency.toUpperCase()
  return 10 ** (getStripeDecimals(code) - getCurrencyDecimals(code))
}

/** Converts minor units to the units in which Stripe counts. */
export function toStripe(amountMinor: number, currency: string): number {
  return amountMinor * getUnitFactor(currency)
}

/**
 * Converts the units in which Stripe counts to minor units. Without a currency, which Stripe may
 * leave out of an unfinished session, the amount stays as it is.
 */
export function fromStripe(amount: number, currency: string): number {
  return currency ? amount / getUnitFactor(currency) : amount
}
