import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { refundRequests } from '~/server/database/schema'
import { type Mover, mayMove, type RefundRequestState, refundRequestMoves } from '../order-states'
import { leftToRefund, type RefundRequest } from './refund-request-queries.server'

/** @throws for a move that doesn't exist; the order is locked, so that none can come between. */
export async function moveRequest(
  transaction: Transaction,
  { id, state }: RefundRequest,
  next: RefundRequestState,
  by: Mover,
  more: Partial<Pick<RefundRequest, 'answer'>> = {},
): Promise<void> {
  if (!mayMove(refundRequestMoves, state, next, by)) {
    throw new Error(`A request that is ${state} can't be ${next}.`)
  }

  const isAnswered = next === 'granted' || next === 'declined'
  await transaction
    .update(refundRequests)
    .set({
      ...more,
      state: next,
      ...(by === 'learner' ? { confirmedAt: sql`now()` } : {}),
      answeredAt: isAnswered ? sql`now()` : null,
    })
    .where(eq(refundRequests.id, id))
}

/**
 * Requests follow the money: once all of it is back, the request is granted. Because the provider
 * refused or the bank sent it back, what was granted waits for an operator again: a withdrawal
 * while anything is left to give back, a refund, which may be granted in part, while nothing is
 * back.
 */
export async function followMoney(
  transaction: Transaction,
  orderId: string,
  isBack: boolean,
): Promise<void> {
  const isMissing = sql`case when ${refundRequests.kind} = 'withdrawal'
    then exists (select from orders o where o.id = ${orderId} and ${leftToRefund} > 0)
    else not exists (select from refunds r where r.order_id = ${orderId} and r.state <> 'failed') end`
  const found = await transaction
    .select()
    .from(refundRequests)
    .where(
      and(
        eq(refundRequests.orderId, orderId),
        eq(refundRequests.state, isBack ? 'asked' : 'granted'),
        isBack ? undefined : isMissing,
      ),
    )

  for (const request of found) {
    await moveRequest(transaction, request, isBack ? 'granted' : 'asked', 'provider')
  }
}
