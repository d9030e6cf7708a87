import Bowser from 'bowser'
import { and, desc, eq, gt } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { sessions } from '~/server/database/schema/index'
import type { Device, DeviceKind } from './security-section'

/** Parsing takes longer with the length, and nothing tells a browser after this. */
const longestUserAgent = 500
const longestName = 40

/** Like 'Firefox on Windows', from what the browser calls itself. */
export function describeDevice(userAgent: string | null): { name: string; kind: DeviceKind } {
  if (!userAgent) return { name: 'Unknown device', kind: 'computer' }
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longestUserAgent))
  const system = os.name === 'iOS' ? platform.model : os.name
  const names = [browser.name, system].flatMap((name) => (name ? [name.slice(0, longestName)] : []))
  const kind = platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'computer'
  return { name: names.join(' on ') || 'Unknown device', kind }
}

/** Nothing else limits the number of an account's sessions. 'Sign out all other devices' ends those that aren't listed, too. */
const mostDevices = 50

/**
 * Where the account is signed in: this device first, then the others by their last use.
 *
 * @param token of the session that asks.
 */
export async function listDevices(db: Database, uid: string, token: string | null): Promise<Device[]> {
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
  await db.delete(sessions).where(and(eq(sessions.userId, uid), eq(sessions.id, id)))
}
