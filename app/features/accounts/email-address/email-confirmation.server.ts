import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
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
import { happenedSince, recordSecurityEvent } from '../security/security-log.server'
import { findTwoFactor, removeApp } from '../two-factor/authenticator-app.server'

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
    if (app && !(await happenedSince(tx, uid, 'address-changed', app.enabledAt ?? app.createdAt))) {
      await removeApp(tx, uid)
    }

    await endSessions(tx, uid)
    await revokeOneTimeTokens(tx, uid)
    await recordSecurityEvent(tx, uid, { kind: 'secured', userAgent })

    return true
  })
}

/**
 * The account's address was proven, by a provider or by a link to set a password. A way to sign in
 * that was added before may belong to a stranger, even if the address was confirmed in between: it
 * is removed, with every session and every mailed link
 * (docs/decisions/2026-11-21-proof-of-an-address.md).
 *
 * @returns true if a password was removed.
 */
export async function proveOwner(db: Statements, uid: string): Promise<boolean> {
  const [user] = await db.select().from(users).where(eq(users.id, uid)).for('update')
  if (!user) {
    return false
  }

  const removed = await db
    .delete(identities)
    .where(and(eq(identities.userId, uid), eq(identities.proven, false)))
    .returning({ providerId: identities.providerId })
  if (removed.length > 0 || !user.emailVerified) {
    await db.delete(passkeys).where(eq(passkeys.userId, uid))
    await endSessions(db, uid)
    await revokeOneTimeTokens(db, uid)
  }

  await recordEmailVerified(db, uid)

  return removed.some(({ providerId }) => providerId === 'credential')
}

/**
 * A confirmed address proves that email arrives there, not that the reader set the account's
 * password.
 */
export async function recordEmailVerified(db: Statements, uid: string): Promise<void> {
  await db
    .update(users)
    .set({
      emailVerified: true,
      emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, now())`,
      updatedAt: new Date(),
    })
    .where(eq(users.id, uid))
}

/** The provider's claims about the person signing in. */
export type ProviderWord = { email?: string; emailVerified?: boolean; firstTime: boolean }

/**
 * Accepts the provider's claim about the account's address; at the first sign-in by this provider,
 * the claim proves the owner.
 */
export async function proveByProvider(
  db: Database,
  uid: string,
  word: ProviderWord,
): Promise<void> {
  const user = await findUser(db, uid)
  if (!user || !word.emailVerified || word.email !== user.email) {
    return
  }

  if (!word.firstTime) {
    return recordEmailVerified(db, uid)
  }

  await db.transaction(async (tx) => {
    if (!(await proveOwner(tx, uid))) {
      return
    }

    await queueMail(tx, uid, 'password-removed')
    await recordSecurityEvent(tx, uid, { kind: 'password-removed', userAgent: null })
  })
}

/**
 * A new way to sign in by a provider is as good as the address of the account that it was just
 * added to.
 */
export async function recordProviderProof(db: Statements, identityId: string): Promise<void> {
  await db.execute(sql`
    update identities i set proven = u.email_verified from users u where i.id = ${identityId} and u.id = i.user_id`)
}
