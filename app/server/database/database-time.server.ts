import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './client.server'

/**
 * Returns the current time by the clock of the database. All processes use this clock, because
 * their machines may have different times.
 */
export async function databaseTime(db: Pick<Database, 'execute'>): Promise<Date> {
  const { rows } = await db.execute<{ ms: string }>(
    sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
  )
  return new Date(Math.floor(Number(rows[0]?.ms)))
}

/** Formats a time in a query like `Date.toISOString`, in UTC with milliseconds. */
export function isoText(time: SQL): SQL<string> {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
