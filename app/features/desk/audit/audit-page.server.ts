import { deskPage } from '../desk-page.server'
import { cutPage, pageRows, readCursor, readTime } from '../list-pages.server'
import { listStaff } from '../staff-queries.server'
import { type AuditEntry, argumentText, listAuditEntries } from './audit-queries.server'

const dayShape = /^\d{4}-\d\d-\d\d$/

export const auditPage = deskPage({
  path: 'Audit',
  permission: 'see the audit',
  async load({ db, search }) {
    const text = (name: string) => (search.get(name) ?? '').trim().slice(0, 200)
    const filter = { by: text('by'), act: text('act'), subject: text('subject'), since: text('since') }
    const since = (dayShape.test(filter.since) && readTime(filter.since)) || undefined
    const [entries, staff] = await Promise.all([
      listAuditEntries(db, { ...filter, since, cursor: readCursor(search) }, pageRows + 1),
      listStaff(db),
    ])
    const { rows, next } = cutPage(entries)
    return { filter, staff, rows: rows.map(shownEntry), next }
  },
})

export const shownEntry = ({ arguments: given, ...entry }: AuditEntry) => ({ ...entry, given: argumentText(given) })
