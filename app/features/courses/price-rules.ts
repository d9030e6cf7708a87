/** The rules for the price of a course. All amounts are in minor units of the currency. */
import { amountExample, maxAmountMinor } from '~/features/school/money'
import { getPaymentStepMinor, getSmallestPaymentMinor } from './smallest-payments'

type SubmittedPrice = {
  /** Is null for an empty field. */
  priceMinor: number | null
  /** Null if there is no sale. */
  saleMinor: number | null
  /** The last day of the sale in UTC, such as '2026-12-24', or ''. */
  until: string
}

/**
 * Checks the price that staff submit for a course.
 *
 * @param currency an ISO 4217 code
 * @param firstDay the first day on which a sale may end
 * @returns a sentence about the mistake, or null if the price is valid
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

  if (amountMinor > 0 && amountMinor < getSmallestPaymentMinor(currency)) {
    return 'Payment providers refuse such small amounts. Give a higher price, or 0.'
  }

  if (amountMinor % getPaymentStepMinor(currency) !== 0) {
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

type FilePrices = { id: string; priceMinor: number; originalPriceMinor: number }

/** Describes the prices in course files that can't be paid, each with the path of its file. */
export function listUnpayablePrices(courses: readonly FilePrices[], currency: string): string[] {
  return courses.flatMap(({ id, priceMinor, originalPriceMinor }) => {
    const saleMinor = priceMinor < originalPriceMinor ? priceMinor : null
    const price = { priceMinor: originalPriceMinor, saleMinor, until: '' }
    const problem = findPriceProblem(price, currency, '')
    return problem === null ? [] : [`courses/${id}/course.yaml: ${problem}`]
  })
}
