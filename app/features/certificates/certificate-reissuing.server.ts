/**
 * Revokes and reissues certificates. The register keeps a revoked entry, so that everyone who has
 * its link can see what became of the certificate.
 */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Database } from '~/server/database/client.server'
import { certificateRegister, certificates, users } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { canLearnersReissueCertificates } from '~/server/site/site.server'
import { measureCertifiedLessons } from './certificate-issuing.server'
import { certificateMessages } from './certificate-messages'
import { createRegisterEntry } from './certificate-register.server'
import { toCertificateName } from './certificate-rules'

/**
 * Revokes a certificate. Revoking it again keeps the first date and replaces the reason.
 *
 * @param reason is shown on the certificate's public page
 * @returns false for an unknown ID, and for a certificate that was reissued: its replacement would
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
        text: certificateMessages.activities.revoked(entry.courseTitle),
        at: now,
      })
    }

    return true
  })
}

/**
 * Gives the holder a new certificate with their current name and lessons, and revokes the previous
 * one, which then links to its replacement.
 *
 * @param options.canBeRevoked whether a certificate that is already revoked is reissued, too
 * @returns the new ID; null if nobody holds this certificate, it was replaced before, or it may not
 *   be reissued
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

    const [previousEntry] = await transaction
      .select()
      .from(certificateRegister)
      .where(eq(certificateRegister.id, id))
      .for('update')
    const [learner] = await transaction
      .select({ name: users.name })
      .from(users)
      .where(eq(users.id, uid))
    if (!previousEntry || !learner || previousEntry.replacedBy) {
      return null
    }

    if (previousEntry.revokedAt && !canBeRevoked) {
      return null
    }

    const certifiedLessons = await measureCertifiedLessons(transaction, uid, courseId)
    const newId = await createRegisterEntry(transaction, {
      courseId,
      courseTitle: previousEntry.courseTitle,
      ...certifiedLessons,
      examScore: previousEntry.examScore,
      examMaxScore: previousEntry.examMaxScore,
      issuedAt: now,
    })

    await transaction
      .update(certificates)
      .set({ id: newId, issuedAt: now, learnerName: toCertificateName(learner.name) })
      .where(eq(certificates.id, id))
    await transaction
      .update(certificateRegister)
      .set({ revokedAt: previousEntry.revokedAt ?? now, replacedBy: newId })
      .where(eq(certificateRegister.id, id))
    await recordActivity(transaction, uid, {
      id: `reissued:${newId}`,
      type: 'certificate',
      text: certificateMessages.activities.reissued(previousEntry.courseTitle),
      at: now,
    })

    return newId
  })
}

/**
 * Reissues a certificate for its holder, in their current name. The school has to allow it.
 *
 * @returns the new ID
 */
export async function reissueOwnCertificate(
  db: Database,
  { uid, id }: { uid: string; id: string },
  now: Date,
): Promise<Result<string>> {
  if (!canLearnersReissueCertificates()) {
    return failure(certificateMessages.nameCorrection.notAllowed)
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
    return failure(certificateMessages.notYourCertificate)
  }

  if (certificate.revokedAt) {
    return failure(certificateMessages.nameCorrection.notValid)
  }

  if (certificate.name === toCertificateName(certificate.accountName)) {
    return failure(certificateMessages.nameCorrection.sameName)
  }

  // Staff may revoke the certificate after it was read above.
  const newId = await reissueCertificate(db, id, now, { canBeRevoked: false })

  return newId === null ? failure(certificateMessages.nameCorrection.notValid) : success(newId)
}

/** Returns the learner who holds a certificate; null if nobody does or the ID is unknown. */
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
