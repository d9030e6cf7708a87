import { paymentStep, smallestPayment } from '../payments/stripe-amounts'

/**
 * What a coupon takes off a price: a whole percentage, or an amount in the currency's smallest
 * unit.
 */
export type Discount = { percent: number } | { amountMinor: number }

/** A code as it is stored and compared: people type it in small letters, with spaces or hyphens. */
export function normalizeCode(typed: string): string {
  return typed.replace(/[\s\p{Pd}]+/gu, '').toUpperCase()
}

export const codePattern = /^[A-Z\d]{4,40}$/

/**
 * The price that is left, in the currency's smallest unit. Rounded down, so that a coupon of 33%
 * never takes off less, and to an amount that the payment provider takes: an amount below its
 * smallest one is 0, because it couldn't be paid.
 *
 * @returns 0 to `priceMinor`.
 */
export function discountedPrice(priceMinor: number, discount: Discount, currency: string): number {
  const off = 'percent' in discount ? (priceMinor * discount.percent) / 100 : discount.amountMinor
  const step = paymentStep(currency)
  const left = Math.floor(Math.max(0, priceMinor - off) / step) * step

  return left < smallestPayment(currency) ? 0 : left
}

/** A coupon that lowers a price, and what is to be paid with it. */
export type AppliedCoupon = { code: string; totalMinor: number }

/** What a course costs a learner with a code. */
export type Quote = {
  /** Without the coupon. */
  priceMinor: number
  /** As typed or carried by a link; '' for none. */
  code: string
  coupon: AppliedCoupon | null
  /** Why the code lowers nothing, as a sentence. */
  problem: string | null
}

/** Why a code lowers nothing. */
export type CouponProblem =
  | 'unknown'
  | 'ended'
  | 'early'
  | 'late'
  | 'other-course'
  | 'used-up'
  | 'used-by-learner'

/** A coupon as far as it decides about one purchase. */
export type CouponTerms = {
  discount: Discount
  /** ISO 4217; null for a percentage. */
  currency: string | null
  /** Null for every course. */
  courseIds: readonly string[] | null
  startsAt: Date | null
  endsAt: Date | null
  endedAt: Date | null
  maxUses: number | null
  maxUsesPerLearner: number | null
  /** Orders that use it, and those of the learner among them. */
  uses: number
  ownUses: number
}

type Wanted = { courseId: string; currency: string; now: Date }

/** @returns null for a coupon that counts. */
export function couponProblem(
  coupon: CouponTerms,
  { courseId, currency, now }: Wanted,
): CouponProblem | null {
  if (coupon.endedAt || (coupon.currency && coupon.currency !== currency)) {
    return 'ended'
  }

  if (coupon.endsAt && coupon.endsAt <= now) {
    return 'late'
  }

  if (coupon.startsAt && coupon.startsAt > now) {
    return 'early'
  }

  if (coupon.courseIds && !coupon.courseIds.includes(courseId)) {
    return 'other-course'
  }

  if (coupon.maxUsesPerLearner !== null && coupon.ownUses >= coupon.maxUsesPerLearner) {
    return 'used-by-learner'
  }

  if (coupon.maxUses !== null && coupon.uses >= coupon.maxUses) {
    return 'used-up'
  }

  return null
}
