import { type SQL, sql } from 'drizzle-orm'

/** A moment in a query as ISO 8601 in UTC with milliseconds, as `Date.toISOString` writes it. */
export function isoText(moment: SQL): SQL<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
