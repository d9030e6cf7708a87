/**
 * Pages of long lists that are sorted by time and ID, newest first. The URL of the next page
 * contains a cursor, which is the time and ID of the last row, so that new rows don't move others
 * to another page.
 */
import { type SQL, sql } from 'drizzle-orm'
import { parseCalendarTime } from '../calendar-time.server'

/** The number of rows on a page. */
export const rowsPerPage = 50

/** The last row of the previous page. */
export type Cursor = { at: string; id: string }

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([\w-]{1,200})$/

/** Returns the cursor in a URL, or null for the first page and for an invalid cursor. */
export function readCursor(search: URLSearchParams): Cursor | null {
  const [, at, id] = cursorPattern.exec(search.get('after') ?? '') ?? []
  return at && id && parseCalendarTime(at) ? { at, id } : null
}

/** Creates the condition that a row comes after the cursor. Without a cursor, all rows do. */
export function createCursorCondition(cursor: Cursor | null, at: SQL, id: SQL): SQL {
  return cursor ? sql`(${at}, ${id}) < (${cursor.at}::timestamptz, ${cursor.id})` : sql`true`
}

/** Formats a time in a query like the time of a cursor, with all microseconds of the database. */
export function formatCursorTime(at: SQL): SQL {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/**
 * Turns the rows of a query into a page: its rows, and the cursor of the next page, if there is
 * one.
 *
 * @param rows at most one row more than the page has; that row only shows that there is a next page
 */
export function toPage<Row extends { cursorAt: string; id: string }>(
  rows: Row[],
): { rows: Row[]; next: string | null } {
  const pageOfRows = rows.slice(0, rowsPerPage)
  const lastRow = pageOfRows.at(-1)
  const hasNextPage = rows.length > rowsPerPage

  return {
    rows: pageOfRows,
    next: hasNextPage && lastRow ? `${lastRow.cursorAt}~${lastRow.id}` : null,
  }
}
