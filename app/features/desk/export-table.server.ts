import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { redirect } from 'react-router'
import { confirmAddress } from '~/features/accounts/step-up/confirm-address'
import { demandRequiredTwoFactor } from '~/features/accounts/two-factor/required-two-factor.server'
import { listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import { auditedFromTheStart } from '~/features/staff/audit.server'
import { hasPermission, type Permission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { findSignedInPerson, hasRecentSignIn } from '~/features/staff/staff-session.server'
import { connect, db, sessionUrl, type Transaction } from '~/server/database/client.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { readForm } from '~/server/http/request-body.server'
import { tryAgainInAMoment } from '~/server/http/server-messages.server'
import { type CsvRow, csvRows, csvText } from '~/server/operations/csv.server'
import { reportError } from '~/server/operations/log.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { filterOf, typedFilter } from './audit/audit-filter.server'
import { seesCourse } from './courses/own-courses.server'
import {
  accountsTable,
  auditTable,
  couponsTable,
  type ExportedTable,
  ledgerTable,
  progressTable,
} from './exported-tables.server'
import { importProblemsTable } from './import/import-queries.server'

export const exportPath = '/Desk/Export'

/** A table reads whole tables of the database, in one transaction. */
const exports = limitConcurrency(2, { name: 'exports of the desk', waiting: 10 })
const mostMs = 10 * 60_000

type Chosen = {
  act: string
  /** Where its button is. */
  page: string
  given: Record<string, unknown>
  file: string
  columns: string[]
  rows(transaction: Transaction): AsyncGenerator<CsvRow>
}

export const exportPermissions = {
  people: 'take people’s data out',
  'import-problems': 'take people’s data out',
  progress: 'take progress out',
  receipts: 'take receipts out',
  audit: 'see the audit',
  coupons: 'run coupons',
} as const satisfies Record<string, Permission>

/** The download of a table as CSV. @returns null if it does not exist for this visitor. */
export async function exportTable(request: Request): Promise<Response | null> {
  const visitor = await findSignedInPerson(request)
  const staff = visitor?.staff
  if (staff) {
    await demandRequiredTwoFactor(db, staff.uid, request)
  }

  const chosen = staff && (await choose(staff, await readForm(request)))
  if (!chosen) {
    return null
  }

  if (!(await hasRecentSignIn(visitor))) {
    return redirect(confirmAddress(chosen.page), 303)
  }

  const release = await exports.acquire(request.signal).catch(withoutBusy)
  if (!release) {
    return new Response(tryAgainInAMoment, { status: 503, headers: { 'Retry-After': '60' } })
  }

  const output = new PassThrough()
  // Until the audit has its first entry, nothing is sent.
  write(staff, chosen, output)
    .catch((error) => {
      output.destroy(error)
      reportError(error, { request })
    })
    .finally(release)
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${chosen.file}-${new Date().toISOString().slice(0, 10)}.csv"`,
  }

  return new Response(Readable.toWeb(output) as ReadableStream<Uint8Array>, { headers })
}

/** Too many tables are being written. */
function withoutBusy(error: unknown): null {
  if (error instanceof BusyError) {
    return null
  }

  throw error
}

async function write(
  staff: StaffMember,
  { act, file, given, columns, rows }: Chosen,
  output: PassThrough,
): Promise<void> {
  // The pool's connections are for pages.
  const own = connect(sessionUrl, { poolSize: 1, timeoutMs: mostMs })
  const begins = { subject: null, arguments: given, outcome: `Begins to download ${file}.` }
  let count = 0
  async function* counted(transaction: Transaction) {
    for await (const row of rows(transaction)) {
      count++
      yield row
    }
  }

  try {
    await auditedFromTheStart(db, { by: staff.uid, act }, begins, async () => {
      await own.database.transaction(
        (transaction) =>
          pipeline(Readable.from(counted(transaction)), csvText(columns, { bom: true }), output, {
            signal: AbortSignal.timeout(mostMs),
          }),
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      )

      return {
        ...begins,
        outcome: byCount(
          count,
          `Downloaded 1 row of ${file}.`,
          `Downloaded ${formatNumber(count)} rows of ${file}.`,
        ),
      }
    })
  } finally {
    await own.pool.end()
  }
}

async function choose(staff: StaffMember, form: FormData): Promise<Chosen | null> {
  const name = String(form.get('table') ?? '')
  if (
    !Object.hasOwn(exportPermissions, name) ||
    !hasPermission(staff, exportPermissions[name as keyof typeof exportPermissions])
  ) {
    return null
  }

  switch (name) {
    case 'people':
      return chosen('learners export', '/Desk/People', 'people', accountsTable)
    case 'receipts':
      return chosen('orders export', '/Desk/Orders', 'receipts', ledgerTable)
    case 'audit': {
      const filter = typedFilter((field) => form.get(field))
      const table = auditTable(filterOf(filter))
      return chosen('audit export', '/Desk/Audit', 'audit', table, withoutEmpty(filter))
    }
    case 'import-problems': {
      const id = String(form.get('import') ?? '')
      const table = importProblemsTable(id)

      return chosen(
        'learners import-problems',
        `/Desk/People/Import/${id}`,
        'people-to-repair',
        table,
        { import: id },
      )
    }
    case 'coupons': {
      const named = String(form.get('name') ?? '').slice(0, 200)
      return chosen(
        'coupons download',
        `/Desk/Coupons?${new URLSearchParams({ text: named })}`,
        'coupons',
        couponsTable(named),
        { named },
      )
    }
    default: {
      const course = String(form.get('course') ?? '')
      if (!seesCourse(staff, course) || !(await listEnrollable(db, [course])).has(course)) {
        return null
      }

      const { columns, list } = progressTable(course)
      const { email, ...others } = columns
      const table = { columns: staff.seesAddresses ? columns : others, list }

      return chosen(
        'course progress',
        `/Desk/Courses/${course}/Learners`,
        `progress-${course}`,
        table,
        { course },
      )
    }
  }
}

function chosen<Row>(
  act: string,
  page: string,
  file: string,
  { columns, list }: ExportedTable<Row>,
  given = {},
): Chosen {
  const rows = (transaction: Transaction) => csvRows(columns, list(transaction))
  return {
    act,
    page,
    file,
    given: { ...given, columns: Object.keys(columns).join(' ') },
    columns: Object.keys(columns),
    rows,
  }
}

const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
