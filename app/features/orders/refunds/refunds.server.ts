/**
 * Money goes back to buyers.
 *
 * A refund is stored first and sent to the payment provider after the transaction, with its ID as
 * idempotency key. So a crash between the two repeats the same refund instead of creating another
 * one. The provider's response then changes the order, the learner's access, the ledger and the
 * refund requests in one transaction.
 */
import { and, eq, sql } from 'drizzle-orm'
import { formatMoney } from '~/features/school/money'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { ledger, orders, payments, receipts, refunds } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { log } from '~/server/operations/log.server'
import { failure, type Result, success } from '~/server/result'
import { syncEnrollmentWithOrder } from '../order-fulfillment.server'
import {
  lockOrder,
  type Order,
  type Payment,
  transitionOrderIfAllowed,
} from '../order-record.server'
import { canTransition, refundTransitions } from '../order-statuses'
import type { ProviderRefund } from '../payments/payment-provider.server'
import { issueReceipt } from '../receipts/receipts.server'
import type { Shop } from '../shop.server'
import { grantWaitingRequests, reopenGrantedRequests } from './refund-request-status.server'
import { remainingOfPayment } from './remaining-amount.server'

export type Refund = typeof refunds.$inferSelect

/**
 * Creates a refund of a locked order. The caller sends it after the transaction with
 * `sendPendingRefunds`.
 *
 * @param amountMinor null refunds everything that remains
 */
export async function createRefund(
  tx: Transaction,
  order: Order,
  { amountMinor, reason }: { amountMinor: number | null; reason: string },
): Promise<Result<Refund>> {
  const { rows: paidPayments } = await tx.execute<{ id: string; remainingMinor: number }>(sql`
    select p.id, ${remainingOfPayment()}::int as "remainingMinor"
    from payments p
    where p.order_id = ${order.id} and p.state = 'succeeded'
    order by p.attempt`)
  if (paidPayments.length === 0) {
    return failure('This order has not been paid.')
  }

  // An order may have been paid twice. The other payment was then refunded at once.
  const payment = paidPayments.find(({ remainingMinor }) => remainingMinor > 0)
  if (!payment) {
    return failure('This order is refunded already.')
  }

  const refundedMinor = amountMinor ?? payment.remainingMinor
  if (refundedMinor <= 0 || refundedMinor > payment.remainingMinor) {
    const remaining = formatMoney(payment.remainingMinor, order.currency)
    return failure(`There are ${remaining} left to give back.`)
  }

  const refund = await insertRefund(tx, {
    orderId: order.id,
    paymentId: payment.id,
    amountMinor: refundedMinor,
    reason,
  })
  return success(refund)
}

type NewRefund = Pick<Refund, 'orderId' | 'paymentId' | 'amountMinor' | 'reason'> & { id?: string }

export async function insertRefund(tx: Transaction, newRefund: NewRefund): Promise<Refund> {
  const [refund] = await tx
    .insert(refunds)
    .values({ id: randomId(), ...newRefund })
    .returning()
  if (!refund) {
    throw new Error('A refund was not stored.')
  }

  return refund
}

/** Sends the refunds of an order that were created and not sent yet. */
export async function sendPendingRefunds(shop: Shop, orderId: string): Promise<void> {
  const pendingRefunds = await shop.db
    .select({ refund: refunds, payment: payments, currency: orders.currency })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(eq(refunds.orderId, orderId), eq(refunds.status, 'requested')))

  for (const { refund, payment, currency } of pendingRefunds) {
    const providerRefund = await sendRefund(shop, refund, payment, currency)

    await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      if (order === null) {
        throw new Error(`Order ${orderId} does not exist.`)
      }

      const [currentRefund] = await tx.select().from(refunds).where(eq(refunds.id, refund.id))
      // After a change of the payments, another process may have sent the refund with another key.
      // The account that does not know the payment refuses the refund, and that must not undo the
      // money that the right account has sent.
      const sentId = currentRefund?.providerId ?? null
      const isSentByOther = sentId !== null && sentId !== providerRefund.providerRefundId
      if (!isSentByOther) {
        await recordProviderRefund(tx, shop, order, { payment, refund: providerRefund })
      } else if (providerRefund.status !== 'failed') {
        const { providerRefundId } = providerRefund
        log.error(
          { orderId, sentId, providerRefundId },
          'a refund was sent twice, or after a refusal',
        )
      }
    })
  }
}

async function sendRefund(
  { provider }: Shop,
  { id, orderId, amountMinor, reason }: Refund,
  { intentId }: Payment,
  currency: string,
): Promise<ProviderRefund> {
  if (intentId === null) {
    // A bank transfer has no provider. A member of staff has sent the money back by transfer.
    return {
      providerRefundId: `transfer ${id}`,
      refundId: id,
      amountMinor,
      status: 'succeeded',
      reason,
    }
  }

  return provider.sendRefund({ refundId: id, orderId, intentId, amountMinor, currency })
}

