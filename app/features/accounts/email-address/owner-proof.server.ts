/**
 * Proofs that the person who signs in owns the account's email.
 *
 * A stranger can register with anybody's email. So the first proven sign-in method removes every
 * method, session and link that was added before the proof, even if the email was confirmed in
 * between. docs/decisions/2026-11-21-proof-of-an-address.md has the reasons. better-auth's account
 * linking breaks this promise: it adds the provider and keeps the stranger's password and sessions.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { identities, passkeys, users } from '~/server/database/schema/index'
import { queueMail } from '~/server/mail/outbox.server'
import { endSessions, findUser } from '../account-queries.server'
import { revokeOneTimeTokens } from '../one-time-tokens.server'
import { passwordProviderId } from '../password/password-queries.server'
import { recordSecurityEvent } from '../security/security-log.server'

/**
 * Records that a provider or an emailed link has proved who owns the account. Locks the account, and
 * removes everything that may be a stranger's.
 *
 * @returns whether a password was removed
 */
export async function recordOwnerProof(db: Statements, uid: string): Promise<boolean> {
  const [user] = await db.select().from(users).where(eq(users.id, uid)).for('update')
  if (!user) {
    return false
  }

  const removedIdentities = await db
    .delete(identities)
    .where(and(eq(identities.userId, uid), eq(identities.proven, false)))
    .returning({ providerId: identities.providerId })
  if (removedIdentities.length > 0 || !user.emailVerified) {
    await db.delete(passkeys).where(eq(passkeys.userId, uid))
    await endSessions(db, uid)
    await revokeOneTimeTokens(db, uid)
  }

  await recordEmailVerified(db, uid)

  return removedIdentities.some(({ providerId }) => providerId === passwordProviderId)
}

/**
 * Records that emails to the account arrive. This does not prove that their reader set the account's
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

type ProviderClaims = {
  email?: string
  emailVerified?: boolean
  /** Whether the person signs in to this account with the provider for the first time. */
  isFirstSignIn: boolean
}

/**
 * Accepts a provider's claim that it has verified the account's email. At the first sign-in by this
 * provider, the claim proves that the person owns the account.
 */
export async function acceptProviderClaims(
  db: Database,
  uid: string,
  claims: ProviderClaims,
): Promise<void> {
  const user = await findUser(db, uid)
  if (!user || !claims.emailVerified || claims.email !== user.email) {
    return
  }

  if (!claims.isFirstSignIn) {
    return recordEmailVerified(db, uid)
  }

  await db.transaction(async (tx) => {
    const isPasswordRemoved = await recordOwnerProof(tx, uid)
    if (isPasswordRemoved) {
      await queueMail(tx, uid, 'password-removed')
      await recordSecurityEvent(tx, uid, { kind: 'password-removed', userAgent: null })
    }
  })
}

/** Marks a new identity as proven if the email of the account that it was added to is verified. */
export async function recordIdentityProof(db: Statements, identityId: string): Promise<void> {
  await db.execute(sql`
    update identities
    set proven = users.email_verified
    from users
    where identities.id = ${identityId}
      and users.id = identities.user_id`)
}
