/**
 * How long sessions last that were started with 'Remember me', and how many an account may have.
 * Without 'Remember me', a session ends after a day or when the browser is closed.
 */
import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { env } from '~/server/env.server'

const secondsPerDay = 24 * 60 * 60

export type SessionRules = {
  /** The time without use after which a session ends. */
  idleSeconds: number
  /** The time after which a session ends in any case. */
  maxSeconds: number
  /** How many sessions an account may have at a time; null for any number. */
  maxDevices: number | null
}

export const sessionRules: SessionRules = {
  idleSeconds: 30 * secondsPerDay,
  maxSeconds: 90 * secondsPerDay,
  maxDevices: env.SESSION_MAX_DEVICES ?? null,
}

/**
 * Returns how often a session in use is extended, which also stores its last use. This is once a
 * day, or more often if the session would end before.
 */
export function getExtensionIntervalSeconds({ idleSeconds }: SessionRules): number {
  return Math.min(secondsPerDay, idleSeconds / 2)
}

/** Returns when a session that is used now ends, unless it is used again. */
export function getSessionEnd(
  { idleSeconds, maxSeconds }: SessionRules,
  createdAt: Date,
  now = new Date(),
): Date {
  const idleEnd = now.getTime() + idleSeconds * 1000
  const finalEnd = createdAt.getTime() + maxSeconds * 1000
  return new Date(Math.min(idleEnd, finalEnd))
}

/**
 * Lets existing sessions end earlier if the rules have become stricter since they began. A
 * session's last use is its `updated_at`. Too many sessions of an account are ended at its next
 * sign-in.
 */
export async function shortenSessions(
  db: Statements,
  { idleSeconds, maxSeconds }: SessionRules,
): Promise<void> {
  const end = sql`
    least(
      updated_at + make_interval(secs => ${idleSeconds}),
      created_at + make_interval(secs => ${maxSeconds})
    )`
  await db.execute(sql`
    update sessions
    set expires_at = ${end}
    where expires_at > ${end}`)
}
