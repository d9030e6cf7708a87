import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './client.server'

/**
 * Now, by the database's clock, because processes on several machines continue each other's work.
 */
export async function databaseTime(db: Pick<Database, 'execute'>): Promise<Date> {
  const { rows } = await db.execute<{ ms: string }>(
    sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
  )
  return new Date(Math.floor(Number(rows[0]?.ms)))
}

/** A time in a query as ISO 8601 in UTC with milliseconds, as `Date.toISOString` writes it. */
export function isoText(time: SQL): SQL<string> {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
