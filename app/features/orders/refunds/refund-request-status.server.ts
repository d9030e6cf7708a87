import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { refundRequests } from '~/server/database/schema'
import {
  canTransition,
  type Initiator,
  type RefundRequestStatus,
  refundRequestTransitions,
} from '../order-statuses'
import { remainingToRefund } from './remaining-amount.server'

export type RefundRequest = typeof refundRequests.$inferSelect

type StatusChange = {
  status: Exclude<RefundRequestStatus, 'stated'>
  initiator: Initiator
  /** The answer that the learner reads. */
  answer?: string
}

/** Changes the status of a refund request, whose order is locked. */
export async function changeRequestStatus(
  tx: Transaction,
  request: RefundRequest,
  { status, initiator, answer }: StatusChange,
): Promise<void> {
  if (!canTransition(refundRequestTransitions, request.status, status, initiator)) {
    throw new Error(`A refund request that is ${request.status} can't become ${status}.`)
  }

  const isAnswered = status === 'granted' || status === 'declined'
  await tx
    .update(refundRequests)
    .set({
      status,
      answeredAt: isAnswered ? sql`now()` : null,
      ...(initiator === 'learner' && { confirmedAt: sql`now()` }),
      ...(answer !== undefined && { answer }),
    })
    .where(eq(refundRequests.id, request.id))
}

/** Grants the waiting requests of an order whose money has gone back completely. */
export async function grantWaitingRequests(tx: Transaction, orderId: string): Promise<void> {
  await changeRequestStatuses(tx, orderId, { from: 'asked', to: 'granted' })
}

/**
 * Lets granted requests wait for staff again, because a refund has failed: a withdrawal as long as
 * anything remains to be given back, and a refund, which may be granted in part, if nothing went
 * back at all.
 */
export async function reopenGrantedRequests(tx: Transaction, orderId: string): Promise<void> {
  const isMoneyMissing = sql`case
    when ${refundRequests.kind} = 'withdrawal'
      then exists (select from orders o where o.id = ${orderId} and ${remainingToRefund} > 0)
    else not exists (select from refunds r where r.order_id = ${orderId} and r.state <> 'failed')
    end`

  await changeRequestStatuses(tx, orderId, {
    from: 'granted',
    to: 'asked',
    condition: isMoneyMissing,
  })
}

async function changeRequestStatuses(
  tx: Transaction,
  orderId: string,
  { from, to, condition }: { from: 'asked' | 'granted'; to: 'asked' | 'granted'; condition?: SQL },
): Promise<void> {
  const requests = await tx
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.orderId, orderId), eq(refundRequests.status, from), condition))

  for (const request of requests) {
    await changeRequestStatus(tx, request, { status: to, initiator: 'provider' })
  }
}
