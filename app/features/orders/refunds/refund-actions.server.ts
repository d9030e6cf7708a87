/**
 * What staff do about refunds: they give money back, and answer what learners ask for.
 *
 * The money is sent after the transaction. If the payment provider can't be reached, the background
 * job tries again.
 */
import { and, eq } from 'drizzle-orm'
import { formatMoney, parseOptionalAmount } from '~/features/school/money'
import type { NewAuditEntry } from '~/features/staff/audit.server'
import { checkReason } from '~/features/staff/reason'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { refundRequests, refunds } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { reportError } from '~/server/operations/log.server'
import { failure, type Result, success } from '~/server/result'
import { changeOrder, orderStaffActions } from '../order-change.server'
import type { Order } from '../order-record.server'
import type { Shop } from '../shop.server'
import { changeRequestState, type RefundRequest } from './refund-request-state.server'
import { createRefund, type Refund, sendPendingRefunds } from './refunds.server'
import { findRemainingToRefund } from './remaining-amount.server'

type RefundInput = {
  orderId: string
  /** A part of the payment as it was typed, such as '10.50'. An empty text refunds everything. */
  amount: string
  reason: string
  /** What could still be given back when the form was shown, in minor units. */
  displayedRemaining: string
}

/** Gives money back for an order. A full refund ends the learner's access to the course. */
export async function refundOrder(
  context: StaffActionContext,
  shop: Shop,
  input: RefundInput,
): Promise<Result<NewAuditEntry>> {
  const reason = checkReason(input.reason)
  if (!reason.ok) {
    return reason
  }

  const result = await performStaffAction(context, orderStaffActions.refund, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      // The same form sent twice, or by two people at the same time, gives the money back once.
      const remainingMinor = await findRemainingToRefund(tx, order.id)
      if (input.displayedRemaining !== String(remainingMinor)) {
        return failure(changedInTheMeantime)
      }

      const refund = await createTypedRefund(tx, order, input.amount, reason.value)
      if (!refund.ok) {
        return refund
      }

      const amount = formatMoney(refund.value.amountMinor, order.currency)
      return success({
        subject: order.uid,
        arguments: { order: order.id, amount, reason: reason.value },
        outcome: `A refund of ${amount} is on its way.`,
        refund: refund.value,
      })
    }),
  )

  return result.ok ? sendCommittedRefund(shop, result.value) : result
}

const changedInTheMeantime =
  'Somebody has changed this order in the meantime. Look at it again before you give money back.'

/**
 * Gives back what a learner has asked for.
 *
 * @param input.amount as in `refundOrder`
 */
export async function grantRefundRequest(
  context: StaffActionContext,
  shop: Shop,
  input: { orderId: string; amount: string },
): Promise<Result<NewAuditEntry>> {
  const result = await performStaffAction(context, orderStaffActions.grantRefund, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      const waitingRequests = await listWaitingRequests(tx, order.id)
      if (waitingRequests.length === 0) {
        return failure(nobodyWaits)
      }

      const isWithdrawal = waitingRequests.some(({ kind }) => kind === 'withdrawal')
      if (isWithdrawal && input.amount !== '') {
        return failure(
          'The learner has withdrawn: give everything back that is left, without an amount.',
        )
      }

      const refund = await createTypedRefund(tx, order, input.amount, 'The learner asked for it.')
      if (!refund.ok) {
        return refund
      }

      for (const request of waitingRequests) {
        await changeRequestState(tx, request, { state: 'granted', initiator: 'staff' })
      }

      const amount = formatMoney(refund.value.amountMinor, order.currency)
      return success({
        subject: order.uid,
        arguments: { order: order.id },
        outcome: `A refund of ${amount} is on its way.`,
        refund: refund.value,
      })
    }),
  )

  return result.ok ? sendCommittedRefund(shop, result.value) : result
}

/** Declines a refund that a learner has asked for. The reason is emailed to the learner. */
export async function declineRefundRequest(
  context: StaffActionContext,
  input: { orderId: string; reason: string },
): Promise<Result<NewAuditEntry>> {
  const reason = checkReason(input.reason)
  if (!reason.ok) {
    return reason
  }

  return performStaffAction(context, orderStaffActions.declineRefund, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      const waitingRequests = await listWaitingRequests(tx, order.id)
      if (waitingRequests.length === 0) {
        return failure(nobodyWaits)
      }

      const request = waitingRequests.find(({ kind }) => kind === 'refund')
      if (!request) {
        return failure('A withdrawal can’t be declined: it is the learner’s right.')
      }

      const answer = reason.value
      await changeRequestState(tx, request, { state: 'declined', initiator: 'staff', answer })
      await queueOrderMail(tx, request.uid, 'refund-declined', order.id)

      return success({
        subject: order.uid,
        arguments: { order: order.id, reason: answer },
        outcome: 'The request is declined, and the learner gets an email with the reason.',
      })
    }),
  )
}

const nobodyWaits = 'Nobody waits for an answer about this order.'

async function listWaitingRequests(tx: Transaction, orderId: string): Promise<RefundRequest[]> {
  return tx
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.orderId, orderId), eq(refundRequests.state, 'asked')))
}

/** @param amount is in the order's currency, which the school may have changed since */
async function createTypedRefund(
  tx: Transaction,
  order: Order,
  amount: string,
  reason: string,
): Promise<Result<Refund>> {
  const amountMinor = parseOptionalAmount(amount, order.currency)
  if (!amountMinor.ok) {
    return amountMinor
  }

  return createRefund(tx, order, { amountMinor: amountMinor.value, reason })
}

/** Sends a refund that is committed. @returns a failure if the payment provider refuses it */
async function sendCommittedRefund(
  shop: Shop,
  { refund, ...entry }: NewAuditEntry & { refund: Refund },
): Promise<Result<NewAuditEntry>> {
  await sendPendingRefunds(shop, refund.orderId).catch((error) => reportError(error))

  const [sentRefund] = await shop.db
    .select({ state: refunds.state })
    .from(refunds)
    .where(eq(refunds.id, refund.id))
  if (sentRefund?.state === 'failed') {
    return failure('The payment provider refused this refund. Nothing was given back.')
  }

  return success(entry)
}
