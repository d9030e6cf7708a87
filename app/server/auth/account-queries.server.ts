import { randomBytes } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database, Statements } from '../database/client.server'
import { identities, sessions, users, verifications } from '../database/schema'
import { queueMail } from '../outbox.server'
import type { SessionUser } from './account-codes'

export type UserRow = typeof users.$inferSelect

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user ?? null
}

export async function findUser(db: Database, uid: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  return user ?? null
}

/** The Argon2id hash of an account's password; null when it has none or only signs in by a provider. */
export async function findPasswordHash(db: Database, uid: string): Promise<string | null> {
  const [row] = await db.select({ password: identities.password }).from(identities).where(passwordOf(uid))
  return row?.password ?? null
}

/**
 * Whether the password is still the one that was just checked. Waits for whoever is taking it away, so that of a sign-in
 * and that removal at the same moment one always sees the other.
 */
export async function isPasswordStill(db: Database, uid: string, hash: string): Promise<boolean> {
  const [row] = await db.select({ password: identities.password }).from(identities).where(passwordOf(uid)).for('share')
  return row?.password === hash
}

const passwordOf = (uid: string) => and(eq(identities.userId, uid), eq(identities.providerId, 'credential'))

/**
 * Writes the account, its profile record, its password and its welcome mail, all or nothing.
 *
 * @returns null when the address has an account already, even if it was made a moment ago.
 */
export async function recordEmailAccount(
  db: Database,
  account: { email: string; firstName: string; lastName: string; passwordHash: string; welcome: boolean },
): Promise<UserRow | null> {
  const { email, firstName, lastName, passwordHash, welcome } = account
  return db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({ id: newId(), email, firstName, lastName, name: `${firstName} ${lastName}`, provider: 'email' })
      .onConflictDoNothing({ target: users.email })
      .returning()
    if (!user) return null
    await tx.insert(identities).values(passwordIdentity(user.id, passwordHash))
    if (welcome) await queueMail(tx, user.id, 'welcome')
    return user
  })
}

function passwordIdentity(uid: string, password: string) {
  return { id: newId(), userId: uid, providerId: 'credential', accountId: uid, password }
}

function newId(): string {
  return randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')
}

/** Sets or replaces the password, for whoever has proven the account's address. */
export async function recordPassword(db: Statements, uid: string, hash: string): Promise<void> {
  await db
    .insert(identities)
    .values({ ...passwordIdentity(uid, hash), proven: true })
    .onConflictDoUpdate({
      target: [identities.providerId, identities.accountId],
      set: { password: hash, proven: true, updatedAt: new Date() },
    })
}

export async function endSessions(db: Statements, uid: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, uid))
}

export async function recordLogin(db: Database, uid: string): Promise<void> {
  await db.update(users).set({ lastLoginAt: new Date() }).where(eq(users.id, uid))
}

/** Disables or enables an account; a disabled one is signed out everywhere. @returns false if there is none. */
export async function setDisabled(db: Database, email: string, disabled: boolean): Promise<boolean> {
  const changed = await db.update(users).set({ banned: disabled }).where(eq(users.email, email)).returning()
  const [user] = changed
  if (user && disabled) await endSessions(db, user.id)
  return user !== undefined
}

/** Rows that can no longer be used by anybody. */
export async function purgeExpired(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`))
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`))
}

export function sessionUser(user: UserRow): SessionUser {
  return {
    uid: user.id,
    email: user.email,
    displayName: user.name,
    firstName: user.firstName,
    lastName: user.lastName,
    emailVerified: user.emailVerified,
    photoURL: user.image,
    provider: user.provider,
    phone: user.phone,
    location: user.location,
    timezone: user.timezone,
    displayTimezone: user.displayTimezone,
    createdAt: user.createdAt.toISOString(),
    lastLoginAt: user.lastLoginAt.toISOString(),
  }
}
