import type { Buyer } from '~/server/database/schema'
import type { CouponProblem } from '../coupons/coupon'
import type { Gift } from '../gifts/gift'
import type { DisplayedPrice } from './checkout-form'
import type { CheckoutPrice } from './checkout-page'

/** What a learner buys, and under which terms. */
export type PurchaseInput = {
  uid: string
  courseId: string
  /** The country is null if the form offers countries and none was chosen. */
  buyer: Omit<Buyer, 'country'> & { country?: string | null }
  couponCode?: string | null
  /** Null if the learner buys the course for themselves. */
  gift?: Gift | null
  /** The text by which the learner gave up the right of withdrawal. */
  waiver?: string | null
  /**
   * The most that the learner pays. Null if the form contains no price: the current price then
   * counts.
   */
  displayedPrice?: DisplayedPrice | null
}

export type Purchase = Required<PurchaseInput>

export type CheckoutResult =
  | { outcome: 'pay'; url: string }
  /** There is nothing to pay, and the learner is enrolled. */
  | { outcome: 'enrolled'; orderId: string }
  /** An earlier payment, such as a bank debit, is on its way. */
  | { outcome: 'processing'; orderId: string }
  /** The learner has the course already. */
  | { outcome: 'owned' }
  | { outcome: 'not for sale' }
  | { outcome: 'coupon refused'; problem: CouponProblem }
  | { outcome: 'invalid'; errors: Partial<Record<'country' | 'waiver', string>> }
  /** The order costs more than the page displayed, or another currency. */
  | { outcome: 'price changed'; price: CheckoutPrice }

/** Returns what identifies the open order of a purchase: a learner has only one of each. */
export function getOpenOrderKey({ uid, courseId, gift }: Purchase) {
  return { uid, courseId, isGift: gift !== null }
}
