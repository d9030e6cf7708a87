import { getEndOfDay, getStartOfDay } from '~/features/school/local-time'
import {
  type AuditEntry,
  type AuditFilter,
  formatArguments,
  listAuditEntries,
} from '~/features/staff/audit-queries.server'
import { listStaff } from '~/features/staff/staff-queries.server'
import { readCursor, rowsPerPage, toPage } from '~/server/database/list-pages.server'
import { siteTimeZone } from '~/server/site/site.server'
import type { DeskRequest } from '../desk-request.server'
import { cleanFilterText } from '../text-search.server'

export type AuditPageData = Awaited<ReturnType<typeof loadAuditPage>>

/** Loads a page of the audit entries that match the filter, newest first. */
export async function loadAuditPage({ db, search }: DeskRequest) {
  const filterFields = readAuditFilterFields((name) => search.get(name))
  const filter = { ...parseAuditFilter(filterFields), cursor: readCursor(search) }

  const [entries, staff] = await Promise.all([
    // `toPage` learns from the additional entry that there is another page.
    listAuditEntries(db, filter, rowsPerPage + 1),
    listStaff(db),
  ])
  const { rows, next } = toPage(entries)

  return { filterFields, staff, rows: rows.map(toAuditRow), next }
}

/** Returns an entry for `AuditTable`, with its arguments in one line. */
export function toAuditRow({ arguments: actionArguments, ...entry }: AuditEntry) {
  return { ...entry, argumentText: formatArguments(actionArguments) }
}

/**
 * The fields of the filter's form, by their short names in the URL: `by` is the actor, `act` the
 * action.
 */
type AuditFilterFields = { by: string; act: string; subject: string; since: string; until: string }

/** @param readField returns the value of a field in the URL or the form */
export function readAuditFilterFields(readField: (name: string) => unknown): AuditFilterFields {
  const readText = (name: string) => cleanFilterText(String(readField(name) ?? ''))

  return {
    by: readText('by'),
    act: readText('act'),
    subject: readText('subject'),
    since: readText('since'),
    until: readText('until'),
  }
}

/**
 * Returns the filter for a query. Its days are in the school's time zone and include the last day.
 */
export function parseAuditFilter({
  by,
  act,
  subject,
  since,
  until,
}: AuditFilterFields): AuditFilter {
  const timeZone = siteTimeZone()

  return {
    actor: by,
    action: act,
    subject,
    // Days that do not exist are ignored, like an empty field.
    since: getStartOfDay(since, timeZone) ?? undefined,
    before: getEndOfDay(until, timeZone) ?? undefined,
  }
}
