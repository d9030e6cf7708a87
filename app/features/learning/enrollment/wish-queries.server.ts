import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { wishes } from '~/server/database/schema'
import { learnerLimits } from '../course-work/learner-limits'
import { lockList } from '../course-work/list-lock.server'

/** Ids of the courses on a learner's wish list. */
export async function listWishedCourseIds(db: Database, uid: string): Promise<string[]> {
  const rows = await db.select({ id: wishes.courseId }).from(wishes).where(eq(wishes.uid, uid))
  return rows.map(({ id }) => id)
}

/** Wishing twice is wishing once; a course that does not exist, and what exceeds `learnerLimits`, change nothing. */
export async function recordWish(db: Database, uid: string, courseId: string, wished: boolean): Promise<void> {
  if (!wished) {
    await db.delete(wishes).where(and(eq(wishes.uid, uid), eq(wishes.courseId, courseId)))
    return
  }
  await db.transaction(async (transaction) => {
    await lockList(transaction, 'wishes', uid)
    await transaction.execute(sql`
      insert into wishes (uid, course_id) select ${uid}::text, id from courses where id = ${courseId} and published
        and (select count(*) from wishes where uid = ${uid}) < ${learnerLimits.wishes}::int
      on conflict do nothing`)
  })
}
