import { eq, sql } from 'drizzle-orm'
import { lockCourseWork } from '~/features/enrollment/course-work-lock.server'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type { Database } from '~/server/database/client.server'
import { certificateRegister, certificates, users } from '~/server/database/schema'
import { enterInRegister, findCertifiedLessons } from './certificate-issuing.server'
import { certificateActivities } from './certificate-messages'
import { certificateName } from './certificate-text'

/**
 * An operator's change to a certificate. Idempotent.
 *
 * @param reason shown on the certificate's page.
 * @returns false for an unknown id.
 */
export function revokeCertificate(
  db: Database,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [revoked] = await transaction
      .update(certificateRegister)
      .set({
        revokedAt: sql`coalesce(${certificateRegister.revokedAt}, ${now.toISOString()}::timestamptz)`,
        revokedReason: reason,
      })
      .where(eq(certificateRegister.id, id))
      .returning({ courseTitle: certificateRegister.courseTitle })
    const [held] = await transaction
      .select({ uid: certificates.uid })
      .from(certificates)
      .where(eq(certificates.id, id))
    if (revoked && held) {
      const text = certificateActivities.revoked(revoked.courseTitle)
      await recordActivity(transaction, held.uid, {
        id: `revoked:${id}`,
        type: 'certificate',
        text,
        at: now,
      })
    }

    return revoked !== undefined
  })
}

/** The certificate's holder; null for an unknown or withdrawn one. */
export async function findCertificateHolder(
  db: Pick<Database, 'select'>,
  id: string,
): Promise<string | null> {
  const [held] = await db
    .select({ uid: certificates.uid })
    .from(certificates)
    .where(eq(certificates.id, id))
  return held?.uid ?? null
}

/**
 * Gives the holder a new certificate with today's name and lessons, and revokes the old one in its
 * favor. A revoked certificate can be issued again, too.
 *
 * @returns the new id; null if no account holds this certificate.
 */
export function reissueCertificate(db: Database, id: string, now: Date): Promise<string | null> {
  return db.transaction(async (transaction) => {
    const [held] = await transaction.select().from(certificates).where(eq(certificates.id, id))
    if (!held) {
      return null
    }

    await lockCourseWork(transaction, held.uid, held.courseId)
    const [old] = await transaction
      .select()
      .from(certificateRegister)
      .where(eq(certificateRegister.id, id))
      .for('update')
    const [learner] = await transaction
      .select({ name: users.name })
      .from(users)
      .where(eq(users.id, held.uid))
    if (!old || !learner || old.replacedBy) {
      return null
    }

    const { courseId, courseTitle, examScore, examMaxScore } = old
    const work = {
      ...(await findCertifiedLessons(transaction, held.uid, courseId)),
      examScore,
      examMaxScore,
    }
    const newId = await enterInRegister(transaction, {
      courseId,
      courseTitle,
      ...work,
      issuedAt: now,
    })

    await transaction
      .update(certificates)
      .set({ id: newId, issuedAt: now, learnerName: certificateName(learner.name) })
      .where(eq(certificates.id, id))
    await transaction
      .update(certificateRegister)
      .set({ revokedAt: old.revokedAt ?? now, replacedBy: newId })
      .where(eq(certificateRegister.id, id))
    const text = certificateActivities.reissued(courseTitle)
    await recordActivity(transaction, held.uid, {
      id: `reissued:${newId}`,
      type: 'certificate',
      text,
      at: now,
    })

    return newId
  })
}
