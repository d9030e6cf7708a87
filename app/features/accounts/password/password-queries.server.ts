/**
 * Reads and writes the passwords of accounts. better-auth stores a password in the table
 * `identities`, like an identity at a provider.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { identities } from '~/server/database/schema/index'
import { generateId } from '../account-queries.server'
import { getStoredForms } from '../email-address/email-address.server'

export type PasswordAccount = {
  uid: string
  isDisabled: boolean
  /** The Argon2id hash; null for an account that only signs in by a provider or a passkey. */
  passwordHash: string | null
}

/** better-auth's name for the identity that holds an account's password. */
export const passwordProviderId = 'credential'

/** Returns the Argon2id hash of the account's password, or null if the account has no password. */
export async function findPasswordHash(db: Database, uid: string): Promise<string | null> {
  const [row] = await db
    .select({ password: identities.password })
    .from(identities)
    .where(and(eq(identities.userId, uid), eq(identities.providerId, passwordProviderId)))

  return row?.password ?? null
}

/**
 * Returns the account with this email and its password hash, or null if there is no such account.
 */
export async function findPasswordAccount(
  db: Database,
  email: string,
): Promise<PasswordAccount | null> {
  const [canonicalEmail, legacyEmail] = getStoredForms(email)
  const { rows } = await db.execute<PasswordAccount>(sql`
    select
      users.id as uid,
      users.banned as "isDisabled",
      identities.password as "passwordHash"
    from users
    left join identities
      on identities.user_id = users.id
      and identities.provider_id = ${passwordProviderId}
    where users.email in (${canonicalEmail}, ${legacyEmail})
    order by users.email = ${canonicalEmail} desc
    limit 1`)

  return rows[0] ?? null
}

/** Sets or replaces the password of an account whose owner has proved that the email is theirs. */
export async function recordPassword(
  db: Statements,
  uid: string,
  passwordHash: string,
): Promise<void> {
  await db
    .insert(identities)
    .values({ ...createPasswordIdentity(uid, passwordHash), proven: true })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.accountId],
      set: { password: passwordHash, proven: true, updatedAt: new Date() },
    })
}

/** Sets the password of a new account, whose email has not been proved yet. */
export async function addUnprovenPassword(
  db: Statements,
  uid: string,
  passwordHash: string,
): Promise<void> {
  await db
    .insert(identities)
    .values({ ...createPasswordIdentity(uid, passwordHash), proven: false })
}

function createPasswordIdentity(uid: string, passwordHash: string) {
  return {
    id: generateId(),
    userId: uid,
    providerId: passwordProviderId,
    accountId: uid,
    password: passwordHash,
  }
}
