/**
 * What staff do about refunds: they give money back, and decide the refund requests of learners.
 *
 * A refund request has one of two kinds. `withdrawal` is the learner's legal right to cancel an
 * order. `refund` asks for a goodwill refund, which staff may decline.
 *
 * `changeOrder` locks the order until the transaction ends, so that two members of staff can't give
 * the same money back twice. The money is sent after the transaction. If the payment provider can't
 * be reached, the background job tries again. If the provider refuses the refund, the request waits
 * for staff again (`recordProviderRefund`).
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
import { changeRequestStatus, type RefundRequest } from './refund-request-status.server'
import { createRefund, type Refund, sendPendingRefunds } from './refunds.server'
import { findRemainingToRefund } from './remaining-amount.server'

const orderChangedMessage =
  'Somebody has changed this order in the meantime. Look at it again before you give money back.'
const noWaitingRequestMessage = 'Nobody waits for an answer about this order.'

/** A form with which staff give money back. */
type RefundForm = {
  orderId: string
  /**
   * The amount as staff entered it, such as '10.50', in the order's currency, which may differ from
   * the school's currency by now. An empty text refunds everything.
   */
  enteredAmount: string
  /** The remaining amount that the form displayed, in the smallest unit, as the form's text. */
  displayedRemainingMinor: string
}

/**
 * Gives money back for an order. A full refund ends the learner's access to the course.
 *
 * @returns the audit entry, whose `outcome` tells staff what was done
 */
export async function refundOrder(
  context: StaffActionContext,
  shop: Shop,
  input: RefundForm & { reason: string },
): Promise<Result<NewAuditEntry>> {
  const checkedReason = checkReason(input.reason)
  if (!checkedReason.ok) {
    return checkedReason
  }

  const reason = checkedReason.value
  const result = await performStaffAction(context, orderStaffActions.refund, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      if (!(await isRemainingAsDisplayed(tx, order, input.displayedRemainingMinor))) {
        return failure(orderChangedMessage)
      }

      const createdRefund = await createRefundOfEnteredAmount(
        tx,
        order,
        input.enteredAmount,
        reason,
      )
      if (!createdRefund.ok) {
        return createdRefund
      }

      const refund = createdRefund.value
      const amount = formatMoney(refund.amountMinor, order.currency)
      return success({
        subject: order.uid,
        arguments: { order: order.id, amount, reason },
        outcome: `A refund of ${amount} is on its way.`,
        refund,
      })
    }),
  )

  return result.ok ? sendCommittedRefund(shop, result.value) : result
}

/** Grants all waiting refund requests of an order, and gives the money back. */
export async function grantRefundRequests(
  context: StaffActionContext,
  shop: Shop,
  input: RefundForm,
): Promise<Result<NewAuditEntry>> {
  const result = await performStaffAction(context, orderStaffActions.grantRefund, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      const requestsToGrant = await findRequestsToGrant(tx, order, input)
      if (!requestsToGrant.ok) {
        return requestsToGrant
      }

      const createdRefund = await createRefundOfEnteredAmount(
        tx,
        order,
        input.enteredAmount,
        'The learner asked for it.',
      )
      if (!createdRefund.ok) {
        return createdRefund
      }

      for (const request of requestsToGrant.value) {
        await changeRequestStatus(tx, request, { status: 'granted', initiator: 'staff' })
      }

      const refund = createdRefund.value
      const amount = formatMoney(refund.amountMinor, order.currency)
      return success({
        subject: order.uid,
        arguments: { order: order.id },
        outcome: `A refund of ${amount} is on its way.`,
        refund,
      })
    }),
  )

  return result.ok ? sendCommittedRefund(shop, result.value) : result
}

