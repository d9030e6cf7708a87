import { getPaymentStepMinor, getSmallestPaymentMinor } from '~/features/courses/smallest-payments'

/** What a coupon takes off a price: a whole percentage, or an amount. */
export type Discount = { percent: number } | { amountMinor: number }

export const codePattern = /^[A-Z\d]{4,40}$/

/**
 * Returns the price after a discount. It is rounded down, so that a coupon of 33% never takes off
 * less, to an amount that the payment provider accepts. An amount below the smallest payment
 * becomes 0, because it could not be paid.
 */
export function getDiscountedPrice(
  priceMinor: number,
  discount: Discount,
  currency: string,
): number {
  const discountMinor =
    'percent' in discount ? (priceMinor * discount.percent) / 100 : discount.amountMinor
  const remainingMinor = Math.max(0, priceMinor - discountMinor)

  const stepMinor = getPaymentStepMinor(currency)
  const payableMinor = Math.floor(remainingMinor / stepMinor) * stepMinor
  return payableMinor < getSmallestPaymentMinor(currency) ? 0 : payableMinor
}

/** A coupon that lowers a price, and the price that remains. */
export type AppliedCoupon = { code: string; totalMinor: number }

/** Why a coupon does not lower the price. */
export type CouponProblem =
  | 'unknown'
  | 'ended'
  | 'early'
  | 'late'
  | 'other-course'
  | 'used-up'
  | 'used-by-learner'

/** What decides whether a coupon lowers the price of a purchase. */
export type CouponConditions = {
  discount: Discount
  /** Is null if the coupon takes off a percentage. */
  currency: string | null
  /** Is null if the coupon is valid for all courses. */
  courseIds: readonly string[] | null
  startsAt: Date | null
  endsAt: Date | null
  endedAt: Date | null
  maxUses: number | null
  maxUsesPerLearner: number | null
  /** How many orders use the coupon. */
  uses: number
  /** How many orders of this learner use the coupon. */
  ownUses: number
}

type Purchase = { courseId: string; currency: string; now: Date }

/** Returns why a coupon does not lower the price of a purchase, or null if it does. */
export function findCouponProblem(
  coupon: CouponConditions,
  { courseId, currency, now }: Purchase,
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

/** What screens say about a coupon that does not lower the price. */
export const couponProblems: Record<CouponProblem, string> = {
  unknown: 'There’s no coupon with this code.',
  ended: 'This coupon has ended.',
  late: 'This coupon has expired.',
  early: 'This coupon can’t be used yet.',
  'other-course': 'This coupon isn’t for this course.',
  'used-up': 'This coupon has been used up.',
  'used-by-learner': 'You have used this coupon already.',
}

export const tooManyCodes = 'Too many codes were tried. Please wait an hour, then try again.'
