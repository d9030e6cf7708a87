/** Reads imports of people, and the lines of their files that wait or are faulty. */
import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
  rowsPerPage,
} from '~/server/database/list-pages.server'
import type { imports } from '~/server/database/schema'
import { type CsvColumns, csvBatchRows } from '~/server/operations/csv.server'
import { type ExportedTable, listInBatches } from '../exported-tables.server'
import type { ImportColumn } from './column-meanings'

export type ImportStatus = (typeof imports.$inferSelect)['status']

export type Import = {
  id: string
  /** The name of the member of staff. Null if their account was deleted. */
  byName: string | null
  /** An ISO 8601 time in UTC. */
  createdAt: string
  finishedAt: string | null
  fileName: string
  status: ImportStatus
  /** Why the file was refused, or the import stopped. */
  refusal: string | null
  /** The names of the columns that are not imported. */
  ignoredColumns: string[]
  /** The columns of the file. Null until it was read. */
  columns: ImportColumn[] | null
  emailsPerMinute: number
  /** The number of lines that change something. */
  changingLines: number
  newAccounts: number
  enrollments: number
  unchangedLines: number
  faultyLines: number
  importedLines: number
  /** The number of the last line that was handled. */
  lastHandledLine: number
  cursorAt: string
}

const importColumns = sql`i.id,
  u.name as "byName",
  ${formatCursorTime(sql`i.created_at`)} as "createdAt",
  ${formatCursorTime(sql`i.finished_at`)} as "finishedAt",
  i.file_name as "fileName",
  i.state as status,
  i.refusal,
  i.ignored as "ignoredColumns",
  i.columns,
  i.emails_per_minute as "emailsPerMinute",
  i.lines as "changingLines",
  i.new_accounts as "newAccounts",
  i.enrollments,
  i.unchanged as "unchangedLines",
  i.failed as "faultyLines",
  i.imported as "importedLines",
  i.up_to as "lastHandledLine",
  ${formatCursorTime(sql`i.created_at`)} as "cursorAt"`

/** Lists imports, newest first. */
export async function listImports(
  db: Pick<Database, 'execute'>,
  cursor: Cursor | null,
): Promise<Import[]> {
  const { rows } = await db.execute<Import>(sql`
    select ${importColumns}
    from imports i
      left join users u on u.id = i.by
    where ${createCursorCondition(cursor, sql`i.created_at`, sql`i.id`)}
    order by i.created_at desc, i.id desc
    limit ${rowsPerPage + 1}`)

  return rows
}

export async function findImport(
  db: Pick<Database, 'execute'>,
  id: string,
): Promise<Import | null> {
  const { rows } = await db.execute<Import>(sql`
    select ${importColumns}
    from imports i
      left join users u on u.id = i.by
    where i.id = ${id}`)

  return rows[0] ?? null
}

/** A line of the file that waits to be imported, or is faulty. */
export type ImportRow = {
  lineNumber: number
  email: string
  firstName: string
  lastName: string
  courses: string[]
  /** What the import will do. Null for a faulty line. */
  outcome: string | null
  problem: string | null
}

type ImportRowFilter = {
  importId: string
  /** Faulty lines have a problem. Waiting lines can be imported. */
  kind: 'faulty' | 'waiting'
  /** The last line of the previous page, or 0. */
  previousLine: number
}

/** Lists the faulty or the waiting lines of an import, by their number. */
export async function listImportRows(
  db: Pick<Database, 'execute'>,
  { importId, kind, previousLine }: ImportRowFilter,
  limit: number,
): Promise<ImportRow[]> {
  const { rows } = await db.execute<ImportRow>(sql`
    select line as "lineNumber",
      address as email,
      first_name as "firstName",
      last_name as "lastName",
      courses,
      outcome,
      problem
    from import_rows
    where import_id = ${importId}
      and line > ${previousLine}
      and ${kind === 'faulty' ? sql`problem is not null` : sql`problem is null`}
    order by line
    limit ${limit}`)

  return rows
}

const problemColumns: CsvColumns<ImportRow> = {
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  courses: ({ courses }) => courses.join(' '),
  line: ({ lineNumber }) => lineNumber,
  problem: ({ problem }) => problem,
}

/** The faulty lines of an import, which staff repair and upload again. */
export function importProblemsTable(importId: string): ExportedTable<ImportRow> {
  return {
    columns: problemColumns,
    listRows: (tx) =>
      listInBatches((lastRow) => {
        const filter = { importId, kind: 'faulty', previousLine: lastRow?.lineNumber ?? 0 } as const
        return listImportRows(tx, filter, csvBatchRows)
      }),
  }
}
