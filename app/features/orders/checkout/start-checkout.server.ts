/**
 * Starts the payment of a course.
 *
 * The order and its payment are stored (`prepare-payment.server.ts`) before the payment provider is
 * called. An open order is continued, so that two tabs, a double click or the back button end at the
 * same payment page. A learner never pays more than checkout displayed: if the price has risen,
 * nothing is charged and checkout shows the new price.
 */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { lockLearner } from '~/features/enrollment/learner-locks.server'
import type { Database } from '~/server/database/client.server'
import { orders, payments } from '~/server/database/schema'
import { log } from '~/server/operations/log.server'
import type { Order, Payment } from '../order-record.server'
import { syncOrderWithProvider } from '../payments/sync-order.server'
import type { Shop } from '../shop.server'
import { whereOpenOrder } from './checkout-queries.server'
import { preparePayment } from './prepare-payment.server'
import {
  type CheckoutResult,
  type Purchase,
  type PurchaseInput,
  toOrderedCourse,
} from './purchase.server'

const maxTries = 3

const purchaseDefaults = { couponCode: null, gift: null, waiver: null, displayedPrice: null }

/**
 * Opens the payment page of a course, or enrolls the learner if there is nothing to pay.
 *
 * @throws if the payment provider can't open a payment page
 */
export async function startCheckout(
  shop: Shop,
  purchaseInput: PurchaseInput,
): Promise<CheckoutResult> {
  const purchase: Purchase = { ...purchaseDefaults, ...purchaseInput }
  await syncOpenOrder(shop, purchase)

  for (let tryNumber = 1; tryNumber <= maxTries; tryNumber++) {
    const isLastTry = tryNumber === maxTries
    const result = await tryCheckout(shop, purchase, { isLastTry })
    if (result.outcome !== 'try again') {
      return result
    }
  }

  throw new Error(
    `The checkout of the course ${purchase.courseId} did not succeed in ${maxTries} tries.`,
  )
}

/** Reads from the provider whether the open order was paid, or its payment page has expired. */
async function syncOpenOrder(shop: Shop, purchase: Purchase): Promise<void> {
  const [openOrder] = await shop.db
    .select({ id: orders.id })
    .from(orders)
    .where(whereOpenOrder(toOrderedCourse(purchase)))
  if (openOrder) {
    await syncOrderWithProvider(shop, openOrder.id)
  }
}

async function tryCheckout(
  shop: Shop,
  purchase: Purchase,
  { isLastTry }: { isLastTry: boolean },
): Promise<CheckoutResult | { outcome: 'try again' }> {
  const preparation = await shop.db.transaction(async (tx) => {
    await lockLearner(tx, purchase.uid, 'orders')
    return preparePayment(tx, shop, purchase)
  })
  if (preparation.outcome === 'enrolled') {
    shop.wakeEmailSender()
  }

  if (preparation.outcome !== 'payment prepared') {
    return preparation
  }

  const { order, payment, isNewPayment, isOutdated } = preparation
  if (isOutdated) {
    await expireOutdatedPayment(shop, payment)
    return { outcome: 'try again' }
  }

  if (payment.url) {
    return { outcome: 'pay', url: payment.url }
  }

  try {
    const url = await openPaymentPage(shop, order, payment)
    // Another request may have expired the payment meanwhile. The next try continues with the payment
    // of that request.
    return url === null ? { outcome: 'try again' } : { outcome: 'pay', url }
  } catch (error) {
    await expirePaymentWithoutPage(shop.db, payment.id)
    if (isNewPayment || isLastTry) {
      throw error
    }

    // An earlier request stored this payment. The provider may refuse its page now, because the page
    // would expire too soon or because a setting has changed. A new payment may still work.
    log.warn({ err: error, paymentId: payment.id }, 'an earlier payment got no payment page')
    return { outcome: 'try again' }
  }
}

/**
 * Opens the payment page at the provider and stores its URL. The provider gets the ID of the payment
 * as idempotency key. So a request that is repeated after a crash opens the same page.
 *
 * @returns the URL, or null if the payment expired while its page was opened
 */
async function openPaymentPage(shop: Shop, order: Order, payment: Payment): Promise<string | null> {
  const checkoutUrl = `${shop.publicUrl}/Checkout/${order.courseId}`
  const cancelParameters = new URLSearchParams({ canceled: '1' })
  if (order.couponCode) {
    cancelParameters.set('coupon', order.couponCode)
  }

  if (order.isGift) {
    cancelParameters.set('gift', '1')
  }

  const { sessionId, url } = await shop.provider.createPaymentPage({
    paymentId: payment.id,
    orderId: order.id,
    courseTitle: order.courseTitle,
    amountMinor: payment.amountMinor,
    currency: order.currency,
    buyerEmail: order.buyer.email,
    returnUrl: `${checkoutUrl}/paid?order=${order.id}`,
    cancelUrl: `${checkoutUrl}?${cancelParameters}`,
    expiresAt: payment.expiresAt,
  })

  const { rowCount } = await shop.db
    .update(payments)
    .set({ sessionId, url })
    .where(and(eq(payments.id, payment.id), eq(payments.status, 'started')))

  return rowCount === 0 ? null : url
}

/** Closes the page of a payment, if it has one, so that nobody can pay an outdated price there. */
async function expireOutdatedPayment(
  shop: Shop,
  { id, orderId, sessionId }: Payment,
): Promise<void> {
  if (sessionId === null) {
    await expirePaymentWithoutPage(shop.db, id)
    return
  }

  await shop.provider.closePaymentPage(sessionId)
  await syncOrderWithProvider(shop, orderId)
}

/**
 * Expires a payment that has no page. The next payment has another ID and so another idempotency key,
 * because the provider repeats its error for the same key.
 */
async function expirePaymentWithoutPage(db: Database, paymentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'expired', settledAt: sql`now()` })
    .where(
      and(eq(payments.id, paymentId), eq(payments.status, 'started'), isNull(payments.sessionId)),
    )
}
