import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { env } from '~/server/env.server'

const daySeconds = 24 * 60 * 60

/**
 * How long sessions with 'Remember me' last. Without it, a session ends after a day or when the
 * browser is closed.
 */
export type SessionRules = {
  /** The time without use after which a session ends. */
  idleSeconds: number
  /** The time after which a session ends in any case. */
  maxSeconds: number
  /** How many sessions an account may have at a time; null for any number. */
  maxDevices: number | null
}

export const sessionRules: SessionRules = {
  idleSeconds: 30 * daySeconds,
  maxSeconds: 90 * daySeconds,
  maxDevices: env.SESSION_MAX_DEVICES ?? null,
}

/**
 * Returns how often the last use of a session is written: once a day, or more often if the session
 * would end before.
 */
export function getRenewalSeconds({ idleSeconds }: SessionRules): number {
  return Math.min(daySeconds, idleSeconds / 2)
}

/** Returns when a session ends unless it is used again. */
export function getSessionEnd(
  { idleSeconds, maxSeconds }: SessionRules,
  createdAt: Date,
  usedAt = new Date(),
): Date {
  const idleEnd = usedAt.getTime() + idleSeconds * 1000
  const finalEnd = createdAt.getTime() + maxSeconds * 1000
  return new Date(Math.min(idleEnd, finalEnd))
}

/** Applies the rules to existing sessions, which may be older than a setting that was lowered. */
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
