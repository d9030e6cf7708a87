import { and, eq } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { prepared } from '~/server/database/prepared.server'
import { identities } from '~/server/database/schema/index'
import { newId } from '../account-queries.server'

const passwordOf = (uid: string) => and(eq(identities.userId, uid), eq(identities.providerId, 'credential'))

/** The Argon2id hash of an account's password; null when it has none or only signs in by a provider. */
export async function findPasswordHash(db: Database, uid: string): Promise<string | null> {
  const [row] = await prepared(db.select({ password: identities.password }).from(identities).where(passwordOf(uid)))
  return row?.password ?? null
}

/**
 * Whether the password is still the one that was just checked. Waits for whoever is taking it away, so that of a sign-in
 * and that removal at the same moment one always sees the other.
 */
export async function isPasswordUnchanged(db: Database, uid: string, hash: string): Promise<boolean> {
  const password = db.select({ password: identities.password }).from(identities).where(passwordOf(uid))
  const [row] = await prepared(password.for('share'))
  return row?.password === hash
}

/** Sets or replaces the password, for whoever has proven the account's email address. */
export async function recordPassword(db: Statements, uid: string, hash: string): Promise<void> {
  await db
    .insert(identities)
    .values({ ...passwordIdentity(uid, hash), proven: true })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.accountId],
      set: { password: hash, proven: true, updatedAt: new Date() },
    })
}

export function passwordIdentity(uid: string, password: string) {
  return { id: newId(), userId: uid, providerId: 'credential', accountId: uid, password }
}
