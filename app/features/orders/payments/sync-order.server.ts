/**
 * Brings an order in line with what the payment provider says about it.
 *
 * The provider's webhook, the page after paying and a background job all call
 * `syncOrderWithProvider`. It can be called at any time and any number of times, because a call
 * writes only what is still missing. Payment, order, enrollment, receipt, ledger and emails are
 * written in one transaction. If it fails, none of them is written, and the next call writes them.
 * Refunds are sent to the provider after that transaction.
 *
 * An order can have several payments, one for each attempt to pay it. The unique index
 * `payments_one_open` allows only one of them to be started or processing, so the failure of one
 * payment can't reopen an order that waits for another payment.
 */
import { and, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import { isSameMoney } from '~/features/school/money'
import type { Database, Transaction } from '~/server/database/client.server'
import { paymentEvents, payments } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import {
  lockOrder,
  type Order,
  type Payment,
  transitionOrderIfAllowed,
} from '../order-record.server'
import { canTransition, type PaymentStatus, paymentTransitions } from '../order-statuses'
import { recordProviderRefund, sendPendingRefunds } from '../refunds/refunds.server'
import type { Shop } from '../shop.server'
import type { ProviderEvent, ProviderPayment } from './payment-provider.server'
import { recordPayment } from './record-payment.server'

/**
 * Applies everything that the provider reports about the payments and refunds of an order.
 *
 * @param event the provider's event that caused this call; it is stored together with its effects
 * @returns the order, or null if there is no such order
 */
export async function syncOrderWithProvider(
  shop: Shop,
  orderId: string,
  event?: Pick<ProviderEvent, 'id' | 'type'>,
): Promise<Order | null> {
  const { db } = shop
  const paymentsToCheck = await listPaymentsToCheck(db, orderId)
  const paymentReports: PaymentReport[] = await Promise.all(
    paymentsToCheck.map(async ({ id, sessionId }) => ({
      paymentId: id,
      providerPayment: await shop.provider.readPayment(sessionId),
    })),
  )

  const result = await db.transaction(async (tx) => {
    const previousOrder = await lockOrder(tx, orderId)
    if (previousOrder === null) {
      return null
    }

    if (event) {
      await markEventHandled(tx, event, orderId)
    }

    let order = previousOrder
    for (const report of paymentReports) {
      order = await applyPaymentReport(tx, shop, order, report)
    }

    await expirePaymentsWithoutPage(tx, orderId)
    return { previousOrder, order }
  })

  if (result === null) {
    return null
  }

  const isNewlyPaid = result.order.paidAt !== null && result.previousOrder.paidAt === null
  if (isNewlyPaid) {
    countEvent('paidOrders')
  }

  // Emails don't wait for the refunds, which fail while the provider can't be reached.
  shop.wakeEmailSender()
  await sendPendingRefunds(shop, orderId)

  return result.order
}

/**
 * Lists the payments that have a page at the provider, unless the payment has expired. `sessionId`
 * is the provider's ID of the page.
 */
async function listPaymentsToCheck(db: Database, orderId: string) {
  return (
    db
      // The type of the column allows null, which `isNotNull` below excludes.
      .select({ id: payments.id, sessionId: sql<string>`${payments.sessionId}` })
      .from(payments)
      .where(
        and(
          eq(payments.orderId, orderId),
          isNotNull(payments.sessionId),
          ne(payments.status, 'expired'),
        ),
      )
      .orderBy(payments.attempt)
  )
}

async function markEventHandled(
  tx: Transaction,
  { id, type }: Pick<ProviderEvent, 'id' | 'type'>,
  orderId: string,
): Promise<void> {
  await tx.insert(paymentEvents).values({ id, type, orderId }).onConflictDoNothing()

  // An event that could not be handled before is stored already, with the time of that failure.
  await tx.update(paymentEvents).set({ failedAt: null }).where(eq(paymentEvents.id, id))
}

/** What the provider reports about one of the order's payments. */
type PaymentReport = { paymentId: string; providerPayment: ProviderPayment }

/**
 * Applies the status and the refunds of a payment as the provider reports them.
 *
 * @returns the order afterwards
 */
async function applyPaymentReport(
  tx: Transaction,
  shop: Shop,
  previousOrder: Order,
  { paymentId, providerPayment }: PaymentReport,
): Promise<Order> {
  const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId))
  if (!payment) {
    throw new Error(`Payment ${paymentId} does not exist.`)
  }

  await tx.update(payments).set({ checkedAt: sql`now()` }).where(eq(payments.id, paymentId))

  let order = previousOrder
  const nextStatus = getNextPaymentStatus(payment, providerPayment)
  if (nextStatus && canTransition(paymentTransitions, payment.status, nextStatus, 'provider')) {
    order = await applyPaymentStatus(tx, shop, order, { payment, nextStatus, providerPayment })
  }

  for (const refund of providerPayment.refunds) {
    order = await recordProviderRefund(tx, shop, order, { payment, refund })
  }

  return order
}

