import { type SQL, sql } from 'drizzle-orm'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { Database, Transaction } from '~/server/database/client.server'
import { countsForCertificate } from '../lessons/kinds/lesson-rules'
import { recordActivity } from './activity-queries.server'
import { courseCompleted } from './course-work-messages'

/**
 * Completes a course once every lesson that has material is done. It stays completed when lessons
 * are added later.
 */
export async function completeCourseIfFinished(
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

  if (!completed) {
    return
  }

  await recordActivity(transaction, uid, {
    id: `completed:${courseId}`,
    type: 'course',
    text: courseCompleted(completed.title),
    at: now,
    uncelebrated: true,
  })
}

/** A lesson of the course that is done, but was neither watched nor answered. */
export type MarkedLesson = { id: string; title: string; kind: LessonKind; readToEnd: boolean }

/**
 * As a JSON list in the order of the course, for a part of another query.
 *
 * @param enrollment alias of the row.
 */
export function selectMarkedLessons(enrollment: SQL): SQL {
  return sql`
    select coalesce(json_agg(json_build_object('id', l.id, 'title', l.title, 'kind', l.kind, 'readToEnd', w.read_to_end)
      order by l.position), '[]')
    from lesson_progress w join course_lessons l on l.course_id = w.course_id and l.id = w.lesson_id
    where w.uid = ${enrollment}.uid and w.course_id = ${enrollment}.course_id
      and w.done and w.earned_at is null and l.kind <> 'announced' and not l.retired`
}

/** Those that a certificate would not count today. */
export function filterUncountedLessons<Lesson extends MarkedLesson>(
  marked: readonly Lesson[],
): Lesson[] {
  return marked.filter((lesson) => !countsForCertificate({ ...lesson, earned: false, done: true }))
}

/**
 * The consequences of finished work, in the same transaction: completion, certificate and
 * achievements. A later feature implements it (`certificates/finished-work.server.ts`).
 */
export type FollowUp = (
  transaction: Transaction,
  work: { uid: string; courseId: string },
  now: Date,
) => Promise<unknown>

/** Dependencies of recording a learner's work. */
export type LearningContext = { db: Database; followUp: FollowUp }
