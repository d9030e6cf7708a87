/**
 * Issues certificates.
 *
 * A certificate has two rows. `certificate_register` keeps what was certified, forever and without
 * personal data. `certificates` says which learner holds an entry of the register, and disappears
 * with the account. Both rows have the same ID. A learner holds at most one certificate per course,
 * and a revoked certificate stays theirs, so that it cannot be earned again. A course without an exam
 * has no certificates.
 */
import { and, eq, sql } from 'drizzle-orm'
import { placeholderName } from '~/features/accounts/account-rules'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import {
  sumCertifiedLessons,
  type TakenLesson,
} from '~/features/learning/lessons/kinds/lesson-rules'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { certificates, enrollments } from '~/server/database/schema'
import { certificateMessages } from './certificate-messages'
import { createRegisterEntry } from './certificate-register.server'
import { type CertifiedLessons, toCertificateName } from './certificate-rules'

/**
 * Issues a learner's certificate once the course is completed and its exam passed. Either may happen
 * last, so the code of both calls this function in its transaction. A certificate also needs a
 * confirmed email and the learner's own name. Without one of them, the enrollment is marked as
 * waiting, and a background job issues the certificate later (`rewards.server.ts`).
 *
 * @returns the ID of the certificate that this call issued; null if none is due
 */
export async function issueCertificateIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<string | null> {
  await lockCourseProgress(transaction, uid, courseId)

  const completedCourse = await findCompletedCourse(transaction, uid, courseId)
  if (!completedCourse) {
    return null
  }

  const { learnerName, courseTitle, isEmailConfirmed, examScore, examMaxScore } = completedCourse
  const canBeIssued = isEmailConfirmed && learnerName !== placeholderName
  // Later calls keep the time at which the certificate began to wait.
  const waitsSince = canBeIssued
    ? null
    : sql`coalesce(certificate_waits_since, ${now.toISOString()}::timestamptz)`
  await transaction
    .update(enrollments)
    .set({ certificateWaitsSince: waitsSince })
    .where(and(eq(enrollments.uid, uid), eq(enrollments.courseId, courseId)))

  if (!canBeIssued) {
    return null
  }

  const certifiedLessons = await countCertifiedLessons(transaction, uid, courseId)
  const id = await createRegisterEntry(transaction, {
    courseId,
    courseTitle,
    ...certifiedLessons,
    examScore,
    examMaxScore,
    issuedAt: now,
  })

  await transaction.insert(certificates).values({
    uid,
    courseId,
    id,
    issuedAt: now,
    learnerName: toCertificateName(learnerName),
  })
  await recordActivity(transaction, uid, {
    id: `certificate:${courseId}`,
    type: 'certificate',
    text: certificateMessages.certificateActivities.earned(courseTitle),
    at: now,
  })

  return id
}

/** A completed course whose exam was passed, and for which there is no certificate yet. */
type CompletedCourse = {
  learnerName: string
  courseTitle: string
  isEmailConfirmed: boolean
  examScore: number
  examMaxScore: number
}

/**
 * Returns the course, or null while the course or its exam is unfinished, and once there is a
 * certificate. The score is that of the first passed attempt, because the learner had not seen the
 * correct answers before it.
 */
async function findCompletedCourse(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<CompletedCourse | null> {
  const {
    rows: [completedCourse],
  } = await transaction.execute<CompletedCourse>(sql`
    select
      u.name as "learnerName",
      c.title as "courseTitle",
      u.email_verified as "isEmailConfirmed",
      first_pass.score as "examScore",
      first_pass.max_score as "examMaxScore"
    from enrollments e
    join users u on u.id = e.uid
    join courses c on c.id = e.course_id
    cross join lateral (
      select a.score, a.max_score
      from exam_attempts a
      where a.uid = e.uid
        and a.course_id = e.course_id
        and a.passed
      order by a.submitted_at, a.id
      limit 1
    ) first_pass
    where e.uid = ${uid}
      and e.course_id = ${courseId}
      and e.completed_at is not null
      and not exists (
        select from certificates
        where certificates.uid = e.uid
          and certificates.course_id = e.course_id
      )`)

  return completedCourse ?? null
}

/**
 * Returns how many lessons a certificate confirms, and their length together. Lessons that have
 * been removed from the course since the learner took them count as well.
 */
export async function countCertifiedLessons(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<CertifiedLessons> {
  const { rows: takenLessons } = await transaction.execute<TakenLesson>(sql`
    select
      l.kind,
      l.duration_seconds as "durationSeconds",
      p.earned_at is not null as earned,
      p.done,
      p.read_to_end as "readToEnd"
    from lesson_progress p
    join course_lessons l on l.course_id = p.course_id and l.id = p.lesson_id
    where p.uid = ${uid}
      and p.course_id = ${courseId}`)

  return sumCertifiedLessons(takenLessons)
}
