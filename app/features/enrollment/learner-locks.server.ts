import { sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'

/**
 * Locks a learner's progress in one course until the transaction ends.
 *
 * Lessons, exams and certificates depend on each other's rows. The lock makes their transactions
 * run one after the other, so that the last one sees what the others have written.
 */
export async function lockCourseProgress(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<void> {
  await takeLock(transaction, `${uid} ${courseId}`)
}

/**
 * Locks one of a learner's lists until the transaction ends, so that parallel requests can't
 * exceed the limit of the list together.
 */
export async function lockLearner(
  transaction: Transaction,
  uid: string,
  list: 'enrollments' | 'wishes' | 'bookmarks' | 'orders',
): Promise<void> {
  await takeLock(transaction, `${list} ${uid}`)
}

async function takeLock(transaction: Transaction, key: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}
