/**
 * Starts the payment for the form that a learner has submitted at checkout.
 *
 * A coupon code that is not part of the learner's open order may be a guess, so it is counted.
 * Guesses are limited by account and by client.
 */

import {
  type CouponCodeAttemptContext,
  consumeCouponCodeAttempt,
} from '../coupons/apply-coupon.server'
import { couponProblems, tooManyCodes } from '../coupons/coupon'
import type { Shop } from '../shop.server'
import type { CheckoutSubmission } from './checkout-form'
import { findOpenOrder } from './checkout-queries.server'
import type { CheckoutResult, PurchaseInput } from './purchase.server'
import { startCheckout } from './start-checkout.server'

/** A result whose problem with a coupon is a sentence for the page. */
export type CheckoutFormResult =
  | Exclude<CheckoutResult, { outcome: 'coupon refused' }>
  | { outcome: 'coupon refused'; problem: string }

type Learner = { uid: string; displayName: string; email: string }

export async function submitCheckout(
  shop: Shop,
  attemptContext: CouponCodeAttemptContext,
  learner: Learner,
  { courseId, submission }: { courseId: string; submission: CheckoutSubmission },
): Promise<CheckoutFormResult> {
  const { couponCode, wasCouponRefusedOnPage, gift } = submission
  const { uid, displayName: name, email } = learner
  const purchase: PurchaseInput = {
    uid,
    courseId,
    buyer: { ...submission.buyer, name, email },
    gift,
    waiver: submission.waiver,
    displayedPrice: submission.displayedPrice,
  }

  const result = await startCheckoutWithLimitedGuesses(shop, attemptContext, purchase, couponCode)
  if (result.outcome === 'coupon refused' && wasCouponRefusedOnPage) {
    // The page has already said that it refuses this coupon, and its button has named the price
    // without the coupon.
    return toFormResult(await startCheckout(shop, purchase))
  }

  return result
}

/** Counts a code that may be a guess, unless it turns out to be the code of a coupon. */
async function startCheckoutWithLimitedGuesses(
  shop: Shop,
  attemptContext: CouponCodeAttemptContext,
  purchase: PurchaseInput,
  couponCode: string | null,
): Promise<CheckoutFormResult> {
  const { uid, courseId, gift } = purchase
  const { currency } = shop
  const openOrder = await findOpenOrder(shop.db, { uid, courseId, isGift: gift !== null, currency })
  const mayBeGuess = couponCode !== null && openOrder?.couponCode !== couponCode
  if (!mayBeGuess) {
    return toFormResult(await startCheckout(shop, { ...purchase, couponCode }))
  }

  const attempt = await consumeCouponCodeAttempt(attemptContext, uid)
  if (attempt === null) {
    return { outcome: 'coupon refused', problem: tooManyCodes }
  }

  const result = await startCheckout(shop, { ...purchase, couponCode })
  const isUnknownCode = result.outcome === 'coupon refused' && result.problem === 'unknown'
  if (!isUnknownCode) {
    await attempt.giveBack()
  }

  return toFormResult(result)
}

function toFormResult(result: CheckoutResult): CheckoutFormResult {
  if (result.outcome !== 'coupon refused') {
    return result
  }

  return { outcome: 'coupon refused', problem: couponProblems[result.problem] }
}
