/**
 * Issues, revokes and reissues certificates.
 *
 * A certificate has two rows. `certificate_register` keeps what was certified, forever and without
 * personal data. `certificates` says which learner holds an entry of the register, and disappears
 * with the account. A learner holds at most one certificate per course.
 */

import { randomInt } from 'node:crypto'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import {
  type CertifiableLesson,
  getCertifiedLessons,
} from '~/features/learning/lessons/kinds/lesson-rules'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { certificateRegister, certificates, enrollments, users } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { canLearnersReissueCertificates } from '~/server/site/site.server'
import { certificateActivities, nameCorrection, notYourCertificate } from './certificate-messages'
import {
  type CertifiedLessons,
  type CertifiedWork,
  statusListLength,
  toCertificateName,
} from './certificate-rules'
import { newestWording } from './credential/credential-document'

/**
 * Issues a learner's certificate once the course is completed, its exam passed and the email
 * confirmed. Any of the three may happen last, so each of them calls this function in its
 * transaction. If only the confirmed email is missing, the enrollment is marked as waiting, and
 * `issueWaitingCertificates` issues the certificate later. A revoked certificate cannot be earned
 * again.
 *
 * @returns the id of the certificate that this call issued; null if none is due
 */
export async function issueCertificateIfDue(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<string | null> {
  await lockCourseProgress(transaction, uid, courseId)

  const achievement = await findCertifiableAchievement(transaction, uid, courseId)
  if (!achievement) {
    return null
  }

  const { learnerName, courseTitle, isEmailConfirmed, examScore, examMaxScore } = achievement
  const waitsSince = isEmailConfirmed
    ? null
    : sql`coalesce(certificate_waits_since, ${now.toISOString()}::timestamptz)`
  await transaction
    .update(enrollments)
    .set({ certificateWaitsSince: waitsSince })
    .where(and(eq(enrollments.uid, uid), eq(enrollments.courseId, courseId)))

  if (!isEmailConfirmed) {
    return null
  }

  const certifiedLessons = await summarizeCertifiedLessons(transaction, uid, courseId)
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
    text: certificateActivities.earned(courseTitle),
    at: now,
  })

  return id
}

type CertifiableAchievement = {
  learnerName: string
  courseTitle: string
  isEmailConfirmed: boolean
  examScore: number
  examMaxScore: number
}

/**
 * Returns null while the course or its exam is unfinished, and once there is a certificate. The
 * first passed attempt counts, because the learner had not seen the correct answers before it.
 */
