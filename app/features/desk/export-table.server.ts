/**
 * Downloads of the desk's tables as CSV files.
 *
 * A download needs the permission of its table and a recent sign-in, and it has two audit entries:
 * one before the first row is sent, and one with the number of rows. All rows are from one snapshot
 * of the database.
 */
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse, serialize } from 'hono/utils/cookie'
import { redirect } from 'react-router'
import { confirmUrl } from '~/features/accounts/sign-in/sign-in-urls'
import { listCourseAvailability } from '~/features/enrollment/enrollment-queries.server'
import { performAuditedTask } from '~/features/staff/audit.server'
import { hasPermission, type Permission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { hasRecentSignIn } from '~/features/staff/staff-session.server'
import { canSeeCourse } from '~/features/staff/visible-courses.server'
import { connect, db, sessionUrl, type Transaction } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { type CsvRow, csvRows, csvText } from '~/server/operations/csv.server'
import { reportError } from '~/server/operations/log.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { parseAuditFilter, readAuditFilterFields } from './audit/audit-page.server'
import { type CsvSeparator, parseCsvSeparator, separatorCharacters } from './csv-separators'
import type { SignedInStaff } from './desk-request.server'
import {
  accountsTable,
  auditTable,
  couponsTable,
  type ExportedTable,
  ledgerTable,
  progressTable,
} from './exported-tables.server'
import { importProblemsTable } from './import/import-queries.server'

/** An export reads whole tables of the database in one transaction. */
const exportSlots = limitConcurrency(2, { name: 'exports of the desk', maxWaiting: 10 })
const maxExportMs = 10 * 60_000

type TableExport = {
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
    listRows: (tx) => csvRows(columns, listRows(tx)),
  }
}

function readField(form: FormData, name: string): string {
  return String(form.get(name) ?? '')
}

/**
 * Responds with the table that the form asks for.
 *
 * @returns null if the table does not exist for the member of staff
 */
export async function exportTable(
  request: Request,
  { staff, session }: SignedInStaff,
): Promise<Response | null> {
  const form = await readForm(request)
  const tableExport = await findTableExport(staff, form)
  if (tableExport === null) {
    return null
  }

  if (!(await hasRecentSignIn({ session }))) {
    return redirect(confirmUrl(tableExport.pageUrl), 303)
  }

  const releaseSlot = await acquireExportSlot(request.signal)
  if (releaseSlot === null) {
    return new Response(serverMessages.tryAgainInAMoment, {
      status: 503,
      headers: { 'Retry-After': '60' },
    })
  }

  const separator = parseCsvSeparator(form.get('separator')) ?? 'comma'
  const output = new PassThrough()
  // The response is sent while the rows are read.
  writeTable(staff, tableExport, { output, separator })
    .catch((error) => {
      output.destroy(error)
      reportError(error, { request })
    })
    .finally(releaseSlot)

  const today = new Date().toISOString().slice(0, 10)
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${tableExport.fileName}-${today}.csv"`,
    'Set-Cookie': rememberSeparator(separator),
  }

  return new Response(Readable.toWeb(output) as ReadableStream<Uint8Array>, { headers })
}

async function findTableExport(staff: StaffMember, form: FormData): Promise<TableExport | null> {
  const name = readField(form, 'table')
  const definition = Object.hasOwn(tableExports, name) ? tableExports[name] : undefined
  if (!definition || !hasPermission(staff, definition.permission)) {
    return null
  }

  return definition.prepare(form, staff)
}

/** @returns a function that releases the slot, or null if too many exports wait already */
async function acquireExportSlot(signal: AbortSignal): Promise<(() => void) | null> {
  try {
    return await exportSlots.acquire(signal)
  } catch (error) {
    if (error instanceof BusyError) {
      return null
    }

    throw error
  }
}

/** Writes the rows to the output. Nothing is sent before the first audit entry is written. */
async function writeTable(
  staff: StaffMember,
  tableExport: TableExport,
  { output, separator }: { output: PassThrough; separator: CsvSeparator },
): Promise<void> {
  const { action, fileName, columnNames, listRows } = tableExport
  const auditedAction = { actor: staff.uid, action }
  const startEntry = {
    subject: null,
    arguments: tableExport.arguments,
    outcome: `Begins to download ${fileName}.`,
  }

  let rowCount = 0
  async function* countRows(tx: Transaction) {
    for await (const row of listRows(tx)) {
      rowCount += 1
      yield row
    }
  }

  // An export takes longer than the connections of the pool may be used for pages.
  const connection = connect(sessionUrl, { poolSize: 1, timeoutMs: maxExportMs })
  try {
    await performAuditedTask(db, auditedAction, startEntry, async () => {
      await connection.database.transaction(
        (tx) =>
          pipeline(
            Readable.from(countRows(tx)),
            csvText(columnNames, { bom: true, separator: separatorCharacters[separator] }),
            output,
            { signal: AbortSignal.timeout(maxExportMs) },
          ),
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      )

      const outcome = byCount(
        rowCount,
        `Downloaded 1 row of ${fileName}.`,
        `Downloaded ${formatNumber(rowCount)} rows of ${fileName}.`,
      )
      return { ...startEntry, outcome }
    })
  } finally {
    await connection.pool.end()
  }
}

/* The browser of a member of staff remembers the separator of its last download in a cookie. */

const cookieName = 'csv_separator'
const rememberedSeconds = 365 * 24 * 60 * 60

/** Returns the value of a `Set-Cookie` header. */
function rememberSeparator(separator: CsvSeparator): string {
  return serialize(cookieName, separator, {
    httpOnly: true,
    maxAge: rememberedSeconds,
    // The path of a cookie is case-sensitive, unlike the routes of the desk.
    path: '/',
    sameSite: 'Lax',
    secure: env.PUBLIC_URL.startsWith('https:'),
  })
}

/** Returns commas for a browser that has not downloaded a table yet. */
export function findRememberedSeparator(request: Request): CsvSeparator {
  const cookies = parse(request.headers.get('Cookie') ?? '', cookieName)
  return parseCsvSeparator(cookies[cookieName]) ?? 'comma'
}
