import type { CouponProblem } from './coupon'

/** What screens say about coupons. */

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
