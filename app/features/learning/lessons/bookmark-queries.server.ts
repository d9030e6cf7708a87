import { and, eq, sql } from 'drizzle-orm'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { lockLearner } from '~/features/enrollment/learner-locks.server'
import type { Database } from '~/server/database/client.server'
import { bookmarks } from '~/server/database/schema/index'
import type { LearnerLesson } from '../progress/lesson-progress'

/**
 * Adds a bookmark. Nothing is added to a lesson of a course in which the learner is not enrolled.
 *
 * @returns `full` if the bookmarks would exceed `learnerLimits`
 */
export async function addBookmark(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
): Promise<'saved' | 'full'> {
  return db.transaction(async (transaction) => {
    await lockLearner(transaction, uid, 'bookmarks')
    const {
      rows: [row],
    } = await transaction.execute<{ isFull: boolean }>(sql`
      with other_bookmarks as (
        select count(*) >= ${learnerLimits.bookmarks}::int as is_full
        from bookmarks
        where uid = ${uid} and (course_id, lesson_id) <> (${courseId}, ${lessonId})
      ), new_bookmark as (
        insert into bookmarks (uid, course_id, lesson_id)
        select e.uid, l.course_id, l.id
        from course_lessons l
        join enrollments e on e.course_id = l.course_id
        where e.uid = ${uid} and l.course_id = ${courseId} and l.id = ${lessonId}
          and not l.retired
          and not (select is_full from other_bookmarks)
        on conflict do nothing
      )
      select is_full as "isFull" from other_bookmarks`)

    return row?.isFull ? 'full' : 'saved'
  })
}

export async function removeBookmark(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
): Promise<void> {
  await db
    .delete(bookmarks)
    .where(
      and(
        eq(bookmarks.uid, uid),
        eq(bookmarks.courseId, courseId),
        eq(bookmarks.lessonId, lessonId),
      ),
    )
}
