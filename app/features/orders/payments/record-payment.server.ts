/**
 * Records that a payment has succeeded, whether the payment provider reports it or staff confirm a
 * bank transfer.
 *
 * Everything is written in the caller's transaction, in which the order is locked: the charge in
 * the ledger, and then either what the buyer gets (the course or gift, the emails and the receipt)
 * or the refund.
 */
import type { Transaction } from '~/server/database/client.server'
import { ledger } from '~/server/database/schema'
import { fulfillOrder, hasCourseByAnotherOrder } from '../order-fulfillment.server'
import {
  type Order,
  type Payment,
  transitionOrderIfAllowed,
  updateOrder,
} from '../order-record.server'
import { issueReceipt } from '../receipts/receipts.server'
import { getRefundPeriods } from '../refunds/refund-options'
import { insertRefund } from '../refunds/refunds.server'
import type { Shop } from '../shop.server'

/**
 * Records a payment that has succeeded. It pays for the order or, if the order can't be paid any
 * more, it is refunded.
 *
 * @param alreadyRefundedMinor the amount that the provider has refunded, and would refuse to refund
 *   again
 * @returns the order afterwards
 */
export async function recordPayment(
  tx: Transaction,
  shop: Shop,
  order: Order,
  { payment, alreadyRefundedMinor = 0 }: { payment: Payment; alreadyRefundedMinor?: number },
): Promise<Order> {
  const { amountMinor } = payment
  // The charge has the ID of the payment, so that the payment can't count twice: a second insert
  // fails, and with it the transaction.
  await tx.insert(ledger).values({
    id: payment.id,
    orderId: order.id,
    kind: 'charge',
    amountMinor,
    currency: order.currency,
  })

  const refundReason = await findReasonToRefund(tx, order)
  if (refundReason !== null) {
    const remainingMinor = amountMinor - alreadyRefundedMinor
    if (remainingMinor > 0) {
      await insertRefund(tx, {
        orderId: order.id,
        paymentId: payment.id,
        amountMinor: remainingMinor,
        reason: refundReason,
      })
    }

    // An order that is paid already stays paid. Only a payment that the provider reports can get
    // here, because staff can't record a transfer that would have to be refunded.
    return transitionOrderIfAllowed(tx, order, 'canceled', 'provider')
  }

  // Staff confirm a bank transfer, which is stored with 'transfer' in place of a provider's name.
  // The payment provider reports all other payments.
  const initiator = payment.provider === 'transfer' ? 'staff' : 'provider'
  await fulfillOrder(tx, order, initiator)

  // Checkout has stored how many days the buyer has to withdraw or to ask for a refund, unless an
  // earlier version of the product created the order. Then the school's current days are stored.
  const refundPeriods = getRefundPeriods(order, shop.currentRefundPeriods)
  const paidOrder = await updateOrder(tx, order.id, {
    withdrawalDays: refundPeriods.withdrawal,
    refundDays: refundPeriods.refund,
  })

  // The receipt is issued last, because all other receipts wait for its number until this
  // transaction is committed.
  await issueReceipt(tx, shop.seller, { order: paidOrder, ledgerId: payment.id, amountMinor })
  return paidOrder
}

/** Returns why a payment has to go back, or null if it can pay for the order. */
async function findReasonToRefund(tx: Transaction, order: Order): Promise<string | null> {
  // The order became free while the payment was on its way, and staff have ended its access since
  // then. `endedAt` is set only by that, and not when an order is canceled or its money has gone
  // back.
  if (order.endedAt !== null) {
    return 'The order was ended before the payment came.'
  }

  // While the payment was on its way, the learner has used a coupon that made the course free.
  if (order.status === 'paid' && order.totalMinor === 0) {
    return 'The course became free before the payment came.'
  }

  // Another payment has paid for this order, or another order for this course.
  if (order.status === 'paid' || (await hasCourseByAnotherOrder(tx, order))) {
    return 'This course was paid for twice.'
  }

  if (order.uid === null) {
    return 'The account was deleted before the payment came.'
  }

  return null
}
