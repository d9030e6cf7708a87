/**
 * Downloads of the desk's tables as CSV files.
 *
 * A download needs the permission of its table and a recent sign-in, and it has two audit entries:
 * one before the first row is sent, and one with the number of rows. All rows are from one snapshot
 * of the database.
 */
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { redirect } from 'react-router'
import { confirmUrl } from '~/features/accounts/sign-in/sign-in-urls'
import { performAuditedTask } from '~/features/staff/audit.server'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { hasRecentSignIn } from '~/features/staff/staff-session.server'
import { connect, db, sessionUrl, type Transaction } from '~/server/database/client.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { createCsvStream } from '~/server/operations/csv.server'
import { reportError } from '~/server/operations/log.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { rememberSeparator } from './csv-separator-cookie.server'
import { type CsvSeparator, parseCsvSeparator, separatorCharacters } from './csv-separators'
import type { SignedInStaff } from './desk-request.server'
import { findTableExport, type TableExport } from './export-definitions.server'

/** An export reads whole tables of the database in one transaction. */
const exportSlots = limitConcurrency(2, { name: 'exports of the desk', maxWaiting: 10 })
const maxExportMs = 10 * 60_000

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

  const separator = parseCsvSeparator(form.get('separator')) ?? 'comma'
  const separatorCookie = rememberSeparator(separator)

  if (!(await hasRecentSignIn({ session }))) {
    const headers = { 'Set-Cookie': separatorCookie }
    return redirect(confirmUrl(tableExport.pageUrl), { status: 303, headers })
  }

  const releaseSlot = await acquireExportSlot(request.signal)
  if (releaseSlot === null) {
    return new Response(serverMessages.tryAgainInAMoment, {
      status: 503,
      headers: { 'Retry-After': '60' },
    })
  }

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
    'Set-Cookie': separatorCookie,
  }

  return new Response(Readable.toWeb(output) as ReadableStream<Uint8Array>, { headers })
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
            createCsvStream(columnNames, { bom: true, separator: separatorCharacters[separator] }),
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