async function findCertifiableAchievement(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<CertifiableAchievement | null> {
  const {
    rows: [achievement],
  } = await transaction.execute<CertifiableAchievement>(sql`
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
        select from certificates x
        where x.uid = e.uid
          and x.course_id = e.course_id
      )`)

  return achievement ?? null
}

/**
 * Returns how many lessons a certificate confirms, and their length together. Lessons that have
 * been removed from the course since the learner took them count as well.
 */
export async function summarizeCertifiedLessons(
  transaction: Transaction,
  uid: string,
  courseId: string,
): Promise<CertifiedLessons> {
  const { rows: certifiableLessons } = await transaction.execute<CertifiableLesson>(sql`
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

  return getCertifiedLessons(certifiableLessons)
}

type RegisterEntry = CertifiedWork & {
  courseId: string
  courseTitle: string
  issuedAt: Date | SQL
}

const maxIndexTries = 100

/**
 * Adds an entry to the register. Its index in the status list is random, so that the index says
 * nothing about when the certificate was issued.
 *
 * @returns the id of the new certificate
 */
export async function createRegisterEntry(
  transaction: Transaction,
  entry: RegisterEntry,
): Promise<string> {
  const id = randomId()
  const statusList = await chooseStatusList(transaction)

  for (let tries = 0; tries < maxIndexTries; tries++) {
    const insertedRows = await transaction
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

    if (insertedRows.length > 0) {
      return id
    }
  }

  throw new Error('The status list has no free index.')
}

/** Half of a status list stays unused, so that a random index is nearly always free. */
const maxEntriesPerStatusList = statusListLength / 2

async function chooseStatusList(transaction: Transaction): Promise<number> {
  const {
    rows: [newestList],
  } = await transaction.execute<{ number: number; entries: number }>(sql`
    select
      newest.number,
      (
        select count(*)::int
        from certificate_register
        where status_list = newest.number
      ) as entries
    from (
      select coalesce(max(status_list), 1) as number
      from certificate_register
    ) newest`)

  if (!newestList) {
    return 1
  }

  const isFull = newestList.entries >= maxEntriesPerStatusList

  return isFull ? newestList.number + 1 : newestList.number
}

/** Returns the learner who holds a certificate; null if nobody does or the id is unknown. */
export async function findCertificateHolder(
  db: Pick<Database, 'select'>,
  id: string,
): Promise<string | null> {
  const [certificate] = await db
    .select({ uid: certificates.uid })
    .from(certificates)
    .where(eq(certificates.id, id))

  return certificate?.uid ?? null
}

/**
 * Revokes a certificate. Revoking it again keeps the first date and replaces the reason.
 *
 * @param reason is shown on the certificate's public page
 * @returns false for an unknown id, and for a certificate that was reissued: its replacement would
 * stay valid
 */
export function revokeCertificate(
  db: Database,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [entry] = await transaction
      .update(certificateRegister)
      .set({
        revokedAt: sql`coalesce(${certificateRegister.revokedAt}, ${now.toISOString()}::timestamptz)`,
        revokedReason: reason,
      })
      .where(and(eq(certificateRegister.id, id), isNull(certificateRegister.replacedBy)))
      .returning({ courseTitle: certificateRegister.courseTitle })
    if (!entry) {
      return false
    }

    const holderUid = await findCertificateHolder(transaction, id)
    if (holderUid) {
      await recordActivity(transaction, holderUid, {
        id: `revoked:${id}`,
        type: 'certificate',
        text: certificateActivities.revoked(entry.courseTitle),
        at: now,
      })
    }

    return true
  })
}

/**
 * Gives the holder a new certificate with their present name and lessons, and revokes the old one,
 * which points to its replacement.
 *
 * @param options.canBeRevoked whether a certificate that is already revoked is reissued, too
 * @returns the new id; null if nobody holds this certificate, or it may not be reissued
 */
export function reissueCertificate(
  db: Database,
  id: string,
  now: Date,
  { canBeRevoked = true } = {},
): Promise<string | null> {
  return db.transaction(async (transaction) => {
    const [certificate] = await transaction
      .select()
      .from(certificates)
      .where(eq(certificates.id, id))
    if (!certificate) {
      return null
    }

    const { uid, courseId } = certificate
    await lockCourseProgress(transaction, uid, courseId)

    const [oldEntry] = await transaction
      .select()
      .from(certificateRegister)
      .where(eq(certificateRegister.id, id))
      .for('update')
    const [learner] = await transaction
      .select({ name: users.name })
      .from(users)
      .where(eq(users.id, uid))
    if (!oldEntry || !learner || oldEntry.replacedBy) {
      return null
    }

    if (oldEntry.revokedAt && !canBeRevoked) {
      return null
    }

    const certifiedLessons = await summarizeCertifiedLessons(transaction, uid, courseId)
    const newId = await createRegisterEntry(transaction, {
      courseId,
      courseTitle: oldEntry.courseTitle,
      ...certifiedLessons,
      examScore: oldEntry.examScore,
      examMaxScore: oldEntry.examMaxScore,
      issuedAt: now,
    })

    await transaction
      .update(certificates)
      .set({ id: newId, issuedAt: now, learnerName: toCertificateName(learner.name) })
      .where(eq(certificates.id, id))
    await transaction
      .update(certificateRegister)
      .set({ revokedAt: oldEntry.revokedAt ?? now, replacedBy: newId })
      .where(eq(certificateRegister.id, id))
    await recordActivity(transaction, uid, {
      id: `reissued:${newId}`,
      type: 'certificate',
      text: certificateActivities.reissued(oldEntry.courseTitle),
      at: now,
    })

    return newId
  })
}

/**
 * Reissues a certificate for its holder, in their current name. The school has to allow it.
 *
 * @returns the new id
 */
export async function reissueOwnCertificate(
  db: Database,
  { uid, id }: { uid: string; id: string },
  now: Date,
): Promise<Result<string>> {
  if (!canLearnersReissueCertificates()) {
    return failure(nameCorrection.notAllowed)
  }

  const [certificate] = await db
    .select({
      name: certificates.learnerName,
      accountName: users.name,
      revokedAt: certificateRegister.revokedAt,
    })
    .from(certificates)
    .innerJoin(users, eq(users.id, certificates.uid))
    .innerJoin(certificateRegister, eq(certificateRegister.id, certificates.id))
    .where(and(eq(certificates.id, id), eq(certificates.uid, uid)))
  if (!certificate) {
    return failure(notYourCertificate)
  }

  if (certificate.revokedAt) {
    return failure(nameCorrection.notValid)
  }

  if (certificate.name === toCertificateName(certificate.accountName)) {
    return failure(nameCorrection.sameName)
  }

  // Staff may revoke the certificate after it was read above.
  const newId = await reissueCertificate(db, id, now, { canBeRevoked: false })

  return newId === null ? failure(nameCorrection.notValid) : success(newId)
}
