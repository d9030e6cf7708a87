import { randomBytes } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { sessions, users, verifications } from '~/server/database/schema/index'
import type { SessionUser } from './session/session-user'

export type UserRow = typeof users.$inferSelect

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user ?? null
}

export async function findUser(db: Database, uid: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  return user ?? null
}

export function newId(): string {
  return randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')
}

export async function endSessions(db: Statements, uid: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, uid))
}

export async function recordLogin(db: Database, uid: string): Promise<void> {
  await db.update(users).set({ lastLoginAt: new Date() }).where(eq(users.id, uid))
}

/** Disables or enables an account; a disabled one is signed out everywhere. @returns false if there is none. */
export async function setDisabled(db: Statements, email: string, disabled: boolean): Promise<boolean> {
  const changed = await db.update(users).set({ banned: disabled }).where(eq(users.email, email)).returning()
  const [user] = changed
  if (user && disabled) await endSessions(db, user.id)
  return user !== undefined
}

/** Rows that no one can use anymore. */
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
    detectedTimezone: user.detectedTimezone,
    displayTimezone: user.displayTimezone,
    createdAt: user.createdAt.toISOString(),
    // Whoever has a session has signed in.
    lastLoginAt: (user.lastLoginAt ?? user.createdAt).toISOString(),
  }
}
