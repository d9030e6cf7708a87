import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { identities } from '~/server/database/schema/index'
import { newId } from '../account-queries.server'
import { storedForms } from '../email-address/email-address.server'

export type PasswordAccount = { uid: string; banned: boolean; hash: string | null }

const passwordOf = (uid: string) => and(eq(identities.userId, uid), eq(identities.providerId, 'credential'))

/** The Argon2id hash of an account's password; null when it has none or only signs in by a provider. */
export async function findPasswordHash(db: Database, uid: string): Promise<string | null> {
  const [row] = await db.select({ password: identities.password }).from(identities).where(passwordOf(uid))
  return row?.password ?? null
}

/** Of a sign-in by password. @returns null for an unknown email address; `hash` is null as in `findPasswordHash`. */
export async function findPasswordAccount(db: Database, email: string): Promise<PasswordAccount | null> {
  const [canonical, former] = storedForms(email)
  const { rows } = await db.execute<PasswordAccount>(sql`
      select u.id as uid, u.banned, i.password as hash
      from users u left join identities i on i.user_id = u.id and i.provider_id = 'credential'
      where u.email in (${canonical}, ${former}) order by u.email = ${canonical} desc limit 1`)
  return rows[0] ?? null
}

/** Sets or replaces the password, after the account's email address was proven. */
export async function recordPassword(db: Statements, uid: string, hash: string): Promise<void> {
  await db
    .insert(identities)
    .values({ ...passwordIdentity(uid, hash), proven: true })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.accountId],
      set: { password: hash, proven: true, updatedAt: new Date() },
    })
}

/** The password of a new account, whose email address is not proven yet. */
export async function addPassword(db: Statements, uid: string, hash: string): Promise<void> {
  await db.insert(identities).values({ ...passwordIdentity(uid, hash), proven: false })
}

function passwordIdentity(uid: string, password: string) {
  return { id: newId(), userId: uid, providerId: 'credential', accountId: uid, password }
}
