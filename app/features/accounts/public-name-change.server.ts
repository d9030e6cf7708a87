import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { courseSubject, recordPublicChange } from '~/server/product-state.server'

/** A learner's name or photo changed, which the pages of courses show beside a review. The last thing that a transaction does. */
export async function recordNameChange(transaction: Pick<Statements, 'execute'>, uid: string): Promise<void> {
  const { rows: courses } = await transaction.execute<{ id: string }>(
    sql`select course_id as id from reviews where uid = ${uid} and shows_name and hidden_at is null`,
  )
  await recordPublicChange(
    transaction,
    courses.map(({ id }) => courseSubject(id)),
  )
}
