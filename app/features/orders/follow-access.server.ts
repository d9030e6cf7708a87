import { sql } from 'drizzle-orm'
import { grantingOrder } from '~/features/enrollment/course-access.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { queueOrderMail } from '~/server/mail/outbox.server'
import type { Order } from './shop.server'

/**
 * Adds or removes the course in the learner's list after money has moved. Progress and certificates
 * stay. The learner hears of a closed course by the credit note, or by a mail of its own if they
 * hadn't paid.
 *
 * @param order as it was before the money moved.
 */
export async function followAccess(
  transaction: Transaction,
  order: Order,
  learner: string,
): Promise<void> {
  const { id, uid, courseId, totalMinor, state } = order
  const { rows } = await transaction.execute<{ granted: boolean }>(
    sql`select ${grantingOrder(learner, courseId)} as granted`,
  )
  if (rows[0]?.granted) {
    // The course comes back with the money. Otherwise the learner had it all along, and may have
    // left it by choice.
    if (state === 'refunded') {
      await enrollLearner(transaction, learner, courseId, { bought: true })
    }

    return
  }

  const closed = await transaction.execute(
    sql`delete from enrollments where uid = ${learner} and course_id = ${courseId} and by_order`,
  )
  const hasPaid = learner === uid && totalMinor > 0
  if (closed.rowCount && !hasPaid) {
    await queueOrderMail(transaction, learner, 'course-closed', id)
  }
}
