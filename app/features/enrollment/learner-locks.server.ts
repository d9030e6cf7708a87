import { sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'

/**
 * One at a time per learner and course until the transaction ends: lessons, exams and certificates
 * look at the same rows, and the last one has to see the others.
 */
export async function lockCourseProgress(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${uid} ${courseId}`}, 0))`,
  )
}

/**
 * One at a time for a learner's list, until the transaction ends, so that each sees how long it is.
 */
export async function lockLearner(
  transaction: Transaction,
  uid: string,
  list: string,
): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${list} ${uid}`}, 0))`,
  )
}
