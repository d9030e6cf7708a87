import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { grantingOrder } from '~/features/enrollment/course-access.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { ledger, paymentEvents, payments, refunds } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { deliverOrder } from '../deliver-order.server'
import { lockOrder, moveOrder } from '../move-order.server'
import { mayMove, type PaymentState, paymentMoves } from '../order-states'
import { issueReceipt } from '../receipts/issue-receipt.server'
import { sendRefunds, takeRefund } from '../refunds/refunds.server'
import type { Order, Shop } from '../shop.server'
import type { ProviderPayment } from './payment-provider.server'

type Payment = typeof payments.$inferSelect

/**
 * Brings an order in line with what the payment provider says about it. The webhook, the page after
 * paying and the sweep all call it; twice, out of order or after a kill it changes nothing more.
 *
 * Payment, order, enrollment, receipt, ledger and mail are written in one transaction: either all
 * of them are there, or none and the next call writes them.
 *
 * @param event is remembered with what it caused.
 * @returns null if there is no such order.
 */
export async function fulfillOrder(
  shop: Shop,
  orderId: string,
  event?: { id: string; type: string },
): Promise<Order | null> {
  const { db, provider } = shop
  const asked = await db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.orderId, orderId),
        isNotNull(payments.sessionId),
        ne(payments.state, 'expired'),
      ),
    )
    .orderBy(payments.attempt)
  const answers = await Promise.all(asked.map(({ sessionId }) => provider.read(sessionId ?? '')))

  const moved = await db.transaction(async (transaction) => {
    const before = await lockOrder(transaction, orderId)
    if (!before) {
      return null
    }

    if (event) {
      await transaction
        .insert(paymentEvents)
        .values({ id: event.id, type: event.type, orderId })
        .onConflictDoNothing()
      // The event is handled now, after an earlier failure.
      await transaction
        .update(paymentEvents)
        .set({ failedAt: null })
        .where(eq(paymentEvents.id, event.id))
    }

    for (const [index, answer] of answers.entries()) {
      const paymentId = asked[index]?.id
      if (paymentId) {
        await takeAnswer(transaction, shop, orderId, paymentId, answer)
      }
    }

    await expireUnstarted(transaction, orderId)

    return { before, order: await lockOrder(transaction, orderId) }
  })

  if (!moved) {
    return null
  }

  const { before, order } = moved
  if (order?.paidAt && !before.paidAt) {
    countEvent('paidOrders')
  }

  await sendRefunds(shop, orderId)
  shop.mailQueued()

  return order
}

async function takeAnswer(
  transaction: Transaction,
  shop: Shop,
  orderId: string,
  paymentId: string,
  answer: ProviderPayment,
): Promise<void> {
  const [payment] = await transaction.select().from(payments).where(eq(payments.id, paymentId))
  const order = await lockOrder(transaction, orderId)
  if (!payment || !order) {
    return
  }

  await transaction
    .update(payments)
    .set({ checkedAt: sql`now()` })
    .where(eq(payments.id, payment.id))
  const next = paymentStates[answer.state]
  if (next && mayMove(paymentMoves, payment.state, next, 'provider')) {
    if (next === 'succeeded') {
      requireSameAmount(order, payment, answer)
    }

    await transaction
      .update(payments)
      .set({
        state: next,
        intentId: answer.intentId,
        settledAt: next === 'processing' ? null : sql`now()`,
      })
      .where(eq(payments.id, payment.id))

    if (next === 'succeeded') {
      await takeMoney(transaction, shop, order, payment, backMinor(answer))
    } else if (next === 'processing') {
      await moveOrder(transaction, order, 'processing')
    } else {
      // A refusal on the provider's page was shown there. Only a payment that was on its way needs
      // a mail.
      if (order.state === 'processing' && order.uid) {
        await queueOrderMail(transaction, order.uid, 'payment-failed', orderId)
      }

      await moveOrder(transaction, order, 'open')
    }
  }

  for (const refund of answer.refunds) {
    await takeRefund(transaction, shop, orderId, payment, refund)
  }
}

const paymentStates: Record<ProviderPayment['state'], PaymentState | null> = {
  open: null,
  processing: 'processing',
  paid: 'succeeded',
  failed: 'failed',
  expired: 'expired',
}

/**
 * A wrong sum grants nothing. `orders check --provider` lists the order, and an operator has to
 * look at it.
 */
function requireSameAmount(
  order: Order,
  payment: Payment,
  { amountMinor, currency }: ProviderPayment,
): void {
  if (amountMinor === payment.amountMinor && currency === order.currency) {
    return
  }

  throw new Error(
    `Order ${order.id}: the provider took ${amountMinor} ${currency} instead of ${payment.amountMinor} ${order.currency}.`,
  )
}

/** The amount that was refunded at the provider before this product saw the payment. */
function backMinor({ refunds }: ProviderPayment): number {
  return refunds.reduce(
    (sum, { state, amountMinor }) => sum + (state === 'failed' ? 0 : amountMinor),
    0,
  )
}

/**
 * Buys the course with a payment. If the course is paid already, or the account is deleted, the
 * money goes back.
 *
 * @param returnedMinor the amount that was refunded already, because the provider refuses to refund
 * it twice.
 */
export async function takeMoney(
  transaction: Transaction,
  shop: Shop,
  order: Order,
  payment: Payment,
  returnedMinor = 0,
): Promise<void> {
  const { id: orderId, uid, currency } = order
  const { amountMinor } = payment
  await transaction
    .insert(ledger)
    .values({ id: payment.id, orderId, kind: 'charge', amountMinor, currency })
  // A late payment doesn't buy a free course that an operator has ended since.
  const isPaidAlready =
    order.state === 'paid' ||
    order.endedAt !== null ||
    (await isBoughtByAnother(transaction, order))
  if (isPaidAlready || !uid) {
    const reason = isPaidAlready
      ? 'This course was paid twice.'
      : 'The account was deleted before the payment came.'
    const left = amountMinor - returnedMinor
    const refund = { id: randomId(), orderId, paymentId: payment.id, amountMinor: left, reason }
    if (left > 0) {
      await transaction.insert(refunds).values(refund)
    }

    await moveOrder(transaction, order, 'canceled')

    return
  }

  await deliverOrder(transaction, order, payment.provider === 'transfer' ? 'operator' : 'provider')
  // Last, because every other order waits for its number until this one is committed.
  await issueReceipt(transaction, shop, order, payment.id, amountMinor)
}

/** Whether the learner has the course by another order, or as a gift. */
export async function isBoughtByAnother(
  transaction: Transaction,
  { uid, courseId, isGift }: Order,
): Promise<boolean> {
  if (!uid || isGift) {
    return false
  }

  const { rows } = await transaction.execute<{ bought: boolean }>(
    sql`select ${grantingOrder(uid, courseId)} as bought`,
  )
  return rows[0]?.bought ?? false
}

/** The provider's answer was never stored, so no learner has seen the page to pay on. */
async function expireUnstarted(transaction: Transaction, orderId: string): Promise<void> {
  await transaction
    .update(payments)
    .set({ state: 'expired', settledAt: sql`now()` })
    .where(
      and(
        eq(payments.orderId, orderId),
        eq(payments.state, 'started'),
        sql`${payments.sessionId} is null and ${payments.expiresAt} < now()`,
      ),
    )
}

/** @returns the order that a payment of the provider belongs to. */
export async function findOrderOfIntent(
  db: Pick<Database, 'select'>,
  intentId: string,
): Promise<string | null> {
  const [payment] = await db
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId))
  return payment?.orderId ?? null
}
