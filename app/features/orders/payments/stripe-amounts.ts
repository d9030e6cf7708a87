import { getCurrencyDecimals } from '~/features/school/money'

/**
 * Source: docs.stripe.com/currencies. Every other currency has two decimals there. That holds for
 * ISK and UGX, too, its special cases: they have no decimals any more, but Stripe still takes
 * hundredths that end in 00.
 */
const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const withThreeDecimals = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

function stripeDecimals(currency: string): number {
  if (withoutDecimals.includes(currency)) {
    return 0
  }

  return withThreeDecimals.includes(currency) ? 3 : 2
}

/**
 * How many of Stripe's units are one of ours: 100 for ISK, where Stripe counts hundredths that
 * don't exist, otherwise 1.
 */
function unitsOf(currency: string): number {
  const name = currency.toUpperCase()
  return 10 ** (stripeDecimals(name) - getCurrencyDecimals(name))
}

/**
 * @param minor in the currency's smallest unit, as the product counts.
 * @returns as Stripe counts.
 */
export function toStripe(minor: number, currency: string): number {
  return minor * unitsOf(currency)
}

/** The opposite of `toStripe`. */
export function fromStripe(amount: number, currency: string): number {
  return currency ? amount / unitsOf(currency) : amount
}

/**
 * In the currency's smallest unit. Source: 'Minimum and maximum charge amounts' on
 * docs.stripe.com/currencies. Currencies that aren't listed there get the most common minimum,
 * 0.50.
 */
const smallestPayments: Record<string, number> = {
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

export function smallestPayment(currency: string): number {
  return smallestPayments[currency] ?? (getCurrencyDecimals(currency) === 3 ? 500 : 50)
}

/** Amounts have to be a multiple of this, because Stripe requires a third decimal to be 0. */
export function paymentStep(currency: string): number {
  return getCurrencyDecimals(currency) === 3 ? 10 : 1
}
