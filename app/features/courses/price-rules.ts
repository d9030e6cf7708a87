/**
 * The rules for prices: what a course may cost, and which amounts payment providers accept.
 *
 * The limits are those of Stripe, from docs.stripe.com/currencies, section 'Minimum and maximum
 * charge amounts'. All amounts are in the currency's minor units.
 */
import { amountExample, getCurrencyDecimals, maxAmountMinor } from '~/features/school/money'

/** The smallest payments. All other currencies have the most common one, 0.50. */
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

/** Returns the smallest amount that payment providers accept. */
export function getSmallestPayment(currency: string): number {
  const halfUnit = getCurrencyDecimals(currency) === 3 ? 500 : 50
  return smallestPaymentMinor[currency] ?? halfUnit
}

/**
 * Returns the step between the amounts that payment providers accept. In currencies with three
 * decimals, the third one has to be 0.
 */
export function getPaymentStep(currency: string): number {
  return getCurrencyDecimals(currency) === 3 ? 10 : 1
}

export type SubmittedPrice = {
  /** Null for an empty field. */
  priceMinor: number | null
  saleMinor: number | null
  /** The last day of the sale in UTC, such as '2026-12-24', or ''. */
  until: string
}

/**
 * Checks the price that staff submit for a course.
 *
 * @param currency an ISO 4217 code
 * @param firstDay the first day on which a sale may end
 * @returns a sentence about the mistake, or null
 */
export function findPriceProblem(
  { priceMinor, saleMinor, until }: SubmittedPrice,
  currency: string,
  firstDay: string,
): string | null {
  if (priceMinor === null) {
    return 'Give a price; 0 is free.'
  }

  const amountProblem =
    findAmountProblem(priceMinor, currency) ?? findAmountProblem(saleMinor ?? 0, currency)
  if (amountProblem !== null) {
    return amountProblem
  }

  if (saleMinor === null) {
    return until ? 'Only a sale price can have a last day.' : null
  }

  if (saleMinor >= priceMinor) {
    return 'The sale price has to be below the full price.'
  }

  if (until === '') {
    return null
  }

  if (!isDay(until)) {
    return 'Give the last day like 2026-12-24.'
  }

  return until < firstDay ? 'The last day of the sale has already passed.' : null
}

function findAmountProblem(amountMinor: number, currency: string): string | null {
  if (amountMinor > maxAmountMinor) {
    return 'Give a lower price.'
  }

  if (amountMinor > 0 && amountMinor < getSmallestPayment(currency)) {
    return 'Payment providers refuse such small amounts. Give a higher price, or 0.'
  }

  if (amountMinor % getPaymentStep(currency) !== 0) {
    return `Payment providers take ${currency} with two decimals only. Give a price like ${amountExample(currency)}.`
  }

  return null
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) {
    return false
  }

  // Date.parse() accepts days that do not exist, such as February 30.
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text
}

type FilePrices = { id: string; priceCents: number; originalPriceCents: number }

/** Describes the prices in course files that can't be paid, each with the path of its file. */
export function listUnpayablePrices(courses: readonly FilePrices[], currency: string): string[] {
  return courses.flatMap(({ id, priceCents, originalPriceCents }) => {
    const saleMinor = priceCents < originalPriceCents ? priceCents : null
    const price = { priceMinor: originalPriceCents, saleMinor, until: '' }
    const problem = findPriceProblem(price, currency, '')
    return problem === null ? [] : [`courses/${id}/course.yaml: ${problem}`]
  })
}
