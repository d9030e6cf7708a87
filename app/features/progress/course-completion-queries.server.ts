import { sql } from 'drizzle-orm'
import { recordActivity } from './activity-queries.server'
import type { Transaction } from './course-work-lock.server'
import { courseCompleted } from './course-work-messages'

/**
 * Completes a course once every lesson that has material is done. It stays completed when lessons are added later.
 */
export async function completeCourseIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<void> {
  const {
    rows: [completed],
  } = await transaction.execute<{ title: string }>(sql`
    update enrollments e set completed_at = ${now.toISOString()}::timestamptz
    from courses c, course_progress p
    where e.uid = ${uid} and e.course_id = ${courseId} and e.completed_at is null and c.id = e.course_id
      and p.uid = e.uid and p.course_id = e.course_id and p.total_lessons > 0 and p.done_lessons = p.total_lessons
    returning c.title`)
  if (!completed) return
  await recordActivity(transaction, uid, {
    id: `completed:${courseId}`,
    type: 'course',
    text: courseCompleted(completed.title),
    at: now,
    uncelebrated: true,
  })
}
