import { randomInt } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { lockCourseWork } from '~/features/enrollment/course-work-lock.server'
import {
  type CertifiableLesson,
  getCertifiedLessons,
} from '~/features/learning/lessons/kinds/lesson-rules'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { certificateRegister, certificates, enrollments } from '~/server/database/schema'
import { certificateActivities } from './certificate-messages'
import { certificateName, statusListLength } from './certificate-text'
import { newestWording } from './credential/credential-wording'

/** A list is left half empty, so that a random place is found at once. */
const usedPlaces = statusListLength / 2

/**
 * The completed work that a certificate states: neither announced lessons nor lessons that were
 * only marked as done.
 */
export type CertifiedWork = {
  lessons: number
  materialSeconds: number
  examScore: number
  examMaxScore: number
}

type Earned = Pick<CertifiedWork, 'examScore' | 'examMaxScore'> & {
  name: string
  title: string
  emailVerified: boolean
}

/**
 * Issues a learner's certificate once the course is completed, its exam passed and the address
 * confirmed. Call it in the transaction of whichever may come last; one that is earned, but for the
 * address, waits, and `issueWaitingCertificates` finds it. A learner and course have one
 * certificate, ever: a revoked one is not earned a second time.
 *
 * @returns the id of the certificate that this call issued; null if it is not due, or was issued
 * before.
 */
export async function issueCertificateIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<string | null> {
  await lockCourseWork(transaction, uid, courseId)
  const earned = await findEarned(transaction, uid, courseId)
  if (!earned) {
    return null
  }

  const { name, title, emailVerified, ...exam } = earned
  await transaction
    .update(enrollments)
    .set({
      certificateWaitsSince: emailVerified
        ? null
        : sql`coalesce(certificate_waits_since, ${now.toISOString()})`,
    })
    .where(and(eq(enrollments.uid, uid), eq(enrollments.courseId, courseId)))

  if (!emailVerified) {
    return null
  }

  const work = { ...(await findCertifiedLessons(transaction, uid, courseId)), ...exam }
  const id = await enterInRegister(transaction, {
    courseId,
    courseTitle: title,
    ...work,
    issuedAt: now,
  })
  const learnerName = certificateName(name)
  await transaction.insert(certificates).values({ uid, courseId, id, issuedAt: now, learnerName })
  await recordActivity(transaction, uid, {
    id: `certificate:${courseId}`,
    type: 'certificate',
    text: certificateActivities.earned(title),
    at: now,
  })

  return id
}

/**
 * Null while something is left to do, and once there is a certificate. The first pass counts,
 * because it came before answers were shown.
 */
async function findEarned(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<Earned | null> {
  const {
    rows: [earned],
  } = await transaction.execute<Earned>(sql`
    select u.name, c.title, u.email_verified as "emailVerified",
      a.score as "examScore", a.max_score as "examMaxScore"
    from enrollments e join users u on u.id = e.uid join courses c on c.id = e.course_id
    cross join lateral (select score, max_score from exam_attempts a
      where a.uid = e.uid and a.course_id = e.course_id and a.passed
      order by a.submitted_at, a.id limit 1) a
    where e.uid = ${uid} and e.course_id = ${courseId} and e.completed_at is not null
      and not exists (select from certificates x where x.uid = e.uid and x.course_id = e.course_id)`)

  return earned ?? null
}

/**
 * Of all its lessons that the learner ever worked on, also those that have left the course since.
 */
export async function findCertifiedLessons(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<Pick<CertifiedWork, 'lessons' | 'materialSeconds'>> {
  const { rows: lessons } = await transaction.execute<CertifiableLesson>(sql`
    select l.kind, l.duration_seconds as "durationSeconds", p.earned_at is not null as earned, p.done,
      p.read_to_end as "readToEnd"
    from lesson_progress p join course_lessons l on l.course_id = p.course_id and l.id = p.lesson_id
    where p.uid = ${uid} and p.course_id = ${courseId}`)

  return getCertifiedLessons(lessons)
}

type RegisterEntry = CertifiedWork & { courseId: string; courseTitle: string; issuedAt: Date | SQL }

/** @returns the new certificate's id; its place in the status list is random and its own. */
export async function enterInRegister(
  transaction: Transaction,
  entry: RegisterEntry,
): Promise<string> {
  const id = randomId()
  const statusList = await currentStatusList(transaction)
  for (let tries = 0; tries < 100; tries++) {
    const entered = await transaction
      .insert(certificateRegister)
      .values({
        id,
        ...entry,
        wording: newestWording,
        statusList,
        statusIndex: randomInt(statusListLength),
      })
      .onConflictDoNothing({
        target: [certificateRegister.statusList, certificateRegister.statusIndex],
      })
      .returning({ id: certificateRegister.id })

    if (entered.length > 0) {
      return id
    }
  }

  throw new Error('The status list has no free slot.')
}

async function currentStatusList(transaction: Transaction): Promise<number> {
  const {
    rows: [latest],
  } = await transaction.execute<{ list: number; used: number }>(sql`
    select list, (select count(*)::int from certificate_register where status_list = list) as used
    from (select coalesce(max(status_list), 1) as list from certificate_register) latest`)

  if (!latest) {
    return 1
  }

  return latest.used < usedPlaces ? latest.list : latest.list + 1
}
