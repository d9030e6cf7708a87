/**
 * Gives learners the courses that they bought, and takes them back after a refund.
 *
 * All functions expect a locked order, and run in the transaction in which money moves.
 */
import { eq, sql } from 'drizzle-orm'
import { hasPaidOrder } from '~/features/enrollment/course-access.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import type { Statements, Transaction } from '~/server/database/client.server'
import { gifts } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { isOwned, type Order, updateOrder } from './order-record.server'
import { canTransition, type Initiator, orderTransitions } from './order-statuses'

/**
 * Makes an order paid. The buyer is enrolled, or the gift is emailed to its recipient.
 *
 * @returns the order afterwards
 */
export async function fulfillOrder(
  tx: Transaction,
  order: Order,
  initiator: Initiator,
): Promise<Order> {
  const canBecomePaid = canTransition(orderTransitions, order.status, 'paid', initiator)
  if (!isOwned(order) || !canBecomePaid) {
    throw new Error(`Order ${order.id} is ${order.status}.`)
  }

  const paidOrder = await updateOrder(tx, order.id, { status: 'paid', paidAt: sql`now()` })

  if (order.isGift) {
    await queueOrderMail(tx, order.uid, 'gift', order.id)
  } else {
    await enrollLearner(tx, order.uid, order.courseId, { isPaid: true })
  }

  await queueOrderMail(tx, order.uid, 'receipt', order.id)
  return paidOrder
}

/**
 * Enrolls the learner or removes the enrollment, depending on whether any order still pays for it.
 * Progress and certificates stay.
 *
 * @param previousOrder the order as it was before the money moved
 */
export async function syncEnrollmentWithOrder(
  tx: Transaction,
  previousOrder: Order,
): Promise<void> {
  const learnerUid = await findOrderLearner(tx, previousOrder)
  if (learnerUid === null) {
    return
  }

  const { courseId } = previousOrder
  if (await hasGrantingOrder(tx, learnerUid, courseId)) {
    // Only a learner who lost the course gets it back. Any other learner had it all along, and may
    // have left it by choice.
    if (previousOrder.status === 'refunded') {
      await enrollLearner(tx, learnerUid, courseId, { isPaid: true })
    }

    return
  }

  const removed = await tx.execute(
    sql`delete from enrollments where uid = ${learnerUid} and course_id = ${courseId} and by_order`,
  )

  // A buyer who gets money back learns from the credit note that the course is closed.
  const isBuyer = learnerUid === previousOrder.uid && previousOrder.totalMinor > 0
  if (removed.rowCount && !isBuyer) {
    await queueOrderMail(tx, learnerUid, 'course-closed', previousOrder.id)
  }
}

/**
 * Returns the learner whose access depends on the order: the buyer or, for a gift, the learner who
 * redeemed it. Returns null for a gift that is not redeemed yet, and for a deleted account.
 */
export async function findOrderLearner(
  db: Pick<Statements, 'select'>,
  order: Order,
): Promise<string | null> {
  if (!order.isGift) {
    return order.uid
  }

  const [gift] = await db
    .select({ redeemedBy: gifts.redeemedBy })
    .from(gifts)
    .where(eq(gifts.orderId, order.id))

  return gift?.redeemedBy ?? null
}

/** Tells whether the buyer of an unpaid order has the course by another order or by a gift. */
export async function hasCourseByAnotherOrder(tx: Transaction, order: Order): Promise<boolean> {
  if (!isOwned(order) || order.isGift) {
    return false
  }

  return hasGrantingOrder(tx, order.uid, order.courseId)
}

async function hasGrantingOrder(tx: Transaction, uid: string, courseId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ isGranted: boolean }>(
    sql`select ${hasPaidOrder(uid, courseId)} as "isGranted"`,
  )
  return rows[0]?.isGranted === true
}
