import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { grantDueAchievements } from './achievement/achievement-queries.server'
import { issueCertificateIfDue } from './certificate/certificate-issuing.server'
import { completeCourseIfDue } from './course-work/course-completion-queries.server'
import type { CourseWork } from './course-work/course-work'
import { lockCourseWork, type Transaction } from './course-work/course-work-lock.server'

/**
 * What follows from finished work, whether of a lesson or an exam: the course is completed, the certificate issued, and
 * achievements are granted, each told as an activity. It looks at facts alone, and what is due happens once, so that it
 * may be called at any time; in a transaction, after its other locks.
 *
 * @returns the id of the certificate that this call issued.
 */
async function followFinishedWork(
  transaction: Transaction,
  { uid, courseId }: { uid: string; courseId: string },
  now: Date,
): Promise<string | null> {
  await lockCourseWork(transaction, uid, courseId)
  await completeCourseIfDue(transaction, uid, courseId, now)
  const certificateId = await issueCertificateIfDue(transaction, uid, courseId, now)
  await grantDueAchievements(transaction, uid, now)
  return certificateId
}

export function courseWork(db: Database): CourseWork {
  return { db, followUp: followFinishedWork }
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
  await db.transaction((transaction) => followFinishedWork(transaction, { uid, courseId }, now))
}

/**
 * Issues what was earned before its learner's address was confirmed, however that happened. The one place for it: pages
 * that show a waiting certificate call it for their learner, and a sweep for everybody, so that none is missed.
 *
 * @param uid only this learner's; of everybody, a hundred at a time.
 * @returns how many were issued.
 */
export async function issueWaitingCertificates(db: Database, now: Date, uid?: string): Promise<number> {
  const waiting = await db.execute<{ uid: string; courseId: string }>(sql`
    select e.uid, e.course_id as "courseId" from enrollments e join users u on u.id = e.uid
    where e.certificate_waits_since is not null and u.email_verified
      ${uid === undefined ? sql`` : sql`and e.uid = ${uid}`}
    limit 100`)
  let issued = 0
  for (const work of waiting) {
    if (await db.transaction((transaction) => followFinishedWork(transaction, work, now))) issued++
  }
  return issued
}
