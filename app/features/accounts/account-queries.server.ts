/** Reads and writes accounts, their sessions and their passwords. */
import { randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import {
  identities,
  securityLinks,
  sessions,
  users,
  verifications,
} from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { placeholderName } from './account-rules'
import { getStoredForms } from './email-address/email-address.server'

export type UserRow = typeof users.$inferSelect

/** The demo learner's fixed uid, which its sample progress refers to. */
export const demoUid = 'demo-learner'

/**
 * Returns the account with an email, or null. Earlier releases stored some emails in another form. If
 * there is an account for each form, the current form counts.
 */
export async function findUserByEmail(
  db: Pick<Database, 'select'>,
  email: string,
): Promise<UserRow | null> {
  const [canonicalForm, legacyForm] = getStoredForms(email)
  const matchingUsers = await db
    .select()
    .from(users)
    .where(inArray(users.email, [canonicalForm, legacyForm]))
  const currentUser = matchingUsers.find((user) => user.email === canonicalForm)

  return currentUser ?? matchingUsers[0] ?? null
}

export async function findUser(db: Pick<Database, 'select'>, uid: string): Promise<UserRow | null> {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  return user ?? null
}

/** @throws if there is no account with this uid */
export async function getUser(db: Database, uid: string): Promise<UserRow> {
  const user = await findUser(db, uid)
  if (!user) {
    throw new Error('No learner has this uid.')
  }

  return user
}

/**
 * Returns the names and emails of accounts by their uid.
 *
 * @param uids at most some thousands
 */
export async function listAccountNames(db: Pick<Database, 'select'>, uids: readonly string[]) {
  const accounts = await db
    .select({
      uid: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(users)
    .where(inArray(users.id, [...uids]))

  return new Map(accounts.map((account) => [account.uid, account]))
}

/**
 * Returns a batch of accounts in the order of their uids.
 *
 * @param previousUid the last uid of the previous batch; an empty text for the first batch
 */
export function listAccounts(db: Pick<Database, 'select'>, previousUid: string, limit: number) {
  return db.select().from(users).where(gt(users.id, previousUid)).orderBy(users.id).limit(limit)
}

const idByteCount = 18

/**
 * Returns a random ID of letters and digits. An operator's command would take an ID that begins with a
 * hyphen for an option.
 */
export function generateId(): string {
  return randomBytes(idByteCount).toString('base64url').replace(/[-_]/g, 'x')
}

/**
 * Signs the account out in every browser.
 *
 * @returns the number of sessions that were ended
 */
export async function endSessions(db: Statements, uid: string): Promise<number> {
  const deleted = await db
    .delete(sessions)
    .where(eq(sessions.userId, uid))
    .returning({ id: sessions.id })

  return deleted.length
}

/** Records the time of a sign-in. A failure is only logged, because the sign-in matters more. */
export async function tryToRecordLoginTime(db: Database, uid: string): Promise<void> {
  try {
    await db.update(users).set({ lastLoginAt: new Date() }).where(eq(users.id, uid))
  } catch (error) {
    log.error({ err: error }, 'the time of a sign-in was not written')
  }
}

/**
 * Stores the name of a learner whose sign-in provider sent none. A name that the account already has
 * stays, because the form may have been sent twice.
 */
export async function recordMissingName(
  db: Database,
  uid: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<void> {
  await db
    .update(users)
    .set({
      firstName,
      lastName,
      name: `${firstName} ${lastName}`.trim(),
      updatedAt: new Date(),
    })
    .where(and(eq(users.id, uid), eq(users.name, placeholderName)))
}

/**
 * Disables an account and signs it out everywhere.
 *
 * @returns whether there is an account with this email
 */
export async function disableAccountByEmail(db: Statements, email: string): Promise<boolean> {
  const [user] = await db
    .update(users)
    .set({ banned: true })
    .where(eq(users.email, email))
    .returning({ uid: users.id })
  if (!user) {
    return false
  }

  await endSessions(db, user.uid)

  return true
}

/** @returns whether there is an account with this email */
export async function enableAccountByEmail(db: Statements, email: string): Promise<boolean> {
  const updated = await db
    .update(users)
    .set({ banned: false })
    .where(eq(users.email, email))
    .returning({ uid: users.id })

  return updated.length > 0
}

/** Deletes expired sessions, one-time tokens and recovery links. */
export async function deleteExpiredRows(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`))
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`))
  await db.delete(securityLinks).where(lt(securityLinks.expiresAt, sql`now()`))
}

/** The signed-in learner, as pages and scripts get them. Dates are ISO date-times. */
export type SessionUser = {
  uid: string
  email: string
  /** Whether the learner has proved that the email is theirs. */
  emailVerified: boolean
  displayName: string
  firstName: string
  lastName: string
  photoURL: string | null
  /** `email`, `google`, `facebook`, or the ID of a single sign-on provider. */
  provider: string
  phone: string | null
  location: string | null
  /** The time zone that the learner chose in the settings. */
  timezone: string | null
  /** The browser's time zone, or null until it is known. */
  detectedTimezone: string | null
  /** The chosen time zone or, without one, the browser's. It is UTC if neither is known. */
  displayTimezone: string
  createdAt: string
  lastLoginAt: string
  /** Whether the account menu links to purchases. Only the response for the menu has this field. */
  hasPurchases?: boolean
  /** Whether the account menu links to the desk. Only the response for the menu has this field. */
  isStaff?: boolean
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

/** Returns whether the account has an identity of a provider. */
export async function hasIdentity(db: Database, uid: string, providerId: string): Promise<boolean> {
  const isOfProvider = and(eq(identities.userId, uid), eq(identities.providerId, providerId))
  return (await db.$count(identities, isOfProvider)) > 0
}

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

/** Returns the account that an email and a password would sign in to, or null. */
export async function findPasswordAccount(
  db: Database,
  email: string,
): Promise<PasswordAccount | null> {
  const [canonicalForm, legacyForm] = getStoredForms(email)
  const { rows } = await db.execute<PasswordAccount>(sql`
    select
      users.id as uid,
      users.banned as "isDisabled",
      identities.password as "passwordHash"
    from users
    left join identities
      on identities.user_id = users.id
      and identities.provider_id = ${passwordProviderId}
    where users.email in (${canonicalForm}, ${legacyForm})
    order by users.email = ${canonicalForm} desc
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
