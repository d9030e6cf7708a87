import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { identities, users } from '~/server/database/schema/index'
import { queueMail } from '~/server/outbox.server'
import { endSessions, findUser } from '../account-queries.server'
import { revokeMailedTokens } from '../mail/mailed-tokens.server'

/**
 * Whoever comes now has proven, by a provider or by a link to set a password, that the account's address is theirs. A way
 * to sign in that was added before is somebody else's for all we know, even if the address was confirmed in between: it
 * goes, and with it every session and every mailed link (docs/decisions/2026-11-21-proof-of-an-address.md).
 *
 * @returns true if a password was removed.
 */
export async function proveOwner(db: Statements, uid: string): Promise<boolean> {
  const [user] = await db.select().from(users).where(eq(users.id, uid)).for('update')
  if (!user) return false
  const removed = await db
    .delete(identities)
    .where(and(eq(identities.userId, uid), eq(identities.proven, false)))
    .returning({ providerId: identities.providerId })
  if (removed.length > 0 || !user.emailVerified) {
    await endSessions(db, uid)
    await revokeMailedTokens(db, uid)
  }
  await recordEmailVerified(db, uid)
  return removed.some(({ providerId }) => providerId === 'credential')
}

/** A confirmed address proves that email arrives there, not that the reader set the account's password. */
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

/** What a provider says about the person signing in. */
export type ProviderWord = { email?: string; emailVerified?: boolean; firstTime: boolean }

/**
 * Believes a provider's word about the account's address; at the first sign-in by it that word makes the account
 * theirs.
 */
export async function proveByProvider(db: Database, uid: string, word: ProviderWord): Promise<void> {
  const user = await findUser(db, uid)
  if (!user || !word.emailVerified || word.email !== user.email) return
  if (!word.firstTime) return recordEmailVerified(db, uid)
  await db.transaction(async (tx) => {
    if (await proveOwner(tx, uid)) await queueMail(tx, uid, 'password-removed')
  })
}

/** A new way to sign in by a provider is as good as the address of the account that it was just added to. */
export async function recordProviderProof(db: Database, identityId: string): Promise<void> {
  await db.execute(sql`
    update identities i set proven = u.email_verified from users u where i.id = ${identityId} and u.id = i.user_id`)
}
