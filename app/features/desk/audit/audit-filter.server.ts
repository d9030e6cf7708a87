import { readTime } from '../list-pages.server'
import type { AuditFilter } from './audit-queries.server'

type TypedFilter = { by: string; act: string; subject: string; since: string; until: string }

const dayShape = /^\d{4}-\d\d-\d\d$/
const dayMs = 24 * 60 * 60_000

/** What was typed into the filter of the audit. @param read a field by its name. */
export function typedFilter(read: (name: string) => unknown): TypedFilter {
  const text = (name: string) =>
    String(read(name) ?? '')
      .trim()
      .slice(0, 200)
  return { by: text('by'), act: text('act'), subject: text('subject'), since: text('since'), until: text('until') }
}

/** Days are in UTC, both included; what is no day counts as left out. */
export function filterOf({ since, until, ...texts }: TypedFilter): AuditFilter {
  const [first, last] = [since, until].map((text) => (dayShape.test(text) && readTime(text)) || undefined)
  return { ...texts, since: first, before: last && new Date(last.getTime() + dayMs) }
}
