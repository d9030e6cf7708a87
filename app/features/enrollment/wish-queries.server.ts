import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { wishes } from '~/server/database/schema'
import { learnerLimits } from './learner-limits'
import { lockLearner } from './learner-locks.server'

/** Lists the IDs of the courses on a learner's wish list. */
export async function listWishedCourseIds(db: Database, uid: string): Promise<string[]> {
  const rows = await db.select({ id: wishes.courseId }).from(wishes).where(eq(wishes.uid, uid))
  return rows.map(({ id }) => id)
}

/**
 * Adds a course to a learner's wish list. Adding it again changes nothing, and neither does adding
 * a course that doesn't exist.
 *
 * @returns `full` if the wish list would exceed `learnerLimits`
 */
export async function addWish(
  db: Database,
  uid: string,
  courseId: string,
): Promise<'saved' | 'full'> {
  return db.transaction(async (transaction) => {
    await lockLearner(transaction, uid, 'wishes')
    const {
      rows: [row],
    } = await transaction.execute<{ isFull: boolean }>(sql`
      with other_wishes as (
        select count(*) >= ${learnerLimits.wishes}::int as is_full
        from wishes
        where uid = ${uid} and course_id <> ${courseId}
      ), new_wish as (
        insert into wishes (uid, course_id)
        select ${uid}::text, id
        from courses
        where id = ${courseId} and published and not (select is_full from other_wishes)
        on conflict do nothing
      )
      select is_full as "isFull" from other_wishes`)

    return row?.isFull ? 'full' : 'saved'
  })
}

/** Removes a course from a learner's wish list. Removing it again changes nothing. */
export async function removeWish(db: Database, uid: string, courseId: string): Promise<void> {
  await db.delete(wishes).where(and(eq(wishes.uid, uid), eq(wishes.courseId, courseId)))
}
