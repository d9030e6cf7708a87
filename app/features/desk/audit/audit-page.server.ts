import {
  type AuditEntry,
  argumentText,
  listAuditEntries,
} from '~/features/staff/audit-queries.server'
import { listStaff } from '~/features/staff/staff-queries.server'
import { cutPage, pageRows, readCursor } from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'
import { filterOf, typedFilter } from './audit-filter.server'

export async function loadAuditPage({ db, search }: DeskRequest) {
  const filter = typedFilter((name) => search.get(name))
  const wanted = { ...filterOf(filter), cursor: readCursor(search) }
  const [entries, staff] = await Promise.all([
    listAuditEntries(db, wanted, pageRows + 1),
    listStaff(db),
  ])
  const { rows, next } = cutPage(entries)

  return { filter, staff, rows: rows.map(shownEntry), next }
}

export const shownEntry = ({ arguments: given, ...entry }: AuditEntry) => ({
  ...entry,
  given: argumentText(given),
})

export type AuditPageData = NonNullable<Awaited<ReturnType<typeof loadAuditPage>>>
