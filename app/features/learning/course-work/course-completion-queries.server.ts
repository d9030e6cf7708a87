import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { grantDueAchievements } from '../achievement/achievement-queries.server'
import { issueCertificateIfDue } from '../certificate/certificate-issuing.server'
import { recordActivity } from './activity-queries.server'
import { lockCourseWork, type Transaction } from './course-work-lock.server'

type LessonAddress = { uid: string; courseId: string; lessonId: string }

/**
 * What follows from a finished lesson, in the transaction that finished it: the activity, and if this was its last
 * lesson, the course's completion with the certificate that may then be due. Everything is told once, also when a lesson is unmarked and finished again.
 */
export async function finishLesson(
  transaction: Transaction,
  { uid, courseId, lessonId }: LessonAddress,
  now: Date,
): Promise<void> {
  const [lesson] = await transaction.execute<{ title: string; kind: string; course: string }>(sql`
    select l.title, l.kind, c.title as course from course_lessons l join courses c on c.id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)
  if (!lesson) return
  await recordActivity(transaction, uid, {
    id: `lesson:${courseId}:${lessonId}`,
    type: lesson.kind === 'quiz' ? 'quiz' : 'lesson',
    text: `${lesson.kind === 'quiz' ? 'Answered' : 'Finished'} ${lesson.title} in ${lesson.course}`,
    at: now,
  })
  await completeCourseIfDue(transaction, uid, courseId, now)
  await grantDueAchievements(transaction, uid, now)
}

/**
 * Completes a course whose last open lesson the operator took away: nothing is left to finish, so that no report would
 * ever do it.
 */
export async function completeCourseWithoutReport(
  db: Database,
  uid: string,
  courseId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await lockCourseWork(transaction, uid, courseId)
    if (await completeCourseIfDue(transaction, uid, courseId, now)) await grantDueAchievements(transaction, uid, now)
  })
}

/**
 * Completes a course once every lesson that has material is done. It stays completed when lessons are added later.
 *
 * @returns whether this call completed it.
 */
async function completeCourseIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<boolean> {
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
  if (!completed) return false
  await recordActivity(transaction, uid, {
    id: `completed:${courseId}`,
    type: 'course',
    text: `Completed ${completed.title}`,
    at: now,
  })
  await issueCertificateIfDue(transaction, uid, courseId, now)
  return true
}
