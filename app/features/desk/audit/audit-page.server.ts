import {
  type AuditEntry,
  argumentText,
  listAuditEntries,
} from '~/features/staff/audit-queries.server'
import { listStaff } from '~/features/staff/staff-queries.server'
import { deskPage } from '../desk-page.server'
import { cutPage, pageRows, readCursor } from '../list-pages.server'
import { filterOf, typedFilter } from './audit-filter.server'

export const auditPage = deskPage({
  path: 'Audit',
  permission: 'see the audit',
  async load({ db, search }) {
    const filter = typedFilter((name) => search.get(name))
    const wanted = { ...filterOf(filter), cursor: readCursor(search) }
    const [entries, staff] = await Promise.all([
      listAuditEntries(db, wanted, pageRows + 1),
      listStaff(db),
    ])
    const { rows, next } = cutPage(entries)

    return { filter, staff, rows: rows.map(shownEntry), next }
  },
})

export const shownEntry = ({ arguments: given, ...entry }: AuditEntry) => ({
  ...entry,
  given: argumentText(given),
})
