/**
 * Proofs that the person who signs in owns the account's email address.
 *
 * A stranger can register any email address. So the first proven way to sign in removes every way,
 * session and link that was added before the proof, even if the email address was confirmed in
 * between. docs/decisions/2026-11-21-proof-of-an-address.md has the reasons.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import { endSessions, findUser } from '../account-queries.server'
import { revokeOneTimeTokens } from '../one-time-tokens.server'
import { recordSecurityEvent } from '../security/security-log.server'

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
