import { type SQL, sql } from 'drizzle-orm'
import { parseCalendarTime } from '../calendar-time.server'

/** Rows of a page of a list. */
export const pageRows = 50

/** The last row of the page before, in a list that is sorted by time and ID, newest first. */
export type Cursor = { at: string; id: string }

const cursorShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([\w-]{1,200})$/

/** @returns null for the first page, and for an address that somebody typed wrong. */
export function readCursor(search: URLSearchParams): Cursor | null {
  const [, at, id] = cursorShape.exec(search.get('after') ?? '') ?? []
  return at && id && parseCalendarTime(at) ? { at, id } : null
}

export function isAfter(cursor: Cursor | null, at: SQL, id: SQL): SQL {
  return cursor ? sql`(${at}, ${id}) < (${cursor.at}::timestamptz, ${cursor.id})` : sql`true`
}

/** A time as the cursor has it. */
export function cursorTime(at: SQL): SQL {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** Cuts the row that only says that there are more. @param rows at most one more than fit. */
export function cutPage<Row extends { cursorAt: string; id: string }>(
  rows: Row[],
): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, pageRows)
  const last = shown.at(-1)

  return {
    rows: shown,
    next: rows.length > pageRows && last ? `${last.cursorAt}~${last.id}` : null,
  }
}
