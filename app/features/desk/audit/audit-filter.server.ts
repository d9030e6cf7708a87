import type { AuditFilter } from '~/features/staff/audit-queries.server'
import { parseCalendarTime } from '~/server/calendar-time.server'

type TypedFilter = { by: string; act: string; subject: string; since: string; until: string }

const dayShape = /^\d{4}-\d\d-\d\d$/
const dayMs = 24 * 60 * 60_000

/** Reads the filter's fields as they were typed. @param read returns a field by its name. */
export function typedFilter(read: (name: string) => unknown): TypedFilter {
  const text = (name: string) =>
    String(read(name) ?? '')
      .trim()
      .slice(0, 200)
  return {
    by: text('by'),
    act: text('act'),
    subject: text('subject'),
    since: text('since'),
    until: text('until'),
  }
}

/** Days are in UTC, and both are included. Invalid days are ignored. */
export function filterOf({ since, until, ...texts }: TypedFilter): AuditFilter {
  const [first, last] = [since, until].map(
    (text) => (dayShape.test(text) && parseCalendarTime(text)) || undefined,
  )
  return { ...texts, since: first, before: last && new Date(last.getTime() + dayMs) }
}