/**
 * Brings a refund of a locked order in line with what the provider says about it. A refund that
 * started at the provider is stored now.
 *
 * @returns the order afterwards
 */
export async function recordProviderRefund(
  tx: Transaction,
  shop: Shop,
  order: Order,
  { payment, refund: providerRefund }: { payment: Payment; refund: ProviderRefund },
): Promise<Order> {
  const refund = await findOrInsertRefund(tx, payment, providerRefund)
  const nextStatus = providerRefund.status
  if (!canTransition(refundTransitions, refund.status, nextStatus, 'provider')) {
    return order
  }

  await tx
    .update(refunds)
    .set({
      status: nextStatus,
      providerId: providerRefund.providerRefundId,
      settledAt: nextStatus === 'pending' ? null : sql`now()`,
    })
    .where(eq(refunds.id, refund.id))

  let updatedOrder = order
  if (nextStatus === 'succeeded') {
    updatedOrder = await recordMovement(tx, shop, order, { refund, direction: 'to the buyer' })
  } else if (refund.status === 'succeeded') {
    updatedOrder = await recordMovement(tx, shop, order, {
      refund,
      direction: 'back to the school',
    })
  }

  if (nextStatus === 'failed') {
    await reopenGrantedRequests(tx, order.id)
  }

  return updatedOrder
}

async function findOrInsertRefund(
  tx: Transaction,
  payment: Payment,
  { refundId, providerRefundId, amountMinor, reason }: ProviderRefund,
): Promise<Refund> {
  const { id: paymentId, orderId } = payment
  const hasSameId =
    refundId === null ? eq(refunds.providerId, providerRefundId) : eq(refunds.id, refundId)
  const [refund] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), hasSameId))
  if (refund) {
    return refund
  }

  const id = refundId ?? randomId()
  return insertRefund(tx, { id, orderId, paymentId, amountMinor, reason })
}

type Movement = { refund: Refund; direction: 'to the buyer' | 'back to the school' }

/**
 * Writes a movement of money into the ledger. The order, the learner's access and the refund
 * requests follow, and the buyer gets a credit note, or a receipt if the money came back.
 *
 * @returns the order afterwards
 */
async function recordMovement(
  tx: Transaction,
  shop: Shop,
  order: Order,
  { refund, direction }: Movement,
): Promise<Order> {
  const isRefunded = direction === 'to the buyer'
  const ledgerId = isRefunded ? refund.id : `${refund.id} came back`
  const amountMinor = isRefunded ? -refund.amountMinor : refund.amountMinor
  await tx.insert(ledger).values({
    id: ledgerId,
    orderId: order.id,
    kind: isRefunded ? 'refund' : 'charge',
    amountMinor,
    currency: order.currency,
  })

  const updatedOrder = await syncOrderWithLedger(tx, order)
  await syncEnrollmentWithOrder(tx, order)

  // Only a payment with a receipt gets a credit note. Other payments went back at once.
  const [paymentReceipt] = await tx
    .select({ number: receipts.number })
    .from(receipts)
    .where(eq(receipts.ledgerId, refund.paymentId))
  if (!paymentReceipt) {
    return updatedOrder
  }

  if (order.uid !== null && isRefunded) {
    await queueOrderMail(tx, order.uid, 'credit-note', order.id, ledgerId)
  }

  // The document is issued last, because all other receipts wait for its number until this
  // transaction is committed.
  await issueReceipt(tx, shop.seller, { order: updatedOrder, ledgerId, amountMinor })
  return updatedOrder
}

/** @returns the order afterwards */
async function syncOrderWithLedger(tx: Transaction, order: Order): Promise<Order> {
  // Free orders keep their status. A late payment for one of them has been refunded.
  if (order.totalMinor === 0) {
    return order
  }

  const [balance] = await tx
    .select({ amountMinor: sql<number>`sum(${ledger.amountMinor})::int` })
    .from(ledger)
    .where(eq(ledger.orderId, order.id))
  if (!balance) {
    throw new Error(`Order ${order.id} has no entry in the ledger.`)
  }

  if (balance.amountMinor <= 0) {
    const refundedOrder = await transitionOrderIfAllowed(tx, order, 'refunded', 'provider')
    await grantWaitingRequests(tx, order.id)
    return refundedOrder
  }

  // Only a refunded order becomes paid again, because a canceled order never gave access.
  if (order.status === 'refunded') {
    return transitionOrderIfAllowed(tx, order, 'paid', 'provider')
  }

  return order
}
