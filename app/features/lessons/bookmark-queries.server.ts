import { and, eq, sql } from 'drizzle-orm'
import { learnerLimits } from '~/features/progress/learner-limits'
import type { LessonAddress } from '~/features/progress/lesson-work-queries.server'
import { lockList } from '~/features/progress/list-lock.server'
import type { Database } from '~/server/database/client.server'
import { bookmarks } from '~/server/database/schema'

/**
 * Sets or takes away a bookmark; only lessons of courses that the learner is enrolled in can have one.
 *
 * @returns `full` if it exceeds `learnerLimits`.
 */
export async function recordBookmark(
  db: Database,
  { uid, courseId, lessonId }: LessonAddress,
  bookmarked: boolean,
): Promise<'full' | null> {
  if (!bookmarked) {
    const { uid: owner, courseId: course, lessonId: lesson } = bookmarks
    await db.delete(bookmarks).where(and(eq(owner, uid), eq(course, courseId), eq(lesson, lessonId)))
    return null
  }
  return db.transaction(async (transaction) => {
    await lockList(transaction, 'bookmarks', uid)
    const {
      rows: [row],
    } = await transaction.execute<{ full: boolean }>(sql`
      with had as (
        select count(*) >= ${learnerLimits.bookmarks}::int as is_full from bookmarks
        where uid = ${uid} and (course_id, lesson_id) <> (${courseId}, ${lessonId})
      ), added as (
        insert into bookmarks (uid, course_id, lesson_id)
        select e.uid, l.course_id, l.id from course_lessons l join enrollments e on e.course_id = l.course_id
        where e.uid = ${uid} and l.course_id = ${courseId} and l.id = ${lessonId} and not l.retired
          and not (select is_full from had)
        on conflict do nothing
      )
      select is_full as full from had`)
    return row?.full ? 'full' : null
  })
}
