import { paymentStep, smallestPayment } from '~/features/orders/payments/stripe-amounts'
import { amountExample, maxAmountMinor } from '~/features/school/money'

/** Like 2026-12-24. */
const dayShape = /^\d{4}-\d\d-\d\d$/

export type TypedPrice = {
  /** In the currency's smallest unit; null for an empty field. */
  price: number | null
  sale: number | null
  /** The last day of the sale, in UTC, or ''. */
  until: string
}

/**
 * Checks a typed price.
 *
 * @param currency ISO 4217.
 * @param firstDay the first day on which a sale may end.
 * @returns a sentence about the mistake, or null.
 */
export function priceProblem(
  { price, sale, until }: TypedPrice,
  currency: string,
  firstDay: string,
): string | null {
  if (price === null) {
    return 'Give a price; 0 is free.'
  }

  for (const amount of [price, sale ?? 0]) {
    if (amount > maxAmountMinor) {
      return 'Give a lower price.'
    }

    if (amount > 0 && amount < smallestPayment(currency)) {
      return 'Payment providers refuse such small amounts. Give a higher price, or 0.'
    }

    if (amount % paymentStep(currency) !== 0) {
      return `Payment providers take ${currency} with two decimals only. Give a price like ${amountExample(currency)}.`
    }
  }

  if (sale === null) {
    return until ? 'Only a sale price can have a last day.' : null
  }

  if (sale >= price) {
    return 'The sale price has to be below the full price.'
  }

  if (until === '') {
    return null
  }

  const isDay = dayShape.test(until) && !Number.isNaN(Date.parse(until)) && dayOf(until) === until
  if (!isDay) {
    return 'Give the last day like 2026-12-24.'
  }

  return until < firstDay ? 'The last day of the sale has already passed.' : null
}

type FilePrices = { id: string; priceCents: number; originalPriceCents: number }

/** Lists courses whose files have a price that can't be paid, each as `file: sentence`. */
export function unpayablePrices(courses: readonly FilePrices[], currency: string): string[] {
  return courses.flatMap(({ id, priceCents, originalPriceCents }) => {
    const sale = priceCents < originalPriceCents ? priceCents : null
    const problem = priceProblem({ price: originalPriceCents, sale, until: '' }, currency, '')
    return problem ? [`courses/${id}/course.yaml: ${problem}`] : []
  })
}

const dayOf = (text: string) => new Date(text).toISOString().slice(0, 10)
