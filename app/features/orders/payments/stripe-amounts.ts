/**
 * Stripe counts most currencies in the same units as Learnify. This module knows the exceptions.
 *
 * An amount in Stripe's units is called `stripeAmount`, and an amount in Learnify's `amountMinor`.
 * Only the functions of this module turn one into the other.
 *
 * Source: two copies, made by others, of the lists 'Zero-decimal currencies', 'Three-decimal
 * currencies' and 'Special cases' on docs.stripe.com/currencies. The lists were not compared with the
 * page itself.
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

/** Converts the units in which Stripe counts to minor units. */
export function toAmountMinor(stripeAmount: number, currency: string): number {
  return stripeAmount / getUnitFactor(currency)
}
