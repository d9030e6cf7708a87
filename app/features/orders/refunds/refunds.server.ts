import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { ledger, orders, payments, receipts, refunds } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { followAccess } from '../follow-access.server'
import { learnerOf } from '../gifts/gift-orders.server'
import { lockOrder, moveOrder } from '../move-order.server'
import { mayMove, refundMoves } from '../order-states'
import type { ProviderRefund } from '../payments/payment-provider.server'
import { issueReceipt } from '../receipts/issue-receipt.server'
import type { Shop } from '../shop.server'
import { followMoney } from './request-moves.server'

type Payment = typeof payments.$inferSelect
type Refund = typeof refunds.$inferSelect

/**
 * Sends the refunds of an order that were asked for. Their rows are there already, so that a kill
 * repeats the same one.
 */
export async function sendRefunds(shop: Shop, orderId: string): Promise<void> {
  const { db, provider } = shop
  const waiting = await db
    .select({ refund: refunds, payment: payments, currency: orders.currency })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(eq(refunds.orderId, orderId), eq(refunds.state, 'requested')))

  for (const { refund, payment, currency } of waiting) {
    const { id: refundId, amountMinor } = refund
    // Money that came by transfer goes back by transfer: the operator has sent it.
    const answer: ProviderRefund = payment.intentId
      ? await provider.refund({
          refundId,
          orderId,
          intentId: payment.intentId,
          amountMinor,
          currency,
        })
      : {
          providerId: `transfer ${refundId}`,
          refundId,
          amountMinor,
          state: 'succeeded',
          reason: refund.reason,
        }

    await db.transaction(async (transaction) => {
      await lockOrder(transaction, orderId)
      await takeRefund(transaction, shop, orderId, payment, answer)
    })
  }
}

/** Brings a refund in line with what the provider says about it. The order is locked already. */
export async function takeRefund(
  transaction: Transaction,
  shop: Shop,
  orderId: string,
  payment: Payment,
  answer: ProviderRefund,
): Promise<void> {
  const refund = await findOrAddRefund(transaction, orderId, payment, answer)
  const before = refund.state
  if (!mayMove(refundMoves, before, answer.state, 'provider')) {
    return
  }

  const settledAt = answer.state === 'pending' ? null : sql`now()`
  await transaction
    .update(refunds)
    .set({ state: answer.state, providerId: answer.providerId, settledAt })
    .where(eq(refunds.id, refund.id))
  if (answer.state === 'succeeded') {
    await moveMoney(transaction, shop, refund, -refund.amountMinor)
  } else if (before === 'succeeded') {
    await moveMoney(transaction, shop, refund, refund.amountMinor)
  }

  if (answer.state === 'failed') {
    await followMoney(transaction, orderId, false)
  }
}

/** What began at the provider gets its row now. */
async function findOrAddRefund(
  transaction: Transaction,
  orderId: string,
  payment: Payment,
  { refundId, providerId, amountMinor, reason }: ProviderRefund,
): Promise<Refund> {
  const ours = refundId ? eq(refunds.id, refundId) : eq(refunds.providerId, providerId)
  const [known] = await transaction
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), ours))
  if (known) {
    return known
  }

  const [added] = await transaction
    .insert(refunds)
    .values({ id: refundId ?? randomId(), orderId, paymentId: payment.id, amountMinor, reason })
    .returning()
  if (!added) {
    throw new Error('A refund was not stored.')
  }

  return added
}

/**
 * Writes a refund, or one that came back, into the books, and ends or restores the access that the
 * order gives.
 */
async function moveMoney(
  transaction: Transaction,
  shop: Shop,
  refund: Refund,
  amountMinor: number,
): Promise<void> {
  const { id, orderId, paymentId } = refund
  const order = await lockOrder(transaction, orderId)
  if (!order) {
    return
  }

  const ledgerId = amountMinor < 0 ? id : `${id} came back`
  const kind = amountMinor < 0 ? 'refund' : 'charge'
  await transaction
    .insert(ledger)
    .values({ id: ledgerId, orderId, kind, amountMinor, currency: order.currency })

  const [{ balance } = { balance: 0 }] = await transaction
    .select({ balance: sql<number>`sum(${ledger.amountMinor})::int` })
    .from(ledger)
    .where(eq(ledger.orderId, orderId))
  // What was free needs no money: a late payment for it has come and gone.
  if (balance <= 0 && order.totalMinor > 0) {
    await moveOrder(transaction, order, 'refunded')
    await followMoney(transaction, orderId, true)
  } else if (order.state === 'refunded' && order.totalMinor > 0) {
    // Only a refunded purchase becomes paid again. An order that was given up had no access, and a
    // free one was ended.
    await moveOrder(transaction, order, 'paid')
  }

  const learner = await learnerOf(transaction, order)
  if (learner) {
    await followAccess(transaction, order, learner)
  }

  const [receipt] = await transaction
    .select()
    .from(receipts)
    .where(eq(receipts.ledgerId, paymentId))
  if (!receipt) {
    return
  }

  if (order.uid && amountMinor < 0) {
    await queueOrderMail(transaction, order.uid, 'credit-note', orderId, ledgerId)
  }

  await issueReceipt(transaction, shop, order, ledgerId, amountMinor)
}
