/**
 * Stripe counts most currencies in the same units as Learnify. This module knows the exceptions, and
 * which amounts Stripe accepts.
 *
 * Sources: docs.stripe.com/currencies, with its section 'Minimum and maximum charge amounts'.
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

/** The smallest payments in minor units. All other currencies have the most common one, 0.50. */
const smallestPaymentMinor: Record<string, number> = {
  AED: 200,
  BGN: 100,
  CZK: 1_500,
  DKK: 250,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  PLN: 200,
  RON: 200,
  SEK: 300,
  THB: 1_000,
}

/** Returns the smallest amount that Stripe accepts, in minor units. */
export function smallestPayment(currency: string): number {
  const halfUnit = getCurrencyDecimals(currency) === 3 ? 500 : 50
  return smallestPaymentMinor[currency] ?? halfUnit
}

/**
 * Returns the step between the amounts that Stripe accepts, in minor units: of currencies with three
 * decimals, the third one has to be 0.
 */
export function paymentStep(currency: string): number {
  return getCurrencyDecimals(currency) === 3 ? 10 : 1
}
