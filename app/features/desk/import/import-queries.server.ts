/** Reads imports of people, and the lines of their files. */
import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { type Cursor, cursorTime, isAfter, pageRows } from '~/server/database/list-pages.server'
import type { imports } from '~/server/database/schema'
import { type CsvColumns, rowsAtOnce } from '~/server/operations/csv.server'
import { type ExportedTable, listInParts } from '../exported-tables.server'
import type { ImportColumn } from './column-meanings'

export type ImportState = (typeof imports.$inferSelect)['state']

export type Import = {
  id: string
  /** The name of the member of staff. Null if their account was deleted. */
  byName: string | null
  /** An ISO 8601 time in UTC. */
  createdAt: string
  finishedAt: string | null
  fileName: string
  state: ImportState
  refusal: string | null
  /** The columns of the file that are ignored. */
  ignored: string[]
  /** The columns of the file. Null until it was read. */
  columns: ImportColumn[] | null
  emailsPerMinute: number
  /** The lines that change something. */
  lines: number
  newAccounts: number
  enrollments: number
  unchanged: number
  failed: number
  imported: number
  /** The last line that was imported. */
  upTo: number
  cursorAt: string
}

const importColumns = sql`i.id,
  u.name as "byName",
  ${cursorTime(sql`i.created_at`)} as "createdAt",
  ${cursorTime(sql`i.finished_at`)} as "finishedAt",
  i.file_name as "fileName",
  i.state,
  i.refusal,
  i.ignored,
  i.columns,
  i.emails_per_minute as "emailsPerMinute",
  i.lines,
  i.new_accounts as "newAccounts",
  i.enrollments,
  i.unchanged,
  i.failed,
  i.imported,
  i.up_to as "upTo",
  ${cursorTime(sql`i.created_at`)} as "cursorAt"`

/** Lists imports, newest first. */
export async function listImports(
  db: Pick<Database, 'execute'>,
  cursor: Cursor | null,
): Promise<Import[]> {
  const { rows } = await db.execute<Import>(sql`
    select ${importColumns}
    from imports i
      left join users u on u.id = i.by
    where ${isAfter(cursor, sql`i.created_at`, sql`i.id`)}
    order by i.created_at desc, i.id desc
    limit ${pageRows + 1}`)

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

type ImportRow = {
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
  /** Whether to list faulty lines, or else lines that wait. */
  isProblem: boolean
  /** The last line of the previous page, or 0. */
  previousLine: number
}

export async function listImportRows(
  db: Pick<Database, 'execute'>,
  { importId, isProblem, previousLine }: ImportRowFilter,
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
      and ${isProblem ? sql`problem is not null` : sql`problem is null`}
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

/** The lines that could not be imported, which staff repair and upload again. */
export function importProblemsTable(importId: string): ExportedTable<ImportRow> {
  return {
    columns: problemColumns,
    listRows: (tx) =>
      listInParts((lastRow) => {
        const filter = { importId, isProblem: true, previousLine: lastRow?.lineNumber ?? 0 }
        return listImportRows(tx, filter, rowsAtOnce)
      }),
  }
}
