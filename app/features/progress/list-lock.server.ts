import { sql } from 'drizzle-orm'
import type { Transaction } from './course-work-lock.server'

/** One at a time for a learner's list, until the transaction ends, so that each sees how long it is. */
export async function lockList(transaction: Transaction, list: string, uid: string): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${list} ${uid}`}, 0))`)
}
