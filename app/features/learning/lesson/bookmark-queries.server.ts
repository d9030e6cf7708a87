import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { bookmarks } from '~/server/database/schema'
import type { LessonAddress } from '../progress/lesson-work-queries.server'

/** Sets or takes away a bookmark; only lessons of courses that the learner is enrolled in can have one. */
export async function recordBookmark(
  db: Database,
  { uid, courseId, lessonId }: LessonAddress,
  bookmarked: boolean,
): Promise<void> {
  if (!bookmarked) {
    const { uid: owner, courseId: course, lessonId: lesson } = bookmarks
    await db.delete(bookmarks).where(and(eq(owner, uid), eq(course, courseId), eq(lesson, lessonId)))
    return
  }
  await db.execute(sql`
    insert into bookmarks (uid, course_id, lesson_id)
    select e.uid, l.course_id, l.id from course_lessons l join enrollments e on e.course_id = l.course_id
    where e.uid = ${uid} and l.course_id = ${courseId} and l.id = ${lessonId} and not l.retired
    on conflict do nothing`)
}
