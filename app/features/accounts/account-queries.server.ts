import { randomBytes } from 'node:crypto'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import {
  identities,
  securityLinks,
  sessions,
  users,
  verifications,
} from '~/server/database/schema/index'
import { storedForms } from './email-address/email-address.server'

export type UserRow = typeof users.$inferSelect

/** The demo learner's fixed `uid`, shared by its account and its history. */
export const demoUid = 'demo-learner'

/** Accepts any spelling of the address. */
export async function findUserByEmail(
  db: Pick<Database, 'select'>,
  email: string,
): Promise<UserRow | null> {
  const [canonical, former] = storedForms(email)
  const found = await db
    .select()
    .from(users)
    .where(inArray(users.email, [canonical, former]))
  return found.find((user) => user.email === canonical) ?? found[0] ?? null
}

export async function findUser(db: Pick<Database, 'select'>, uid: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  return user ?? null
}

/** @throws if there is no account with this uid. */
export async function getUser(db: Database, uid: string): Promise<UserRow> {
  const user = await findUser(db, uid)
  if (!user) {
    throw new Error('No learner has this uid.')
  }

  return user
}

/**
 * Letters and digits only: with a hyphen first, an operator's command would take it for an option.
 */
export function newId(): string {
  return randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')
}

/** Signs the account out in every browser. @returns in how many. */
export async function endSessions(db: Statements, uid: string): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(eq(sessions.userId, uid))
    .returning({ id: sessions.id })
  return ended.length
}

export async function recordLogin(db: Database, uid: string): Promise<void> {
  await db.update(users).set({ lastLoginAt: new Date() }).where(eq(users.id, uid))
}

/**
 * Disables or enables an account; a disabled one is signed out everywhere.
 *
 * @returns false if there is none.
 */
export async function setDisabled(
  db: Statements,
  email: string,
  disabled: boolean,
): Promise<boolean> {
  const changed = await db
    .update(users)
    .set({ banned: disabled })
    .where(eq(users.email, email))
    .returning()
  const [user] = changed
  if (user && disabled) {
    await endSessions(db, user.id)
  }

  return user !== undefined
}

/** Rows that are no longer usable. */
export async function deleteExpiredRows(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`))
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`))
  await db.delete(securityLinks).where(lt(securityLinks.expiresAt, sql`now()`))
}

/** The session user: the account merged with its stored profile. Dates are ISO date-times. */
export type SessionUser = {
  uid: string
  email: string
  /** The address is proven to be the learner's. */
  emailVerified: boolean
  displayName: string
  firstName: string
  lastName: string
  photoURL: string | null
  /** `email`, `google`, `facebook`, or the ID of a single sign-on provider. */
  provider: string
  phone: string | null
  location: string | null
  /** Chosen by the learner. */
  timezone: string | null
  /** The browser's time zone; null until it is known. */
  detectedTimezone: string | null
  /** The chosen one, else the browser's, else UTC. */
  displayTimezone: string
  createdAt: string
  lastLoginAt: string
  /** Whether the account menu leads to purchases; only in the answer that the menu is made of. */
  purchases?: boolean
  /** Whether it leads to the desk. */
  desk?: boolean
}

export function toSessionUser(user: UserRow): SessionUser {
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
    // Every session began with a sign-in, even if its time couldn't be written.
    lastLoginAt: (user.lastLoginAt ?? user.createdAt).toISOString(),
  }
}

/**
 * Remembers the time zone of a learner's browser, by which days count until the learner chooses
 * one.
 *
 * @returns false if the database or `Intl` does not know this zone; they know different ones.
 */
export async function recordDetectedTimezone(
  db: Database,
  uid: string,
  timezone: string,
): Promise<boolean> {
  if (!isKnownToIntl(timezone)) {
    return false
  }

  const { rows } = await db.execute(sql`
    update users set detected_timezone = z.name from pg_timezone_names z
    where users.id = ${uid} and z.name = ${timezone} returning users.id`)
  return rows.length > 0
}

function isKnownToIntl(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone }))
  } catch {
    return false
  }
}

/** Whether the account is linked to a provider. */
export async function hasIdentity(db: Database, uid: string, provider: string): Promise<boolean> {
  return (
    (await db.$count(
      identities,
      and(eq(identities.userId, uid), eq(identities.providerId, provider)),
    )) > 0
  )
}

export type PasswordAccount = { uid: string; banned: boolean; hash: string | null }

const passwordOf = (uid: string) =>
  and(eq(identities.userId, uid), eq(identities.providerId, 'credential'))

/**
 * The Argon2id hash of an account's password; null when it has none or only signs in by a provider.
 */
export async function findPasswordHash(db: Database, uid: string): Promise<string | null> {
  const [row] = await db
    .select({ password: identities.password })
    .from(identities)
    .where(passwordOf(uid))
  return row?.password ?? null
}

/**
 * Of a sign-in by password.
 *
 * @returns null for an unknown email address; `hash` is null as in `findPasswordHash`.
 */
export async function findPasswordAccount(
  db: Database,
  email: string,
): Promise<PasswordAccount | null> {
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
