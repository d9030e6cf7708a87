/**
 * Proofs that the person who signs in owns the account's email.
 *
 * A stranger can register with anybody's email. So the first proof removes every sign-in method,
 * session and link that was added before it, even if the owner of the email pressed 'Confirm' in
 * between. A provider that has verified the email is a proof, and so is a password that is set with
 * an emailed link. Whatever is added after a proof is proven, too.
 *
 * A verified email is less than a proof: it only says that emails arrive.
 *
 * docs/decisions/2026-11-21-proof-of-an-address.md has the reasons. better-auth's account linking
 * breaks this promise: it adds the provider and keeps the stranger's password and sessions.
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
 * Records that a provider or an emailed link has proved who owns the account. Locks the account. At
 * the first proof, removes everything that may be a stranger's.
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

  // An account with unproven identities, or whose email was never verified, may be a stranger's.
  const isFirstProof = removedIdentities.length > 0 || !user.emailVerified
  if (isFirstProof) {
    await db.delete(passkeys).where(eq(passkeys.userId, uid))
    await endSessions(db, uid)
    await revokeOneTimeTokens(db, uid)
  }

  await recordEmailVerified(db, uid)

  return removedIdentities.some(({ providerId }) => providerId === passwordProviderId)
}

/**
 * Records that emails to the account arrive. This does not prove that their reader set the
 * account's password.
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

/**
 * Records that an emailed link was opened, so that emails to the account arrive now. Announcements
 * that bounced before then are forgotten.
 */
export async function recordEmailArrival(db: Statements, uid: string): Promise<void> {
  const now = new Date()
  await db
    .update(users)
    .set({ emailVerified: true, emailVerifiedAt: now, updatedAt: now })
    .where(eq(users.id, uid))
}

type ProviderClaims = {
  email?: string
  emailVerified?: boolean
  /**
   * Whether the person signs in to this account with the provider for the first time, without being
   * signed in to it already.
   */
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

/**
 * Marks a new identity as proven, unless the account has an unproven one: whoever added the new
 * identity may be the stranger who signs in with the unproven one.
 */
export async function markIdentityIfProven(db: Statements, identityId: string): Promise<void> {
  await db.execute(sql`
    update identities
    set proven = users.email_verified
      and not exists (
        select from identities other
        where other.user_id = users.id
          and other.id <> identities.id
          and not other.proven
      )
    from users
    where identities.id = ${identityId}
      and users.id = identities.user_id`)
}
