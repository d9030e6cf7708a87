import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/**
 * One at a time for a learner and course, until the transaction ends: what a lesson, an exam and a certificate look at
 * belongs together, and the one that comes last has to see the others.
 */
export async function lockCourseWork(transaction: Transaction, uid: string, courseId: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${uid} ${courseId}`}, 0))`)
}
