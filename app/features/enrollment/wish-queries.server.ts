import { and, eq, sql } from 'drizzle-orm'
import { lockList } from '~/features/progress/course-work-lock.server'
import { learnerLimits } from '~/features/progress/learner-limits'
import type { Database } from '~/server/database/client.server'
import { wishes } from '~/server/database/schema'

/** Ids of the courses on a learner's wish list. */
export async function listWishedCourseIds(db: Database, uid: string): Promise<string[]> {
  const rows = await db.select({ id: wishes.courseId }).from(wishes).where(eq(wishes.uid, uid))
  return rows.map(({ id }) => id)
}

/**
 * Repeating a wish changes nothing, and neither does a course that does not exist.
 *
 * @returns `full` if it exceeds `learnerLimits`.
 */
export async function recordWish(db: Database, uid: string, courseId: string, wished: boolean): Promise<'full' | null> {
  if (!wished) {
    await db.delete(wishes).where(and(eq(wishes.uid, uid), eq(wishes.courseId, courseId)))
    return null
  }
  return db.transaction(async (transaction) => {
    await lockList(transaction, 'wishes', uid)
    const {
      rows: [row],
    } = await transaction.execute<{ full: boolean }>(sql`
      with others as (
        select count(*) >= ${learnerLimits.wishes}::int as are_full from wishes
        where uid = ${uid} and course_id <> ${courseId}
      ), added as (
        insert into wishes (uid, course_id) select ${uid}::text, id from courses
        where id = ${courseId} and published and not (select are_full from others)
        on conflict do nothing
      )
      select are_full as full from others`)
    return row?.full ? 'full' : null
  })
}
