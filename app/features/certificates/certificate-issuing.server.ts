/**
 * Issues certificates.
 *
 * A certificate has two rows with the same ID. The row in `certificate_register` keeps what was
 * certified, forever and without personal data. The row in `certificates` says which learner owns
 * the certificate, and is deleted with the account.
 *
 * A learner owns at most one certificate per course. A revoked certificate stays theirs, so that
 * they cannot earn it again. A course without an exam has no certificates.
 */
import { and, eq, sql } from 'drizzle-orm'
import { isRealName } from '~/features/accounts/full-name'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import {
  type LessonWithProgress,
  sumCertifiedLessons,
} from '~/features/learning/lessons/kinds/lesson-rules'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { certificates, enrollments } from '~/server/database/schema'
import { certificateMessages } from './certificate-messages'
import { createRegisterEntry } from './certificate-register.server'
import { type CertifiedLessons, toCertificateName } from './certificate-rules'

/**
 * Issues a learner's certificate if the course is completed and its exam passed, the email
 * confirmed and the learner's own name known.
 *
 * The course may be completed before or after its exam is passed. The code that records either of
 * them calls this function in its transaction. If only the confirmed email or the name is missing,
 * the enrollment is marked as waiting. A background job issues the certificate once the learner has
 * both (`rewards.server.ts`).
 *
 * @returns the ID of the certificate that this call issued, otherwise null
 */
export async function issueCertificateIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<string | null> {
  await lockCourseProgress(transaction, uid, courseId)

  const earnedCertificate = await findUnissuedCertificate(transaction, uid, courseId)
  if (!earnedCertificate) {
    return null
  }

  const { learnerName, courseTitle, isEmailConfirmed, examScore, examMaxScore } = earnedCertificate
  const canBeIssued = isEmailConfirmed && isRealName(learnerName)
  // The first call that cannot issue the certificate sets the time. Later calls keep it.
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

  const certifiedLessons = await measureCertifiedLessons(transaction, uid, courseId)
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
    text: certificateMessages.activities.earned(courseTitle),
    at: now,
  })

  return id
}

/** A certificate that the learner has earned, and that is not issued yet. */
type EarnedCertificate = {
  learnerName: string
  courseTitle: string
  isEmailConfirmed: boolean
  examScore: number
  examMaxScore: number
}

/**
 * Returns null if the course is not completed, its exam not passed, or the certificate issued
 * already. Without a passed attempt, the lateral join has no row.
 *
 * The score is that of the first passed attempt, because a passed attempt shows the learner the
 * correct answers.
 */
async function findUnissuedCertificate(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<EarnedCertificate | null> {
  const {
    rows: [earnedCertificate],
  } = await transaction.execute<EarnedCertificate>(sql`
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

  return earnedCertificate ?? null
}

/**
 * Returns how many lessons a certificate confirms, and their length together. The query reads all
 * lessons in which the learner has progress, even if the course no longer has them.
 * `sumCertifiedLessons` decides which of them count.
 */
export async function measureCertifiedLessons(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<CertifiedLessons> {
  const { rows: lessons } = await transaction.execute<LessonWithProgress>(sql`
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

  return sumCertifiedLessons(lessons)
}
