/** The devices of an account, which are the browsers that are signed in. Each has one session. */
import { and, desc, eq, gt, inArray, ne, type SQL } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'
import { demoUid } from '../account-queries.server'
import { type DeviceKind, describeDevice } from './device-name.server'
import { maxEventsPerKind, recordSecurityEvent } from './security-log.server'

/** A browser that is signed in. Times are ISO date-times. */
export type Device = {
  id: string
  /** Such as 'Firefox on Windows'. */
  name: string
  kind: DeviceKind
  isCurrent: boolean
  signedInAt: string
  usedAt: string
  expiresAt: string
}

/**
 * An account may have more devices. 'Sign out all other devices' also ends the sessions that are
 * not listed.
 */
const maxListedDevices = 50

/**
 * Returns the browsers in which an account is signed in: the current one first, then the others by
 * their last use.
 *
 * @param token the token of the current session
 */
export async function listDevices(
  db: Database,
  uid: string,
  token: string | null,
): Promise<Device[]> {
  // No session has an empty token.
  const isCurrentSession = eq(sessions.token, token ?? '')
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(isCurrentSession), desc(sessions.updatedAt), sessions.id)
    .limit(maxListedDevices)

  return rows.map((row) => ({
    id: row.id,
    ...describeDevice(row.userAgent),
    isCurrent: row.token === token,
    signedInAt: row.createdAt.toISOString(),
    usedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

/** Ends one session of the account. Does nothing if the account has no such session. */
export async function endDevice(db: Database, uid: string, sessionId: string): Promise<void> {
  await db.transaction((tx) => endSessionsAndRecord(tx, uid, eq(sessions.id, sessionId)))
}

/** Ends all sessions of the account except one. */
export async function endOtherDevices(
  db: Statements,
  uid: string,
  currentSessionId: string,
): Promise<void> {
  await endSessionsAndRecord(db, uid, ne(sessions.id, currentSessionId))
}

/**
 * Ends the sessions that have not been used for the longest time, until the account has at most
 * `maxDevices`. The demo account has no limit, because strangers share it.
 */
export async function endSurplusDevices(
  db: Statements,
  uid: string,
  maxDevices: number | null,
): Promise<void> {
  if (maxDevices === null || uid === demoUid) {
    return
  }

  const surplusSessions = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(sessions.updatedAt), desc(sessions.createdAt))
    .offset(maxDevices)

  await endSessionsAndRecord(db, uid, inArray(sessions.id, surplusSessions))
}

/** Ends sessions of the account, and records each of them that had not expired before. */
async function endSessionsAndRecord(db: Statements, uid: string, condition: SQL): Promise<void> {
  const deletedSessions = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, uid), condition))
    .returning({ userAgent: sessions.userAgent, expiresAt: sessions.expiresAt })

  const now = new Date()
  const endedSessions = deletedSessions.filter(({ expiresAt }) => expiresAt > now)
  const sessionsToRecord = endedSessions.slice(0, maxEventsPerKind)
  for (const { userAgent } of sessionsToRecord) {
    await recordSecurityEvent(db, uid, { kind: 'session-ended', userAgent: userAgent ?? '' })
  }
}
