import { type SQL, sql } from 'drizzle-orm'
import { parseCalendarTime } from '../calendar-time.server'

/**
 * Pages of long lists that are sorted by time and ID, newest first. The URL of the next page contains a
 * cursor, which is the time and ID of the last row, so that new rows don't move others to another page.
 */

/** The number of rows on a page. */
export const pageRows = 50

/** The last row of the previous page. */
export type Cursor = { at: string; id: string }

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([\w-]{1,200})$/

/** Returns the cursor in a URL, or null for the first page and for an invalid cursor. */
export function readCursor(search: URLSearchParams): Cursor | null {
  const [, at, id] = cursorPattern.exec(search.get('after') ?? '') ?? []
  return at && id && parseCalendarTime(at) ? { at, id } : null
}

/** Returns the condition that a row comes after the cursor. Without a cursor, all rows do. */
export function isAfter(cursor: Cursor | null, at: SQL, id: SQL): SQL {
  return cursor ? sql`(${at}, ${id}) < (${cursor.at}::timestamptz, ${cursor.id})` : sql`true`
}

/** Returns a time in the format of the cursor, with all microseconds of the database. */
export function cursorTime(at: SQL): SQL {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/**
 * Returns the rows of a page, and the cursor of the next page, if there is one.
 *
 * @param rows at most one row more than the page has; that row only shows that there is a next page
 */
export function cutPage<Row extends { cursorAt: string; id: string }>(
  rows: Row[],
): { rows: Row[]; next: string | null } {
  const pageOfRows = rows.slice(0, pageRows)
  const lastRow = pageOfRows.at(-1)
  const hasNextPage = rows.length > pageRows

  return {
    rows: pageOfRows,
    next: hasNextPage && lastRow ? `${lastRow.cursorAt}~${lastRow.id}` : null,
  }
}
