import { sql } from 'drizzle-orm'
import { grantDueAchievements } from '~/features/achievements/achievement-queries.server'
import { lockCourseWork } from '~/features/enrollment/course-work-lock.server'
import { enrollLearner, enrollMany } from '~/features/enrollment/enrollment-queries.server'
import type { CourseWork } from '~/features/learning/progress/course-completion.server'
import { completeCourseIfDue } from '~/features/learning/progress/course-completion.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { forEachSettled } from '~/server/operations/for-each-settled.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { issueCertificateIfDue } from './certificate-issuing.server'

/**
 * The consequences of a finished lesson or exam: completes the course, issues the certificate and
 * grants achievements, and records an activity for each. Derived from stored facts and idempotent,
 * so it may be called at any time; in a transaction, after its other locks.
 *
 * @returns the id of the certificate that this call issued.
 */
async function followFinishedWork(
  transaction: Transaction,
  { uid, courseId }: Work,
  now: Date,
): Promise<string | null> {
  await lockCourseWork(transaction, uid, courseId)
  await completeCourseIfDue(transaction, uid, courseId, now)
  const certificateId = await issueCertificateIfDue(transaction, uid, courseId, now)
  await grantDueAchievements(transaction, uid, now)
  // Only a lost connection can still roll it back.
  if (certificateId) {
    countEvent('certificates')
  }

  return certificateId
}

export function courseWork(db: Database): CourseWork {
  return { db, followUp: followFinishedWork }
}

/**
 * Issues certificates that were earned before the learner's address was confirmed, a hundred at a
 * time.
 *
 * @returns how many were issued.
 */
export async function issueWaitingCertificates(db: Database, now: Date): Promise<number> {
  const { rows: waiting } = await db.execute<Work>(sql`
    select e.uid, e.course_id as "courseId" from enrollments e join users u on u.id = e.uid
    where e.certificate_waits_since is not null and u.email_verified limit 100`)
  return followUpAll(db, waiting, now)
}

/**
 * Completes courses whose last open lesson was removed or merged by the operator: no report would
 * complete them.
 */
export async function completeCoursesWithoutReport(db: Database, now: Date): Promise<void> {
  const { rows: finished } = await db.execute<Work>(sql`
    ${finishedButOpen}
      and (exists (select from course_lessons l where l.course_id = e.course_id and (l.retired or l.kind = 'announced'))
        or exists (select from lesson_aliases a where a.course_id = e.course_id))`)
  await followUpAll(db, finished, now)
}

/**
 * Enrolls a learner as `enrollLearner` does, and completes courses without an open lesson: the last
 * open one may have been removed while the learner was away, and no report would complete them.
 */
export async function enrollAndFollowUp(
  db: Database,
  uid: string,
  courseIds: readonly string[],
  now: Date,
  { granted = false } = {},
): Promise<string[]> {
  const enrolled = await enrollLearner(db, uid, courseIds, { granted })
  const { rows: finished } = await db.execute<Work>(sql`
    ${finishedButOpen} and e.uid = ${uid} and e.course_id = any(${sql.param(enrolled)}::text[])`)
  await followUpAll(db, finished, now)

  return enrolled
}

/** Enrolls many learners at once, and does what follows an enrollment. */
export async function enrollManyAndFollowUp(
  transaction: Transaction,
  wanted: readonly Work[],
  now: Date,
): Promise<void> {
  await enrollMany(transaction, wanted)
  const uids = [...new Set(wanted.map(({ uid }) => uid))]
  const { rows: finished } = await transaction.execute<Work>(sql`
    ${finishedButOpen} and e.uid = any(${sql.param(uids)}::text[])`)
  await followUpAll(transaction, finished, now)
}

/** Courses in which every lesson is done, and that are not completed yet. */
const finishedButOpen = sql`
  select e.uid, e.course_id as "courseId" from enrollments e join course_progress p using (uid, course_id)
  where e.completed_at is null and p.total_lessons > 0 and p.done_lessons = p.total_lessons`

type Work = { uid: string; courseId: string }

async function followUpAll(db: Database, all: readonly Work[], now: Date): Promise<number> {
  let issued = 0
  await forEachSettled(all, async (work) => {
    if (await db.transaction((transaction) => followFinishedWork(transaction, work, now))) {
      issued++
    }
  })

  return issued
}
