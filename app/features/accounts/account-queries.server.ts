/** Reads and writes accounts and their sessions. */
import { randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, lt, not, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import {
  identities,
  securityLinks,
  sessions,
  users,
  verifications,
} from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { getStoredForms } from './email-address/email-address.server'
import { isRealNameInDatabase } from './full-name.server'

export type UserRow = typeof users.$inferSelect

/** The demo learner's fixed uid, which its sample progress refers to. */
export const demoUid = 'demo-learner'

/**
 * Returns the account with an email, or null. Earlier releases stored some emails in another form.
 * If there is an account for each form, the current form counts.
 */
export async function findUserByEmail(
  db: Pick<Database, 'select'>,
  email: string,
): Promise<UserRow | null> {
  const [canonicalEmail, legacyEmail] = getStoredForms(email)
  const matchingUsers = await db
    .select()
    .from(users)
    .where(inArray(users.email, [canonicalEmail, legacyEmail]))
  const currentUser = matchingUsers.find((user) => user.email === canonicalEmail)

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
 * Returns a random ID of letters and digits. An operator's command would take an ID that begins
 * with a hyphen for an option.
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
 * Stores the name of a learner whose name was not known. A real name that the account already has
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
    .where(and(eq(users.id, uid), not(isRealNameInDatabase(users.name))))
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

/** Returns whether the account has an identity of a provider. */
export async function hasIdentity(db: Database, uid: string, providerId: string): Promise<boolean> {
  const isOfProvider = and(eq(identities.userId, uid), eq(identities.providerId, providerId))
  return (await db.$count(identities, isOfProvider)) > 0
}
