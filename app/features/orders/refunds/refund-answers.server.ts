import { and, asc, eq } from 'drizzle-orm'
import type { Statements, Transaction } from '~/server/database/client.server'
import { orders, refundRequests, users } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { lockOrder } from '../move-order.server'
import { requestRefund } from '../order-administration.server'
import type { Order } from '../shop.server'
import type { RefundRequest } from './refund-request-queries.server'
import { moveRequest } from './request-moves.server'

/** What operators do about requests. */

/** @param all also those that are answered; otherwise what waits, the oldest first. */
export async function listRequests(db: Pick<Statements, 'select'>, all: boolean, limit: number) {
  return db
    .select({ request: refundRequests, order: orders, email: users.email })
    .from(refundRequests)
    .innerJoin(orders, eq(orders.id, refundRequests.orderId))
    .innerJoin(users, eq(users.id, refundRequests.uid))
    .where(all ? undefined : eq(refundRequests.state, 'asked'))
    .orderBy(asc(refundRequests.statedAt))
    .limit(limit)
}

/**
 * Gives back what was asked for. The money is sent after the commit (`sendRefunds`).
 *
 * @param amountMinor null for everything.
 * @throws {StartError} if nothing waits, or for a part of what the learner has withdrawn from.
 */
export async function grantRequest(
  transaction: Transaction,
  orderId: string,
  amountMinor: number | null,
) {
  const { order, waiting } = await lockWaiting(transaction, orderId)
  if (amountMinor !== null && waiting.some(({ kind }) => kind === 'withdrawal')) {
    throw new StartError(
      'The learner has withdrawn: give everything back that is left, without an amount.',
    )
  }

  const done = await requestRefund(transaction, order.id, {
    amountMinor,
    reason: 'The learner asked for it.',
  })
  for (const request of waiting) {
    await moveRequest(transaction, request, 'granted', 'operator')
  }

  return done
}

/** @throws {StartError} if nothing waits, or what waits is a right. */
export async function declineRequest(
  transaction: Transaction,
  orderId: string,
  answer: string,
): Promise<Order> {
  const { order, waiting } = await lockWaiting(transaction, orderId)
  const request = waiting.find(({ kind }) => kind === 'refund')
  if (!request) {
    throw new StartError('A withdrawal can’t be declined: it is the learner’s right.')
  }

  await moveRequest(transaction, request, 'declined', 'operator', { answer })
  await queueOrderMail(transaction, request.uid, 'refund-declined', order.id)

  return order
}

async function lockWaiting(
  transaction: Transaction,
  orderId: string,
): Promise<{ order: Order; waiting: RefundRequest[] }> {
  const order = await lockOrder(transaction, orderId.trim().toUpperCase())
  if (!order) {
    throw new StartError(`There’s no order '${orderId}'.`)
  }

  const waiting = await transaction
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.orderId, order.id), eq(refundRequests.state, 'asked')))
  if (waiting.length === 0) {
    throw new StartError('Nobody waits for an answer about this order.')
  }

  return { order, waiting }
}
