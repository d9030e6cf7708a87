/**
 * Step-up authentication: an open browser is not enough for actions that could hand an account
 * over, such as a new password, second factors, sign-in methods, deletion, or the download of all
 * data. They require a sign-in, or a proof on the page 'Confirm it's you', within the last 15
 * minutes.
 *
 * better-auth's `freshAge` breaks this promise: it measures the age of the session, which only a
 * new sign-in renews. The time of the last proof is a column of its own, which using the session
 * leaves alone.
 */
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'

/** How long a sign-in or another proof counts as recent. */
export const recentSignInMs = 15 * 60_000

type Session = { id: string; userId: string }

/** Returns whether the learner proved their identity in this session recently. */
export async function isSessionRecentlyConfirmed(
  { db, now }: { db: Database; now(): number },
  session: Session,
): Promise<boolean> {
  const since = new Date(now() - recentSignInMs)
  const isRecent = and(eq(sessions.id, session.id), gt(sessions.confirmedAt, since))

  return (await db.$count(sessions, isRecent)) > 0
}

/** Records that the learner has just proved their identity. */
export async function recordConfirmation(
  db: Statements,
  session: Session,
  now: number,
): Promise<void> {
  const confirmedAt = sql`greatest(${sessions.confirmedAt}, ${new Date(now)})`
  await db.update(sessions).set({ confirmedAt }).where(eq(sessions.id, session.id))
}

/**
 * Returns whether the session belongs to the account.
 *
 * @param uid undefined for an account that does not exist yet
 * @param sessionToken the token of the request's session
 */
export async function isSessionOfAccount(
  db: Database,
  uid: string | undefined,
  sessionToken: string | null,
): Promise<boolean> {
  if (!uid || !sessionToken) {
    return false
  }

  const isOpenSession = and(
    eq(sessions.token, sessionToken),
    eq(sessions.userId, uid),
    gt(sessions.expiresAt, new Date()),
  )

  return (await db.$count(sessions, isOpenSession)) > 0
}

/**
 * Returns whether the session belongs to the account, and its learner proved their identity
 * recently.
 *
 * @param sessionToken the token of the request's session
 */
export async function isRecentSessionOfAccount(
  db: Database,
  uid: string,
  sessionToken: string | null,
  now = Date.now(),
): Promise<boolean> {
  if (!sessionToken) {
    return false
  }

  const isRecentSession = and(
    eq(sessions.token, sessionToken),
    eq(sessions.userId, uid),
    gt(sessions.confirmedAt, new Date(now - recentSignInMs)),
  )

  return (await db.$count(sessions, isRecentSession)) > 0
}
