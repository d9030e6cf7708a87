import { and, desc, eq, gt, inArray, ne, type SQL } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'
import { demoUid } from '../account-queries.server'
import { type DeviceKind, describeDevice } from './device-name.server'
import { maxEventsPerKind, recordSecurityEvent } from './security-log.server'

/** A browser that is signed in. Dates are ISO date-times. */
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

/** An account may have more sessions. 'Sign out all other devices' also ends the unlisted ones. */
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
 * `maxSessions`. The demo account has no limit, because strangers share it.
 */
export async function endSurplusDevices(
  db: Statements,
  uid: string,
  maxSessions: number | null,
): Promise<void> {
  if (maxSessions === null || uid === demoUid) {
    return
  }

  const surplusSessions = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(sessions.updatedAt), desc(sessions.createdAt))
    .offset(maxSessions)

  await endSessionsAndRecord(db, uid, inArray(sessions.id, surplusSessions))
}

async function endSessionsAndRecord(db: Statements, uid: string, condition: SQL): Promise<void> {
  const endedSessions = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, uid), condition))
    .returning({ userAgent: sessions.userAgent })

  const recordedSessions = endedSessions.slice(0, maxEventsPerKind)
  for (const { userAgent } of recordedSessions) {
    await recordSecurityEvent(db, uid, { kind: 'session-ended', userAgent: userAgent ?? '' })
  }
}
