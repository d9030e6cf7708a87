import { sql } from 'drizzle-orm'
import { recordActivity } from './activity-queries.server'
import type { Transaction } from './course-work-lock.server'

/**
 * Completes a course once every lesson that has material is done. It stays completed when lessons are added later.
 */
export async function completeCourseIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<void> {
  const [completed] = await transaction.execute<{ title: string }>(sql`
    with counting as (
      select l.id, coalesce(p.done, false) as done from course_lessons l
      left join lesson_progress p on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
      where l.course_id = ${courseId} and l.kind <> 'announced' and not l.retired
    )
    update enrollments e set completed_at = ${now.toISOString()}::timestamptz from courses c
    where e.uid = ${uid} and e.course_id = ${courseId} and e.completed_at is null and c.id = e.course_id
      and exists (select from counting) and not exists (select from counting where not done)
    returning c.title`)
  if (!completed) return
  await recordActivity(transaction, uid, {
    id: `completed:${courseId}`,
    type: 'course',
    text: `Completed ${completed.title}`,
    at: now,
  })
}
