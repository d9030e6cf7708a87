import { and, desc, eq, gt, inArray, ne, type SQL } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'
import { demoUid } from '../account-queries.server'
import { type DeviceKind, describeDevice } from './device-name.server'
import { mostEventsOfKind, recordSecurityEvent } from './security-log.server'

/**
 * Nothing else limits the number of an account's sessions. 'Sign out all other devices' ends those
 * that aren't listed, too.
 */
const mostDevices = 50

/** A browser that is signed in. Dates are ISO date-times. */
export type Device = {
  id: string
  /** Like 'Firefox on Windows'. */
  name: string
  kind: DeviceKind
  isCurrent: boolean
  signedInAt: string
  usedAt: string
  expiresAt: string
}

/**
 * Where the account is signed in: this device first, then the others by their last use.
 *
 * @param token of the session that asks.
 */
export async function listDevices(
  db: Database,
  uid: string,
  token: string | null,
): Promise<Device[]> {
  const isCurrent = eq(sessions.token, token ?? '')
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(isCurrent), desc(sessions.updatedAt), sessions.id)
    .limit(mostDevices)

  return rows.map((row) => ({
    id: row.id,
    ...describeDevice(row.userAgent),
    isCurrent: row.token === token,
    signedInAt: row.createdAt.toISOString(),
    usedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

/** Ends one session of the account, and none of another account. Idempotent. */
export async function endDevice(db: Database, uid: string, id: string): Promise<void> {
  await db.transaction((tx) => endAndRecord(tx, uid, eq(sessions.id, id)))
}

/** Ends all sessions of the account but one. */
export async function endOtherDevices(
  db: Statements,
  uid: string,
  sessionId: string,
): Promise<void> {
  await endAndRecord(db, uid, ne(sessions.id, sessionId))
}

/**
 * Ends the sessions unused the longest, down to as many as an account may have. Strangers share the
 * demo account.
 */
export async function endSurplusDevices(
  db: Statements,
  uid: string,
  most: number | null,
): Promise<void> {
  if (most === null || uid === demoUid) {
    return
  }

  const surplus = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), gt(sessions.expiresAt, new Date())))
    .orderBy(desc(sessions.updatedAt), desc(sessions.createdAt))
    .offset(most)

  await endAndRecord(db, uid, inArray(sessions.id, surplus))
}

async function endAndRecord(db: Statements, uid: string, which: SQL): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, uid), which))
    .returning({ userAgent: sessions.userAgent })
  for (const { userAgent } of ended.slice(0, mostEventsOfKind)) {
    await recordSecurityEvent(db, uid, { kind: 'session-ended', userAgent: userAgent ?? '' })
  }
}
