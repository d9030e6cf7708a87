import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { identities } from '~/server/database/schema/index'
import { queueMail } from '~/server/outbox.server'
import type { AccountServiceCode } from '../account-codes'
import { endSessions, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { consumeMailedToken, findMailedToken, revokeMailedTokens } from '../mail/mailed-tokens.server'
import { recordEmailVerified } from './email-proof.server'

/** The account that a link asks about. Its name is left out, because whoever made the account chose it. */
export type Confirmation = { email: string; madeAt: string }

/** What the page shows: the question of a link that works, or what can be done without one. */
export type ConfirmationState =
  | ({ state: 'link'; token: string } & Confirmation)
  | { state: 'visitor'; expired: boolean }
  | { state: 'confirmed'; expired: boolean }
  | { state: 'unconfirmed'; email: string; expired: boolean }

/** What the page behind the link shows. Changes nothing, because mail scanners open links, too. */
export async function findConfirmation(db: Database, token: string): Promise<Confirmation | null> {
  const uid = await findMailedToken(db, 'verify-email', token)
  const user = uid && (await findUser(db, uid))
  return user ? { email: user.email, madeAt: user.createdAt.toISOString() } : null
}

/** Mails a new link to confirm the learner's email address. @returns null when it does, or why not. */
export async function requestConfirmation(service: AccountService, uid: string): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  const user = await findUser(db, uid)
  if (!user || user.emailVerified) return user ? null : 'not-signed-in'
  if (!(await attempts.take(attemptLimits.confirmationByAccount, uid))) return 'too-many-requests'
  await queueMail(db, uid, 'confirmation')
  service.mailQueued()
  return null
}

/** @returns whose address it is; null for a link that is used, too old or unknown. */
export async function confirmEmail(db: Database, token: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const uid = await consumeMailedToken(tx, 'verify-email', token)
    if (!uid) return null
    await recordEmailVerified(tx, uid)
    await revokeMailedTokens(tx, uid, 'verify-email')
    return uid
  })
}

/**
 * The reader of the email didn't create the account: no one can sign in to it until its reader sets a password with
 * an emailed link. Nothing is deleted, so a mistake costs nothing.
 *
 * @returns false for a link that is used, too old or unknown.
 */
export async function disownAccount(db: Database, token: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const uid = await consumeMailedToken(tx, 'verify-email', token)
    if (!uid) return false
    await tx.delete(identities).where(eq(identities.userId, uid))
    await endSessions(tx, uid)
    await revokeMailedTokens(tx, uid)
    return true
  })
}
