import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import type { AccountServiceCode } from '../account-errors'
import { endSessions, findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import {
  consumeOneTimeToken,
  findOneTimeToken,
  revokeOneTimeTokens,
} from '../one-time-tokens.server'
import { hasSecurityEventSince, recordSecurityEvent } from '../security/security-log.server'
import { findTwoFactor, removeApp } from '../two-factor/authenticator-app.server'
import { recordEmailVerified } from './owner-proof.server'

/**
 * The account behind a link, without its name: the person who registered, perhaps a stranger, chose
 * the name.
 */
export type Confirmation = { email: string; madeAt: string }

/** The page's content: a question for a valid link, otherwise the options without one. */
export type ConfirmationState =
  | ({ state: 'link'; token: string } & Confirmation)
  | { state: 'visitor'; expired: boolean }
  | { state: 'confirmed'; expired: boolean }
  | { state: 'unconfirmed'; email: string; expired: boolean }

/**
 * Reads the content of the page behind the link. Changes nothing, because mail scanners open links,
 * too.
 */
export async function findConfirmation(db: Database, token: string): Promise<Confirmation | null> {
  const uid = await findOneTimeToken(db, 'verify-email', token)
  const user = uid && (await findUser(db, uid))
  return user ? { email: user.email, madeAt: user.createdAt.toISOString() } : null
}

/**
 * Mails a new link to confirm the learner's email address.
 *
 * @returns null when it does, or why not.
 */
export async function requestConfirmation(
  service: AccountService,
  uid: string,
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  const user = await findUser(db, uid)
  if (!user || user.emailVerified) {
    return user ? null : 'not-signed-in'
  }

  if (!(await attempts.take(attemptLimits.confirmationByAccount, uid))) {
    return 'too-many-requests'
  }

  await queueMail(db, uid, 'confirmation')
  service.mailQueued()

  return null
}

/** @returns whose address it is; null for a link that is used, too old or unknown. */
export async function confirmEmail(db: Database, token: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const uid = await consumeOneTimeToken(tx, 'verify-email', token)
    if (!uid) {
      return null
    }

    await recordEmailVerified(tx, uid)
    await revokeOneTimeTokens(tx, uid, 'verify-email')

    return uid
  })
}

/**
 * The reader of the email didn't create the account: no one can sign in to it until its reader sets
 * a password with an emailed link. Nothing is deleted, so a mistake costs nothing.
 *
 * @returns false for a link that is used, too old or unknown.
 */
export async function disownAccount(
  db: Database,
  token: string,
  userAgent: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const uid = await consumeOneTimeToken(tx, 'verify-email', token)
    if (!uid) {
      return false
    }

    // Locks the account first, so that a sign-in under way either ends here or finds no password.
    await tx.select({ uid: users.id }).from(users).where(eq(users.id, uid)).for('update')
    await tx.delete(identities).where(eq(identities.userId, uid))
    await tx.delete(passkeys).where(eq(passkeys.userId, uid))
    // After an operator's change of the address, its reader may be the stranger: a second step from
    // before stays.
    const app = await findTwoFactor(tx, uid)
    if (
      app &&
      !(await hasSecurityEventSince(tx, uid, 'address-changed', app.enabledAt ?? app.createdAt))
    ) {
      await removeApp(tx, uid)
    }

    await endSessions(tx, uid)
    await revokeOneTimeTokens(tx, uid)
    await recordSecurityEvent(tx, uid, { kind: 'secured', userAgent })

    return true
  })
}
