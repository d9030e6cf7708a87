import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { env } from '~/server/env.server'

const daySeconds = 24 * 60 * 60

/**
 * How long sessions last with 'Remember me'. Without it better-auth ends one after a day, or when
 * the browser is closed.
 */
export type SessionRules = {
  /** Without use. */
  idleSeconds: number
  /** In any case. */
  longestSeconds: number
  /** How many an account may have at a time; null for any number. */
  mostDevices: number | null
}

export const sessionRules: SessionRules = {
  idleSeconds: 30 * daySeconds,
  longestSeconds: 90 * daySeconds,
  mostDevices: env.SESSION_MAX_DEVICES ?? null,
}

/** The last use of a session is written once a day; more often if it would end before. */
export function renewalSeconds({ idleSeconds }: SessionRules): number {
  return Math.min(daySeconds, idleSeconds / 2)
}

/** When a session that is in use ends, unless it is used again. */
export function sessionEnd(
  { idleSeconds, longestSeconds }: SessionRules,
  createdAt: Date,
  usedAt = new Date(),
): Date {
  return new Date(
    Math.min(usedAt.getTime() + idleSeconds * 1000, createdAt.getTime() + longestSeconds * 1000),
  )
}

/** Sessions from before a setting was lowered end when it says, too. */
export async function shortenSessions(
  db: Statements,
  { idleSeconds, longestSeconds }: SessionRules,
): Promise<void> {
  const end = sql`least(updated_at + make_interval(secs => ${idleSeconds}), created_at + make_interval(secs => ${longestSeconds}))`
  await db.execute(sql`update sessions set expires_at = ${end} where expires_at > ${end}`)
}
