import { type SQL, sql } from 'drizzle-orm'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { Database, Transaction } from '~/server/database/client.server'
import { countsForCertificate } from '../lessons/kinds/lesson-rules'
import { recordActivity } from './activity-queries.server'
import { courseCompletedText } from './progress-messages'

/**
 * Grants the rewards of a learner that are due: the completion of a course, its certificate and
 * achievements. It runs in the transaction that records a finished lesson or exam.
 *
 * Certificates and achievements belong to later features, so
 * `certificates/rewards.server.ts` implements this type and passes it in.
 */
export type GrantDueRewards = (
  transaction: Transaction,
  course: { uid: string; courseId: string },
  now: Date,
) => Promise<unknown>

/** What the functions that record a learner's progress depend on. */
export type LearningContext = { db: Database; grantDueRewards: GrantDueRewards }

/**
 * Completes a course once every lesson with material is done. The course stays completed if lessons
 * are added later.
 */
export async function completeCourseIfFinished(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<void> {
  const {
    rows: [completedCourse],
  } = await transaction.execute<{ title: string }>(sql`
    update enrollments e set completed_at = ${now.toISOString()}::timestamptz
    from courses c, course_progress p
    where e.uid = ${uid} and e.course_id = ${courseId} and e.completed_at is null
      and c.id = e.course_id
      and p.uid = e.uid and p.course_id = e.course_id
      and p.total_lessons > 0 and p.done_lessons = p.total_lessons
    returning c.title`)

  if (!completedCourse) {
    return
  }

  await recordActivity(transaction, uid, {
    id: `completed:${courseId}`,
    type: 'course',
    text: courseCompletedText(completedCourse.title),
    at: now,
    uncelebrated: true,
  })
}

/** A lesson that the learner has marked as done, but has not watched or answered. */
export type MarkedLesson = { id: string; title: string; kind: LessonKind; readToEnd: boolean }

/**
 * Returns a subquery for the marked lessons of a course: a JSON array of `MarkedLesson` in the
 * order of the course.
 *
 * @param enrollment the alias of the row of `enrollments` in the outer query
 */
export function selectMarkedLessons(enrollment: SQL): SQL {
  return sql`
    select coalesce(
      json_agg(
        json_build_object(
          'id', l.id, 'title', l.title, 'kind', l.kind, 'readToEnd', p.read_to_end)
        order by l.position),
      '[]')
    from lesson_progress p
    join course_lessons l on l.course_id = p.course_id and l.id = p.lesson_id
    where p.uid = ${enrollment}.uid and p.course_id = ${enrollment}.course_id
      and p.done and p.earned_at is null and l.kind <> 'announced' and not l.retired`
}

/** Returns the marked lessons that a certificate would not count. */
export function filterUncountedLessons<Lesson extends MarkedLesson>(
  markedLessons: readonly Lesson[],
): Lesson[] {
  return markedLessons.filter(
    (lesson) => !countsForCertificate({ ...lesson, earned: false, done: true }),
  )
}
