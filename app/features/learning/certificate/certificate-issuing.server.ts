import { randomInt } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { certificateRegister, certificates } from '~/server/database/schema'
import { grantDueAchievements } from '../achievement/achievement-queries.server'
import { recordActivity } from '../achievement/activity-queries.server'
import { lockCourseWork, type Transaction } from '../progress/course-work-lock.server'
import { randomId } from '../random-id.server'
import { statusListLength } from './certificate-status'

/** A list is left half empty, so that a random place is found at once. */
const usedPlaces = statusListLength / 2

/**
 * Issues a learner's certificate once the course is completed and its exam passed. Call it in the transaction of
 * whichever comes last. A learner and course have one certificate, ever: a revoked one is not earned a second time.
 *
 * @returns the id of the certificate that this call issued; null if it is not due, or was issued before.
 */
export async function issueCertificateIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<string | null> {
  await lockCourseWork(transaction, uid, courseId)
  const [due] = await transaction.execute<{ name: string; title: string; hours: string }>(sql`
    select u.name, c.title, c.duration_hours as hours
    from enrollments e join users u on u.id = e.uid join courses c on c.id = e.course_id
    where e.uid = ${uid} and e.course_id = ${courseId} and e.completed_at is not null
      and exists (select from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id
        and a.submitted_at is not null and a.score * 100 >= a.max_score * a.pass_percent)
      and not exists (select from certificates x where x.uid = e.uid and x.course_id = e.course_id)`)
  if (!due) return null
  const id = await enterInRegister(transaction, {
    courseId,
    courseTitle: due.title,
    courseHours: Number(due.hours),
    issuedAt: now,
  })
  await transaction.insert(certificates).values({ uid, courseId, id, issuedAt: now, learnerName: due.name })
  await recordActivity(transaction, uid, {
    id: `certificate:${courseId}`,
    type: 'certificate',
    text: `Earned the certificate of ${due.title}`,
    at: now,
  })
  await grantDueAchievements(transaction, uid, now)
  return id
}

type RegisterEntry = { courseId: string; courseTitle: string; courseHours: number; issuedAt: Date | SQL }

/** @returns the new certificate's id; its place in the status list is random and its own. */
export async function enterInRegister(transaction: Transaction, entry: RegisterEntry): Promise<string> {
  const id = randomId()
  const statusList = await currentStatusList(transaction)
  for (let tries = 0; tries < 100; tries++) {
    const entered = await transaction
      .insert(certificateRegister)
      .values({ id, ...entry, statusList, statusIndex: randomInt(statusListLength) })
      .onConflictDoNothing({ target: [certificateRegister.statusList, certificateRegister.statusIndex] })
      .returning({ id: certificateRegister.id })
    if (entered.length > 0) return id
  }
  throw new Error('No free place was found in the status list.')
}

async function currentStatusList(transaction: Transaction): Promise<number> {
  const [latest] = await transaction.execute<{ list: number; used: number }>(sql`
    select list, (select count(*)::int from certificate_register where status_list = list) as used
    from (select coalesce(max(status_list), 1) as list from certificate_register) latest`)
  if (!latest) return 1
  return latest.used < usedPlaces ? latest.list : latest.list + 1
}
