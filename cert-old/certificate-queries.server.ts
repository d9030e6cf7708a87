import { createHash } from 'node:crypto'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { type Database, db } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { readPublic } from '~/server/database/read-replica.server'
import { certificateRegister, certificates, courses, users } from '~/server/database/schema'
import type { CertifiedWork } from './certificate-issuing.server'
import { type CertificateState, certificateState, initialsOf } from './certificate-text'
import type { CredentialFacts } from './credential/credential-document'

/** The public facts of a certificate. */
export type PublicCertificate = {
  id: string
  state: CertificateState
  /** Full name or initials, as the learner chose; null once withdrawn. */
  name: string | null
  showsName: boolean
  course: { id: string; title: string; published: boolean }
  work: CertifiedWork
  issuedAt: Date
  /** The learner's, by which the date of issue is shown; UTC once the learner has left. */
  timezone: string
  revokedAt: Date | null
  revokedReason: string | null
  /** Id of the certificate that an operator issued in its place. */
  replacedBy: string | null
}

/** @returns null for an id that was never given out. */
export async function findCertificate(db: Database, id: string): Promise<PublicCertificate | null> {
  const [row] = await db
    .select({
      register: certificateRegister,
      learnerName: certificates.learnerName,
      showsName: certificates.showsName,
      published: courses.published,
      timezone: users.displayTimezone,
    })
    .from(certificateRegister)
    .innerJoin(courses, eq(courses.id, certificateRegister.courseId))
    .leftJoin(certificates, eq(certificates.id, certificateRegister.id))
    .leftJoin(users, eq(users.id, certificates.uid))
    .where(eq(certificateRegister.id, id))

  if (!row) {
    return null
  }

  const { register, learnerName, showsName, published, timezone } = row

  return {
    id,
    state: certificateState({ revokedAt: register.revokedAt, held: learnerName !== null }),
    name: learnerName === null ? null : displayedName(learnerName, showsName ?? false),
    showsName: showsName ?? false,
    course: { id: register.courseId, title: register.courseTitle, published },
    work: workOf(register),
    issuedAt: register.issuedAt,
    timezone: timezone ?? 'UTC',
    revokedAt: register.revokedAt,
    revokedReason: register.revokedReason,
    replacedBy: register.replacedBy,
  }
}

function displayedName(learnerName: string, showsName: boolean): string {
  return showsName ? learnerName : initialsOf(learnerName)
}

/**
 * The facts in the signed credential of a certificate.
 *
 * @returns null for an unknown or withdrawn one, which has no learner.
 */
export async function findCredentialFacts(
  db: Database,
  id: string,
  origin: string,
): Promise<CredentialFacts | null> {
  const [row] = await db
    .select({
      register: certificateRegister,
      held: certificates,
      email: users.email,
      description: courses.summary,
    })
    .from(certificateRegister)
    .innerJoin(courses, eq(courses.id, certificateRegister.courseId))
    .innerJoin(certificates, eq(certificates.id, certificateRegister.id))
    .innerJoin(users, eq(users.id, certificates.uid))
    .where(eq(certificateRegister.id, id))

  if (!row) {
    return null
  }

  const { register, held, email, description } = row
  const { courseId, courseTitle, issuedAt, wording, statusList, statusIndex } = register

  return {
    origin,
    id,
    course: { id: courseId, title: courseTitle, description },
    work: workOf(register),
    issuedAt,
    wording,
    statusList,
    statusIndex,
    name: held.showsName ? held.learnerName : null,
    emailHash: createHash('sha256').update(`${email}${id}`).digest('hex'),
    salt: id,
  }
}

function workOf({
  lessons,
  materialSeconds,
  examScore,
  examMaxScore,
}: CertifiedWork): CertifiedWork {
  return { lessons, materialSeconds, examScore, examMaxScore }
}

/**
 * Places of a status list that are revoked, replaced or withdrawn; null if there is no such list.
 */
