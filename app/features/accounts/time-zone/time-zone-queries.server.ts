import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'

/**
 * Remembers the time zone of a learner's browser, by which days count until the learner chooses one.
 *
 * @returns false if the database does not know this zone; it would refuse to compute with it.
 */
export async function recordDetectedTimezone(db: Database, uid: string, timezone: string): Promise<boolean> {
  const rows = await db.execute(sql`
    update users set detected_timezone = z.name from pg_timezone_names z
    where users.id = ${uid} and z.name = ${timezone} returning users.id`)
  return rows.length > 0
}