/** Returns the status that a payment should get, or null if the provider reports nothing new. */
function getNextPaymentStatus(payment: Payment, { status }: ProviderPayment): PaymentStatus | null {
  // The school may have changed to another account at the provider, which doesn't know the payment.
  // A bank debit still arrives in the previous account, so the order must not be open again.
  // Otherwise the learner could pay twice.
  if (status === 'unknown' && payment.status === 'processing') {
    return null
  }

  return paymentStatusByProviderStatus[status]
}

const paymentStatusByProviderStatus: Record<ProviderPayment['status'], PaymentStatus | null> = {
  open: null,
  processing: 'processing',
  paid: 'succeeded',
  failed: 'failed',
  expired: 'expired',
  // The account does not know the payment page. Nobody can pay there any more, so the learner gets
  // another page.
  unknown: 'failed',
}

type PaymentChange = {
  payment: Payment
  nextStatus: PaymentStatus
  providerPayment: ProviderPayment
}

/**
 * Stores the next status of a payment, and what follows from it for the order.
 *
 * @returns the order afterwards
 */
async function applyPaymentStatus(
  tx: Transaction,
  shop: Shop,
  order: Order,
  { payment, nextStatus, providerPayment }: PaymentChange,
): Promise<Order> {
  if (nextStatus === 'succeeded') {
    requireExpectedAmount(order, payment, providerPayment)
  }

  const isSettled = nextStatus !== 'processing'
  await tx
    .update(payments)
    .set({
      status: nextStatus,
      // The provider's ID of the payment itself, which exists only once the learner has tried to
      // pay.
      intentId: providerPayment.intentId,
      settledAt: isSettled ? sql`now()` : null,
    })
    .where(eq(payments.id, payment.id))

  if (nextStatus === 'succeeded') {
    const alreadyRefundedMinor = sumRefundsMadeOrPending(providerPayment)
    return recordPayment(tx, shop, order, { payment, alreadyRefundedMinor })
  }

  if (nextStatus === 'processing') {
    return transitionOrderIfAllowed(tx, order, 'processing', 'provider')
  }

  // The payment has failed or expired. A bank debit fails days later, so the learner gets an email.
  // A card is refused on the provider's page, which tells the learner.
  if (order.status === 'processing' && order.uid !== null) {
    await queueOrderMail(tx, order.uid, 'payment-failed', order.id)
  }

  return transitionOrderIfAllowed(tx, order, 'open', 'provider')
}

/**
 * Checks the amount, because a payment of an unexpected amount grants nothing. The error is
 * reported, and `orders check --provider` lists the order until an operator has looked at it.
 *
 * @throws if the provider took another amount or currency than expected
 */
function requireExpectedAmount(
  order: Order,
  payment: Payment,
  providerPayment: ProviderPayment,
): void {
  const expected = { amountMinor: payment.amountMinor, currency: order.currency }
  if (isSameMoney(expected, providerPayment)) {
    return
  }

  const { amountMinor, currency } = providerPayment
  throw new Error(
    `Order ${order.id}: the provider took ${amountMinor} ${currency} instead of ${expected.amountMinor} ${expected.currency}.`,
  )
}

/** Sums the refunds of a payment that the provider has made or is making. */
function sumRefundsMadeOrPending({ refunds }: ProviderPayment): number {
  return refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sumMinor, { amountMinor }) => sumMinor + amountMinor, 0)
}

/**
 * Expires the payments that never got a page, because the process stopped or the provider failed.
 * Nobody can have paid them.
 */
async function expirePaymentsWithoutPage(tx: Transaction, orderId: string): Promise<void> {
  await tx
    .update(payments)
    .set({ status: 'expired', settledAt: sql`now()` })
    .where(
      and(
        eq(payments.orderId, orderId),
        eq(payments.status, 'started'),
        isNull(payments.sessionId),
        lt(payments.expiresAt, sql`now()`),
      ),
    )
}
