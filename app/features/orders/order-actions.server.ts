/** What staff do to orders, apart from refunds and gifts. */
import { sql } from 'drizzle-orm'
import type { NewAuditEntry } from '~/features/staff/audit.server'
import { checkReason } from '~/features/staff/reason'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { payments } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { changeOrder, orderStaffActions } from './order-change.server'
import { hasCourseByAnotherOrder, syncEnrollmentWithOrder } from './order-fulfillment.server'
import { type Order, updateOrder } from './order-record.server'
import { canTransition, orderTransitions } from './order-statuses'
import { getNextAttemptNumber } from './payments/payment-queries.server'
import { recordPayment } from './payments/record-payment.server'
import type { Shop } from './shop.server'

/**
 * Records that an order was paid without the payment provider, for example by bank transfer. The
 * money may also arrive after the order was canceled.
 */
export async function markOrderPaid(
  context: StaffActionContext,
  shop: Shop,
  orderId: string,
): Promise<Result<NewAuditEntry>> {
  const result = await performStaffAction(context, orderStaffActions.markPaid, (tx) =>
    changeOrder(tx, orderId, async (order) => {
      const recorded = await recordTransfer(tx, shop, order)
      if (!recorded.ok) {
        return recorded
      }

      return success({
        subject: order.uid,
        arguments: { order: order.id },
        outcome: order.isGift
          ? 'The order is paid, and the gift is sent.'
          : 'The order is paid, and the learner enrolled.',
      })
    }),
  )

  if (result.ok) {
    shop.wakeEmailSender()
  }
  return result
}

/** Records a bank transfer for a locked order. */
async function recordTransfer(tx: Transaction, shop: Shop, order: Order): Promise<Result> {
  const canBecomePaid = canTransition(orderTransitions, order.status, 'paid', 'staff')
  if (!canBecomePaid) {
    return failure('Only an order that is not paid yet can be marked as paid.')
  }

  if (order.uid === null) {
    return failure('The learner’s account is deleted. Send the money back.')
  }

  if (await hasCourseByAnotherOrder(tx, order)) {
    return failure(
      'The learner has bought this course already, or got it as a gift. Send the money back.',
    )
  }

  const [payment] = await tx
    .insert(payments)
    .values({
      id: randomId(),
      orderId: order.id,
      attempt: await getNextAttemptNumber(tx, order.id),
      provider: 'transfer',
      status: 'succeeded',
      amountMinor: order.totalMinor,
      expiresAt: sql`now()`,
      settledAt: sql`now()`,
    })
    .returning()
  if (!payment) {
    throw new Error('A payment was not stored.')
  }

  await recordPayment(tx, shop, order, { payment })
  return success()
}

/**
 * Ends a free order, and with it the learner's access, as a refund does for a paid order. The
 * coupon stays used.
 */
export async function endFreeOrder(
  context: StaffActionContext,
  input: { orderId: string; reason: string },
): Promise<Result<NewAuditEntry>> {
  const reason = checkReason(input.reason)
  if (!reason.ok) {
    return reason
  }

  return performStaffAction(context, orderStaffActions.end, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      const ended = await endLockedOrder(tx, order)
      if (!ended.ok) {
        return ended
      }

      return success({
        subject: order.uid,
        arguments: { order: order.id, reason: reason.value },
        outcome: 'The order’s access has ended, and the learner gets an email.',
      })
    }),
  )
}

async function endLockedOrder(tx: Transaction, order: Order): Promise<Result> {
  if (order.totalMinor > 0) {
    return failure('This order was not free: give its money back instead.')
  }

  if (!canTransition(orderTransitions, order.status, 'refunded', 'staff')) {
    return failure('This order gives no access.')
  }

  await updateOrder(tx, order.id, { status: 'refunded', endedAt: sql`now()` })
  await syncEnrollmentWithOrder(tx, order)
  return success()
}
