/**
 * The tables that staff can download, with the permission that each needs and what the audit log
 * says.
 */
import { listCourseAvailability } from '~/features/courses/course-lookup.server'
import { hasPermission, type Permission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { canSeeCourse } from '~/features/staff/visible-courses.server'
import { db, type Transaction } from '~/server/database/client.server'
import { type CsvRow, toCsvRows } from '~/server/operations/csv.server'
import { parseAuditFilter, readAuditFilterFields } from './audit/audit-page.server'
import {
  accountsTable,
  auditTable,
  couponsTable,
  type ExportedTable,
  ledgerTable,
  progressTable,
} from './exported-tables.server'
import { importProblemsTable } from './import/import-queries.server'

export type TableExport = {
  /** The action's name in the audit log. */
  action: string
  /** The URL of the page with the download button. */
  pageUrl: string
  /** The file's name, without date and extension. */
  fileName: string
  /** The submitted values that the audit log keeps. */
  arguments: Record<string, unknown>
  columnNames: string[]
  listRows(tx: Transaction): AsyncGenerator<CsvRow>
}

type TableExportDefinition = {
  permission: Permission
  /** Returns null if the member of staff may not see the table that the form asks for. */
  prepare(form: FormData, staff: StaffMember): TableExport | null | Promise<TableExport | null>
}

/**
 * Returns the export of the table that the form names, or null if it does not exist for the member
 * of staff.
 */
export async function findTableExport(
  staff: StaffMember,
  form: FormData,
): Promise<TableExport | null> {
  const name = readField(form, 'table')
  const definition = Object.hasOwn(tableExports, name) ? tableExports[name] : undefined
  if (!definition || !hasPermission(staff, definition.permission)) {
    return null
  }

  return definition.prepare(form, staff)
}

/** Every table that the desk offers, by the value of the form's field `table`. */
export const tableExports: Readonly<Record<string, TableExportDefinition>> = {
  people: {
    permission: 'export people',
    prepare: () =>
      createExport(accountsTable, {
        action: 'learners export',
        pageUrl: '/Desk/People',
        fileName: 'people',
      }),
  },
  'import-problems': {
    permission: 'export people',
    prepare(form) {
      const importId = readField(form, 'import')
      return createExport(importProblemsTable(importId), {
        action: 'learners import-problems',
        pageUrl: `/Desk/People/Import/${importId}`,
        fileName: 'people-to-repair',
        arguments: { import: importId },
      })
    },
  },
  progress: { permission: 'export progress', prepare: prepareProgressExport },
  receipts: {
    permission: 'export receipts',
    prepare: () =>
      createExport(ledgerTable, {
        action: 'orders export',
        pageUrl: '/Desk/Orders',
        fileName: 'receipts',
      }),
  },
  audit: {
    permission: 'see audit log',
    prepare(form) {
      const fields = readAuditFilterFields((name) => form.get(name))
      const filledFields = Object.entries(fields).filter(([, text]) => text !== '')
      return createExport(auditTable(parseAuditFilter(fields)), {
        action: 'audit export',
        pageUrl: '/Desk/Audit',
        fileName: 'audit',
        arguments: Object.fromEntries(filledFields),
      })
    },
  },
  coupons: {
    permission: 'manage coupons',
    prepare(form) {
      const couponName = readField(form, 'name').slice(0, 200)
      return createExport(couponsTable(couponName), {
        action: 'coupons download',
        pageUrl: `/Desk/Coupons?${new URLSearchParams({ text: couponName })}`,
        fileName: 'coupons',
        arguments: { named: couponName },
      })
    },
  },
}

async function prepareProgressExport(
  form: FormData,
  staff: StaffMember,
): Promise<TableExport | null> {
  const courseId = readField(form, 'course')
  if (!canSeeCourse(staff, courseId)) {
    return null
  }

  const courses = await listCourseAvailability(db, [courseId])
  if (!courses.has(courseId)) {
    return null
  }

  const { columns, listRows } = progressTable(courseId)
  const { email: _, ...columnsWithoutEmail } = columns
  const table = { columns: staff.seesLearnerEmails ? columns : columnsWithoutEmail, listRows }

  return createExport(table, {
    action: 'course progress',
    pageUrl: `/Desk/Courses/${courseId}/Learners`,
    fileName: `progress-${courseId}`,
    arguments: { course: courseId },
  })
}

type ExportDetails = Pick<TableExport, 'action' | 'pageUrl' | 'fileName'> & {
  arguments?: Record<string, unknown>
}

function createExport<Row>(
  { columns, listRows }: ExportedTable<Row>,
  details: ExportDetails,
): TableExport {
  const columnNames = Object.keys(columns)
  return {
    ...details,
    arguments: { ...details.arguments, columns: columnNames.join(' ') },
    columnNames,
    listRows: (tx) => toCsvRows(columns, listRows(tx)),
  }
}

function readField(form: FormData, name: string): string {
  return String(form.get(name) ?? '')
}
