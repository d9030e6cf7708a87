/**
 * Starts the payment of a course.
 *
 * The order and its payment are stored (`prepare-payment.server.ts`) before the payment provider is
 * called. An open order is continued, so that two tabs, a double click or the back button end at
 * the same payment page. A learner never pays more than checkout displayed: if the price has risen,
 * nothing is charged and checkout shows the new price.
 *
 * A payment that no longer fits, or that gets no page, expires. Checkout then tries again with
 * another payment.
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
import { type PreparedPayment, preparePayment } from './prepare-payment.server'
import {
  type CheckoutResult,
  getOpenOrderKey,
  type Purchase,
  type PurchaseInput,
} from './purchase.server'

const maxTries = 3

const purchaseDefaults = {
  // No coupon is used.
  couponCode: null,
  // The learner buys the course for themselves.
  gift: null,
  // The learner has not given up the right of withdrawal.
  waiver: null,
  // The learner accepts the current price, however high it is.
  displayedPrice: null,
}

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
    if (result.outcome !== 'retry') {
      return result
    }
  }

  throw new Error(
    `The checkout of the course ${purchase.courseId} did not succeed in ${maxTries} tries.`,
  )
}

/** Reads from the provider whether the open order was paid, or its payment has expired. */
async function syncOpenOrder(shop: Shop, purchase: Purchase): Promise<void> {
  const [openOrder] = await shop.db
    .select({ id: orders.id })
    .from(orders)
    .where(whereOpenOrder(getOpenOrderKey(purchase)))
  if (openOrder) {
    await syncOrderWithProvider(shop, openOrder.id)
  }
}

type TryResult = CheckoutResult | { outcome: 'retry' }

async function tryCheckout(
  shop: Shop,
  purchase: Purchase,
  { isLastTry }: { isLastTry: boolean },
): Promise<TryResult> {
  const preparation = await shop.db.transaction(async (tx) => {
    await lockLearner(tx, purchase.uid, 'orders')
    return preparePayment(tx, shop, purchase)
  })

  switch (preparation.outcome) {
    case 'prepared':
      return findPaymentPage(shop, preparation, { isLastTry })
    case 'enrolled':
      // The transaction has queued an email to the learner.
      shop.wakeEmailSender()
      return preparation
    default:
      // Nothing can be paid now. The outcome says why.
      return preparation
  }
}

/** Returns the page of a prepared payment, which an earlier request may have opened already. */
async function findPaymentPage(
  shop: Shop,
  { order, payment, isNewPayment, isPaymentOutdated }: PreparedPayment,
  { isLastTry }: { isLastTry: boolean },
): Promise<TryResult> {
  if (isPaymentOutdated) {
    await expireOutdatedPayment(shop, payment)
    return { outcome: 'retry' }
  }

  if (payment.url) {
    return { outcome: 'pay', url: payment.url }
  }

  try {
    const url = await openPaymentPage(shop, order, payment)
    return url === null ? { outcome: 'retry' } : { outcome: 'pay', url }
  } catch (error) {
    await expirePaymentWithoutPage(shop.db, payment.id)

    // The provider may have refused a page for a payment that an earlier request stored, because
    // the page would close too soon or because a setting has changed. A new payment may still work.
    const isWorthRetrying = !isNewPayment && !isLastTry
    if (!isWorthRetrying) {
      throw error
    }

    log.warn({ err: error, paymentId: payment.id }, 'an earlier payment got no payment page')
    return { outcome: 'retry' }
  }
}

/**
 * Opens the payment page at the provider and stores its URL. The provider gets the ID of the
 * payment as idempotency key. So a request that is repeated after a crash opens the same page.
 *
 * @returns the URL, or null if another request expired the payment while the page was being opened
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

  const hasExpired = rowCount === 0
  return hasExpired ? null : url
}

/**
 * Expires a payment that no longer fits. Its page, if it has one, is closed, so that nobody can pay
 * an outdated price there.
 */
async function expireOutdatedPayment(
  shop: Shop,
  { id, orderId, sessionId }: Payment,
): Promise<void> {
  if (sessionId === null) {
    await expirePaymentWithoutPage(shop.db, id)
    return
  }

  // The learner may have paid just before the page was closed. The provider knows whether the
  // payment has succeeded or expired.
  await shop.provider.closePaymentPage(sessionId)
  await syncOrderWithProvider(shop, orderId)
}

/**
 * Expires a payment that has no page. The next payment has another ID and so another idempotency
 * key, because the provider repeats its error for the same key.
 */
async function expirePaymentWithoutPage(db: Database, paymentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'expired', settledAt: sql`now()` })
    .where(
      and(eq(payments.id, paymentId), eq(payments.status, 'started'), isNull(payments.sessionId)),
    )
}
