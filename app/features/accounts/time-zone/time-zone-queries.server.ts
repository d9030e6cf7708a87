import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'

/**
 * Remembers the time zone of a learner's browser, by which days count until the learner chooses one.
 *
 * @returns false if the database or `Intl` does not know this zone; they know different ones.
 */
export async function recordDetectedTimezone(db: Database, uid: string, timezone: string): Promise<boolean> {
  if (!isKnownToIntl(timezone)) return false
  const { rows } = await db.execute(sql`
    update users set detected_timezone = z.name from pg_timezone_names z
    where users.id = ${uid} and z.name = ${timezone} returning users.id`)
  return rows.length > 0
}

function isKnownToIntl(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone }))
  } catch {
    return false
  }
}