/** Returns the waiting requests of an order, or a failure if the form can't grant them. */
async function findRequestsToGrant(
  tx: Transaction,
  order: Order,
  { enteredAmount, displayedRemainingMinor }: RefundForm,
): Promise<Result<RefundRequest[]>> {
  const waitingRequests = await listWaitingRequests(tx, order.id)
  if (waitingRequests.length === 0) {
    return failure(noWaitingRequestMessage)
  }

  if (!(await isRemainingAsDisplayed(tx, order, displayedRemainingMinor))) {
    return failure(orderChangedMessage)
  }

  const hasWithdrawal = waitingRequests.some(({ kind }) => kind === 'withdrawal')
  if (hasWithdrawal && enteredAmount !== '') {
    return failure(
      'The learner has withdrawn: give everything back that is left, without an amount.',
    )
  }

  return success(waitingRequests)
}

/** Declines the waiting request for a goodwill refund. The reason is emailed to the learner. */
export async function declineRefundRequest(
  context: StaffActionContext,
  input: { orderId: string; reason: string },
): Promise<Result<NewAuditEntry>> {
  const checkedReason = checkReason(input.reason)
  if (!checkedReason.ok) {
    return checkedReason
  }

  const reason = checkedReason.value
  return performStaffAction(context, orderStaffActions.declineRefund, (tx) =>
    changeOrder(tx, input.orderId, async (order) => {
      const waitingRequests = await listWaitingRequests(tx, order.id)
      if (waitingRequests.length === 0) {
        return failure(noWaitingRequestMessage)
      }

      // The database allows only one waiting request of each kind for an order.
      const request = waitingRequests.find(isGoodwillRequest)
      if (!request) {
        return failure('A withdrawal can’t be declined: it is the learner’s right.')
      }

      await changeRequestStatus(tx, request, {
        status: 'declined',
        initiator: 'staff',
        answer: reason,
      })
      await queueOrderMail(tx, request.uid, 'refund-declined', order.id)

      return success({
        subject: order.uid,
        arguments: { order: order.id, reason },
        outcome: 'The request is declined, and the learner gets an email with the reason.',
      })
    }),
  )
}

/**
 * Returns whether the order's remaining amount is still the one that the form displayed. So if the
 * same form is sent twice, or by two people at the same time, only the first one counts.
 */
async function isRemainingAsDisplayed(
  tx: Transaction,
  order: Order,
  displayedRemainingMinor: string,
): Promise<boolean> {
  const remainingMinor = await findRemainingToRefund(tx, order.id)
  return displayedRemainingMinor === String(remainingMinor)
}

/** Returns whether the learner asks for a goodwill refund, which staff may decline. */
function isGoodwillRequest({ kind }: RefundRequest): boolean {
  return kind === 'refund'
}

/** Lists the requests of an order that wait for staff, whose status is 'asked'. */
async function listWaitingRequests(tx: Transaction, orderId: string): Promise<RefundRequest[]> {
  return tx
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.orderId, orderId), eq(refundRequests.status, 'asked')))
}

/**
 * Creates a refund of the amount that staff entered, or of the remaining amount for an empty text.
 */
async function createRefundOfEnteredAmount(
  tx: Transaction,
  order: Order,
  enteredAmount: string,
  reason: string,
): Promise<Result<Refund>> {
  const parsedAmount = parseOptionalAmount(enteredAmount, order.currency)
  if (!parsedAmount.ok) {
    return parsedAmount
  }

  // The amount is null for an empty text, and then `createRefund` gives everything back.
  return createRefund(tx, order, { amountMinor: parsedAmount.value, reason })
}

/**
 * Sends a refund whose transaction is committed.
 *
 * @param auditEntry what `performStaffAction` returned: the entry of the action, together with the
 *   refund
 * @returns the entry without the refund, or a failure if the payment provider refuses the refund
 */
async function sendCommittedRefund(
  shop: Shop,
  { refund, ...auditEntry }: NewAuditEntry & { refund: Refund },
): Promise<Result<NewAuditEntry>> {
  await sendPendingRefunds(shop, refund.orderId).catch((error) => reportError(error))

  const [sentRefund] = await shop.db
    .select({ status: refunds.status })
    .from(refunds)
    .where(eq(refunds.id, refund.id))
  if (sentRefund?.status === 'failed') {
    return failure('The payment provider refused this refund. Nothing was given back.')
  }

  return success(auditEntry)
}
