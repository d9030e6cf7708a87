import { createHash } from 'node:crypto'
import { and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { type Database, db as primaryDb } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { readPublic } from '~/server/database/read-replica.server'
import { certificateRegister, certificates, courses, users } from '~/server/database/schema'
import { canLearnersReissueCertificates } from '~/server/site/site.server'
import {
  type CertificateStatus,
  type CertifiedProgress,
  getCertificateStatus,
  getInitials,
  type PublicCertificate,
  toCertificateName,
} from './certificate-rules'
import type { CredentialData } from './credential/credential-document'

/**
 * Reads from the replica first. A certificate that was just issued may not have reached the replica
 * yet, so a missing one is looked up in the primary database.
 */
export async function readFromReplicaOrPrimary<T>(
  find: (db: Database) => Promise<T | null>,
): Promise<T | null> {
  const fromReplica = await readPublic(find)
  return fromReplica ?? find(primaryDb)
}

/** Returns what the public page shows of a certificate; null for an ID that was never issued. */
export async function findCertificate(db: Database, id: string): Promise<PublicCertificate | null> {
  const [row] = await db
    .select({
      entry: certificateRegister,
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

  const { entry, learnerName, published, timezone } = row
  const hasHolder = learnerName !== null
  const showsName = row.showsName ?? false

  return {
    id,
    status: getCertificateStatus({ revokedAt: entry.revokedAt, hasHolder }),
    name: hasHolder ? getDisplayedName(learnerName, showsName) : null,
    showsName,
    course: { id: entry.courseId, title: entry.courseTitle, published },
    progress: pickCertifiedProgress(entry),
    issuedAt: entry.issuedAt,
    timezone: timezone ?? 'UTC',
    revokedAt: entry.revokedAt,
    revokedReason: entry.revokedReason,
    replacedBy: entry.replacedBy,
  }
}

function getDisplayedName(learnerName: string, showsName: boolean): string {
  return showsName ? learnerName : getInitials(learnerName)
}

/**
 * Returns the data that goes into a certificate's signed credential; null if the ID is unknown or
 * nobody holds the certificate.
 */
export async function findCredentialData(
  db: Database,
  id: string,
  origin: string,
): Promise<CredentialData | null> {
  const [row] = await db
    .select({
      entry: certificateRegister,
      certificate: certificates,
      email: users.email,
      courseDescription: courses.summary,
    })
    .from(certificateRegister)
    .innerJoin(courses, eq(courses.id, certificateRegister.courseId))
    .innerJoin(certificates, eq(certificates.id, certificateRegister.id))
    .innerJoin(users, eq(users.id, certificates.uid))
    .where(eq(certificateRegister.id, id))
  if (!row) {
    return null
  }

  const { entry, certificate, email, courseDescription } = row

  return {
    origin,
    certificateId: id,
    course: { id: entry.courseId, title: entry.courseTitle, description: courseDescription },
    progress: pickCertifiedProgress(entry),
    issuedAt: entry.issuedAt,
    wordingVersion: entry.wordingVersion,
    statusListNumber: entry.statusListNumber,
    statusIndex: entry.statusIndex,
    learnerName: certificate.showsName ? certificate.learnerName : null,
    // Open Badges wants the email's hash with a salt that is public. The ID differs for each
    // certificate.
    emailHash: createHash('sha256').update(`${email}${id}`).digest('hex'),
    salt: id,
  }
}

function pickCertifiedProgress(entry: CertifiedProgress): CertifiedProgress {
  const { lessons, materialSeconds, examScore, examMaxScore } = entry
  return { lessons, materialSeconds, examScore, examMaxScore }
}

/**
 * Returns the indexes of a status list whose certificates are revoked, replaced or withdrawn; null
 * if the list does not exist.
 */
export async function listInvalidStatusIndexes(
  db: Database,
  listNumber: number,
): Promise<number[] | null> {
  const [row] = await db
    .select({ newestListNumber: sql<number | null>`max(${certificateRegister.statusListNumber})` })
    .from(certificateRegister)
  // The first list exists before any certificate does.
  const newestListNumber = row?.newestListNumber ?? 1
  if (listNumber < 1 || listNumber > newestListNumber) {
    return null
  }

  const rows = await db
    .select({ index: certificateRegister.statusIndex })
    .from(certificateRegister)
    .leftJoin(certificates, eq(certificates.id, certificateRegister.id))
    .where(
      and(
        eq(certificateRegister.statusListNumber, listNumber),
        // Without a row in `certificates`, the certificate is withdrawn. A replaced one is revoked.
        or(isNull(certificates.id), isNotNull(certificateRegister.revokedAt)),
      ),
    )
    .orderBy(certificateRegister.statusIndex)

  return rows.map(({ index }) => index)
}

/** What only the holder of a certificate sees on its public page. */
export type HolderView = {
  showsName: boolean
  /** The name on the certificate. */
  name: string
  /** The name that a certificate would have if it were issued now. */
  currentName: string
  /** Whether the school lets holders reissue certificates. */
  canReissue: boolean
}

/** Returns null unless this learner holds the certificate. */
export async function findHolderView(
  db: Database,
  uid: string,
  id: string,
): Promise<HolderView | null> {
  const [row] = await db
    .select({
      showsName: certificates.showsName,
      name: certificates.learnerName,
      accountName: users.name,
    })
    .from(certificates)
    .innerJoin(users, eq(users.id, certificates.uid))
    .where(and(eq(certificates.uid, uid), eq(certificates.id, id)))
  if (!row) {
    return null
  }

  const { showsName, name, accountName } = row
  return {
    showsName,
    name,
    currentName: toCertificateName(accountName),
    canReissue: canLearnersReissueCertificates(),
  }
}

/**
 * Saves whether a certificate's public page shows the full name.
 *
 * @returns false unless this learner holds the certificate
 */
export async function recordNameChoice(
  db: Database,
  uid: string,
  id: string,
  showsName: boolean,
): Promise<boolean> {
  const updatedRows = await db
    .update(certificates)
    .set({ showsName })
    .where(and(eq(certificates.uid, uid), eq(certificates.id, id)))
    .returning({ id: certificates.id })

  return updatedRows.length > 0
}

export type LearnerCertificate = {
  id: string
  courseTitle: string
  issuedAt: string
  status: CertificateStatus
}

/** Returns a learner's certificates, newest first. */
export async function listCertificates(db: Database, uid: string): Promise<LearnerCertificate[]> {
  const rows = await db
    .select({ entry: certificateRegister })
    .from(certificates)
    .innerJoin(certificateRegister, eq(certificateRegister.id, certificates.id))
    .where(eq(certificates.uid, uid))
    .orderBy(desc(certificateRegister.issuedAt))

  return rows.map(({ entry }) => ({
    id: entry.id,
    courseTitle: entry.courseTitle,
    issuedAt: entry.issuedAt.toISOString(),
    status: getCertificateStatus({ revokedAt: entry.revokedAt, hasHolder: true }),
  }))
}

export type WaitingCertificate = {
  courseId: string
  courseTitle: string
  isEmailConfirmed: boolean
}

const maxWaitingCertificates = 100

/**
 * Returns the certificates that are earned but not issued, because the learner has not confirmed
 * the email or the next background job has not run yet. The longest wait comes first.
 */
export async function listWaitingCertificates(
  db: Database,
  uid: string,
): Promise<WaitingCertificate[]> {
  const { rows } = await db.execute<WaitingCertificate>(sql`
    select
      c.id as "courseId",
      c.title as "courseTitle",
      u.email_verified as "isEmailConfirmed"
    from enrollments e
    join courses c on c.id = e.course_id
    join users u on u.id = e.uid
    where e.uid = ${uid}
      and e.certificate_waits_since is not null
    order by e.certificate_waits_since, c.id
    limit ${maxWaitingCertificates}`)

  return rows
}

/**
 * Returns the register's entries for a learner's certificates and for those that they replaced,
 * newest first.
 */
export async function listRegisterEntries(db: Database, uid: string) {
  const { rows } = await db.execute(sql`
    with recursive entries as (
      select r.*
      from certificates c
      join certificate_register r on r.id = c.id
      where c.uid = ${uid}
      union
      select replaced.*
      from certificate_register replaced
      join entries on replaced.replaced_by = entries.id
    )
    select
      id,
      course_id as "courseId",
      course_title as "courseTitle",
      lessons,
      material_seconds as "materialSeconds",
      exam_score as "examScore",
      exam_max_score as "examMaxScore",
      ${isoText(sql`issued_at`)} as "issuedAt",
      ${isoText(sql`revoked_at`)} as "revokedAt",
      revoked_reason as "revokedReason",
      replaced_by as "replacedBy"
    from entries
    order by issued_at desc, id`)

  return rows
}
