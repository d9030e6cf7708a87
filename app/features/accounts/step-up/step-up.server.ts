import { and, eq, gt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'

/**
 * The rule for everything that would hand an account over: a new password, factors, ways to sign
 * in, deletion and the download of all data. An open browser isn't enough. The learner has proven
 * to be there within this time, in milliseconds, by a sign-in or by the page 'Confirm it's you'.
 * The time is the session's own column, so that using the session doesn't move it.
 */
export const confirmedForMs = 15 * 60_000

type Session = { id: string; userId: string }

export async function isConfirmed(
  { db, now }: { db: Database; now(): number },
  session: Session,
): Promise<boolean> {
  const since = new Date(now() - confirmedForMs)
  return (
    (await db.$count(sessions, and(eq(sessions.id, session.id), gt(sessions.confirmedAt, since)))) >
    0
  )
}

/** Notes that the learner has just proven to be there. */
export async function recordConfirmation(
  db: Statements,
  session: Session,
  now: number,
): Promise<void> {
  const at = sql`greatest(${sessions.confirmedAt}, ${new Date(now)})`
  await db.update(sessions).set({ confirmedAt: at }).where(eq(sessions.id, session.id))
}

/**
 * @param token of the request's session.
 * @param uid undefined for an account that would be made.
 */
export async function isOwnSession(
  db: Database,
  uid: string | undefined,
  token: string | null,
): Promise<boolean> {
  if (!uid || !token) {
    return false
  }

  const own = and(
    eq(sessions.token, token),
    eq(sessions.userId, uid),
    gt(sessions.expiresAt, new Date()),
  )

  return (await db.$count(sessions, own)) > 0
}

/**
 * Whether a provider is added by a confirmed session of the account itself: then its other ways to
 * sign in are no stranger's.
 *
 * @param token of the request's session.
 */
export async function isOwnConfirmedSession(
  db: Database,
  uid: string,
  token: string | null,
  now = Date.now(),
): Promise<boolean> {
  const since = new Date(now - confirmedForMs)
  const own = and(
    eq(sessions.token, token ?? ''),
    eq(sessions.userId, uid),
    gt(sessions.confirmedAt, since),
  )

  return (await db.$count(sessions, own)) > 0
}
