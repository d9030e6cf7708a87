import type { Database } from '~/server/database/client.server'
import { applyCoupon, type CouponUse } from '../coupons/apply-coupon.server'
import { type CodeGuard, takeCodeAttempt } from '../coupons/code-attempts.server'
import { couponProblems, tooManyCodes } from '../coupons/coupon-texts'
import type { CheckoutPrice } from './checkout-page'
import type { OpenOrder } from './checkout-queries.server'

/**
 * Returns what checkout shows as the price, with a coupon if there is a code.
 *
 * @param use.code empty for no coupon
 * @param openOrder the order that is open at the payment provider; its price and coupon stay as they
 *   were shown
 */
export async function getCheckoutPrice(
  db: Database,
  codeGuard: CodeGuard,
  use: CouponUse,
  openOrder: OpenOrder | null,
): Promise<CheckoutPrice> {
  const { code, priceMinor } = use
  const boundPrice = openOrder?.boundPrice
  if (boundPrice && (openOrder.couponCode ?? '') === code) {
    const coupon = code === '' ? null : { code, totalMinor: boundPrice.totalMinor }
    return { priceMinor: boundPrice.priceMinor, code, coupon, problem: null }
  }

  if (code === '') {
    return { priceMinor, code, coupon: null, problem: null }
  }

  const attempt = await takeCodeAttempt(codeGuard, use.uid)
  if (attempt === null) {
    return { priceMinor, code, coupon: null, problem: tooManyCodes }
  }

  const applied = await applyCoupon(db, use)
  const isUnknown = 'problem' in applied && applied.problem === 'unknown'
  if (!isUnknown) {
    await attempt.giveBack()
  }

  if ('problem' in applied) {
    return { priceMinor, code, coupon: null, problem: couponProblems[applied.problem] }
  }

  return { priceMinor, code, coupon: applied, problem: null }
}
