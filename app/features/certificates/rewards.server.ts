/**
 * Grants the rewards of finished lessons and exams: completes the course, issues the certificate
 * and grants achievements. Everything is derived from stored data and idempotent, so it may run at
 * any time and as often as necessary.
 */

import { sql } from 'drizzle-orm'
import { isRealNameInDatabase } from '~/features/accounts/full-name.server'
import { grantDueAchievements } from '~/features/achievements/achievement-queries.server'
import { enrollLearner, enrollLearners } from '~/features/enrollment/enrollment-queries.server'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import {
  completeCourseIfFinished,
  type LearningContext,
} from '~/features/learning/progress/course-completion.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { forEachSettled } from '~/server/operations/for-each-settled.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { issueCertificateIfDue } from './certificate-issuing.server'

/** Returns the context in which lessons and exams grant rewards. */
export function learningContext(db: Database): LearningContext {
  return { db, grantDueRewards }
}

type LearnerCourse = { uid: string; courseId: string }

/**
 * Completes a learner's course, issues its certificate and grants achievements, each if it is due.
 * The transaction has to take its other locks before.
 *
 * @returns the ID of the certificate that this call issued
 */
async function grantDueRewards(
  transaction: Transaction,
  { uid, courseId }: LearnerCourse,
  now: Date,
): Promise<string | null> {
  await lockCourseProgress(transaction, uid, courseId)
  await completeCourseIfFinished(transaction, uid, courseId, now)
  const certificateId = await issueCertificateIfDue(transaction, uid, courseId, now)
  await grantDueAchievements(transaction, uid, now)

  // The event is counted before the transaction commits. Only a lost connection could still undo
  // it.
  if (certificateId) {
    countEvent('certificates')
  }

  return certificateId
}

/**
 * Issues up to a hundred certificates that were earned before the learner confirmed the email or
 * gave their name. Their order is random, so that certificates that can't be issued don't hold up
 * the others.
 *
 * @returns the number of issued certificates
 */
export async function issueWaitingCertificates(db: Database, now: Date): Promise<number> {
  const { rows: waitingCourses } = await db.execute<LearnerCourse>(sql`
    select e.uid, e.course_id as "courseId"
    from enrollments e
    join users u on u.id = e.uid
    where e.certificate_waits_since is not null
      and u.email_verified
      and ${isRealNameInDatabase(sql`u.name`)}
    order by random()
    limit 100`)

  return grantDueRewardsOfEach(db, waitingCourses, now)
}

/**
 * Completes courses whose last unfinished lesson was removed or merged. Learners report no progress
 * for these courses any more, and so nothing else completes them.
 */
export async function completeCoursesWithoutReports(db: Database, now: Date): Promise<void> {
  const { rows: finishedCourses } = await db.execute<LearnerCourse>(sql`
    ${finishedButNotCompleted}
      and (
        exists (
          select from course_lessons l
          where l.course_id = e.course_id
            and (l.retired or l.kind = 'announced')
        )
        or exists (
          select from lesson_aliases a
          where a.course_id = e.course_id
        )
      )`)

  await grantDueRewardsOfEach(db, finishedCourses, now)
}

/**
 * Enrolls a learner as `enrollLearner` does. Then it completes the courses that have no unfinished
 * lesson, because the last one may have been removed while the learner was not enrolled.
 */
export async function enrollAndReward(
  db: Database,
  uid: string,
  courseIds: readonly string[],
  now: Date,
  { isFreeOfCharge = false } = {},
): Promise<string[]> {
  const enrolledCourseIds = await enrollLearner(db, uid, courseIds, { isFreeOfCharge })

  const { rows: finishedCourses } = await db.execute<LearnerCourse>(sql`
    ${finishedButNotCompleted}
      and e.uid = ${uid}
      and e.course_id = any(${sql.param(enrolledCourseIds)}::text[])`)
  await grantDueRewardsOfEach(db, finishedCourses, now)

  return enrolledCourseIds
}

/** Enrolls many learners at once, and completes their courses that have no unfinished lesson. */
export async function enrollManyAndReward(
  transaction: Transaction,
  enrollments: readonly LearnerCourse[],
  now: Date,
): Promise<void> {
  await enrollLearners(transaction, enrollments)

  const uids = [...new Set(enrollments.map(({ uid }) => uid))]
  const { rows: finishedCourses } = await transaction.execute<LearnerCourse>(sql`
    ${finishedButNotCompleted}
      and e.uid = any(${sql.param(uids)}::text[])`)
  await grantDueRewardsOfEach(transaction, finishedCourses, now)
}

/** Selects the courses in which a learner has done every lesson but that are not completed yet. */
const finishedButNotCompleted = sql`
  select e.uid, e.course_id as "courseId"
  from enrollments e
  join course_progress p using (uid, course_id)
  where e.completed_at is null
    and p.total_lessons > 0
    and p.done_lessons = p.total_lessons`

/**
 * Grants the due rewards of each course in a transaction of its own.
 *
 * @returns the number of issued certificates
 */
async function grantDueRewardsOfEach(
  db: Database,
  learnerCourses: readonly LearnerCourse[],
  now: Date,
): Promise<number> {
  let issuedCertificates = 0
  await forEachSettled(learnerCourses, async (learnerCourse) => {
    const certificateId = await db.transaction((transaction) =>
      grantDueRewards(transaction, learnerCourse, now),
    )
    if (certificateId) {
      issuedCertificates++
    }
  })

  return issuedCertificates
}