export async function findRevokedPlaces(db: Database, list: number): Promise<number[] | null> {
  const [{ newest } = { newest: null }] = await db
    .select({ newest: sql<number | null>`max(${certificateRegister.statusList})` })
    .from(certificateRegister)
  // The first list exists from the start, empty.
  if (list < 1 || list > Math.max(newest ?? 1, 1)) {
    return null
  }

  const rows = await db
    .select({ place: certificateRegister.statusIndex })
    .from(certificateRegister)
    .leftJoin(certificates, eq(certificates.id, certificateRegister.id))
    .where(
      and(
        eq(certificateRegister.statusList, list),
        or(isNull(certificates.id), sql`${certificateRegister.revokedAt} is not null`),
      ),
    )
    .orderBy(certificateRegister.statusIndex)

  return rows.map(({ place }) => place)
}

/** The part of a certificate's public page that only its holder sees. */
export type HolderView = { showsName: boolean; name: string }

/** The holder's part of a certificate's page; null for everyone else. */
export async function findHolderView(
  db: Database,
  uid: string,
  id: string,
): Promise<HolderView | null> {
  const [held] = await db
    .select({ showsName: certificates.showsName, name: certificates.learnerName })
    .from(certificates)
    .where(and(eq(certificates.uid, uid), eq(certificates.id, id)))
  return held ?? null
}

/**
 * The learner's choice for the public page.
 *
 * @returns false if this learner holds no such certificate.
 */
export async function recordNameChoice(
  db: Database,
  uid: string,
  id: string,
  showsName: boolean,
): Promise<boolean> {
  const rows = await db
    .update(certificates)
    .set({ showsName })
    .where(and(eq(certificates.uid, uid), eq(certificates.id, id)))
    .returning({ id: certificates.id })

  return rows.length > 0
}

export type WaitingCertificate = {
  courseId: string
  courseTitle: string
  addressConfirmed: boolean
}

/** The maximum on a page. */
const certificatesListed = 100

export type HeldCertificate = {
  id: string
  courseTitle: string
  issuedAt: string
  state: CertificateState
}

/** A learner's certificates, newest first. */
export async function listCertificates(db: Database, uid: string): Promise<HeldCertificate[]> {
  const rows = await db
    .select({ register: certificateRegister })
    .from(certificates)
    .innerJoin(certificateRegister, eq(certificateRegister.id, certificates.id))
    .where(eq(certificates.uid, uid))
    .orderBy(sql`${certificateRegister.issuedAt} desc`)

  return rows.map(({ register }) => ({
    id: register.id,
    courseTitle: register.courseTitle,
    issuedAt: register.issuedAt.toISOString(),
    state: certificateState({ revokedAt: register.revokedAt, held: true }),
  }))
}

/**
 * Courses whose certificate is earned and waits for the address to be confirmed, the longest wait
 * first.
 */
export async function listWaitingCertificates(
  db: Database,
  uid: string,
): Promise<WaitingCertificate[]> {
  const { rows } = await db.execute<WaitingCertificate>(sql`
    select c.id as "courseId", c.title as "courseTitle", u.email_verified as "addressConfirmed"
    from enrollments e join courses c on c.id = e.course_id join users u on u.id = e.uid
    where e.uid = ${uid} and e.certificate_waits_since is not null
    order by e.certificate_waits_since, c.id limit ${certificatesListed}`)

  return rows
}

/**
 * The register's entries for a learner's certificates and those that they replaced, newest first.
 */
export async function listRegisterEntries(db: Database, uid: string) {
  const { rows } = await db.execute(sql`
    with recursive mine as (
      select r.* from certificates c join certificate_register r on r.id = c.id where c.uid = ${uid}
      union select old.* from certificate_register old join mine on old.replaced_by = mine.id
    )
    select id, course_id as "courseId", course_title as "courseTitle", lessons, material_seconds as "materialSeconds",
      exam_score as "examScore", exam_max_score as "examMaxScore",
      ${isoText(sql`issued_at`)} as "issuedAt", ${isoText(sql`revoked_at`)} as "revokedAt", revoked_reason as "revokedReason", replaced_by as "replacedBy"
    from mine order by issued_at desc, id`)

  return rows
}

/**
 * Reads a public certificate from the replica, and from the primary when the replica doesn't have
 * it yet.
 */
export async function readCertificate<T>(
  find: (db: Database) => Promise<T | null>,
): Promise<T | null> {
  return (await readPublic(find)) ?? find(db)
}
