import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import { type Cursor, cursorTime, isAfter, pageRows } from '~/server/database/list-pages.server'
import type { imports } from '~/server/database/schema'
import { type CsvColumns, rowsAtOnce } from '~/server/operations/csv.server'
import type { ExportedTable } from '../exported-tables.server'

export type ImportState = (typeof imports.$inferSelect)['state']

export type Import = {
  id: string
  /** Null once the account is deleted. */
  byName: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  finishedAt: string | null
  fileName: string
  state: ImportState
  refusal: string | null
  ignored: string[]
  emailsPerMinute: number
  lines: number
  newAccounts: number
  enrollments: number
  unchanged: number
  failed: number
  imported: number
  upTo: number
  cursorAt: string
}

const columns = sql`i.id, u.name as "byName", ${cursorTime(sql`i.created_at`)} as "createdAt",
  ${cursorTime(sql`i.finished_at`)} as "finishedAt", i.file_name as "fileName", i.state, i.refusal, i.ignored,
  i.emails_per_minute as "emailsPerMinute", i.lines, i.new_accounts as "newAccounts", i.enrollments, i.unchanged, i.failed,
  i.imported, i.up_to as "upTo", ${cursorTime(sql`i.created_at`)} as "cursorAt"`

/** Newest first. */
export async function listImports(
  db: Pick<Database, 'execute'>,
  cursor: Cursor | null,
): Promise<Import[]> {
  const { rows } = await db.execute<Import>(sql`
    select ${columns} from imports i left join users u on u.id = i.by
    where ${isAfter(cursor, sql`i.created_at`, sql`i.id`)} order by i.created_at desc, i.id desc limit ${pageRows + 1}`)
  return rows
}

export async function findImport(
  db: Pick<Database, 'execute'>,
  id: string,
): Promise<Import | null> {
  const { rows } = await db.execute<Import>(sql`
    select ${columns} from imports i left join users u on u.id = i.by where i.id = ${id}`)
  return rows[0] ?? null
}

export type ImportRow = {
  line: number
  email: string
  firstName: string
  lastName: string
  courses: string[]
  outcome: string | null
  problem: string | null
}

/**
 * Lists lines that wait, or faulty lines.
 *
 * @param after the last line of the previous page, or 0.
 */
export async function listImportRows(
  db: Pick<Database, 'execute'>,
  { id, isProblem, after }: { id: string; isProblem: boolean; after: number },
  limit: number,
): Promise<ImportRow[]> {
  const { rows } = await db.execute<ImportRow>(sql`
    select line, address as email, first_name as "firstName", last_name as "lastName", courses, outcome, problem from import_rows
    where import_id = ${id} and line > ${after} and ${isProblem ? sql`problem is not null` : sql`problem is null`}
    order by line limit ${limit}`)
  return rows
}

const problemColumns: CsvColumns<ImportRow> = {
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  courses: ({ courses }) => courses.join(' '),
  line: ({ line }) => line,
  problem: ({ problem }) => problem,
}

async function* listProblems(transaction: Transaction, id: string): AsyncGenerator<ImportRow[]> {
  for (let after = 0; ; ) {
    const rows = await listImportRows(transaction, { id, isProblem: true, after }, rowsAtOnce)
    yield rows
    if (rows.length < rowsAtOnce) {
      return
    }

    after = rows.at(-1)?.line ?? after
  }
}

/** The lines that couldn't be imported, to be repaired and uploaded again. */
export function importProblemsTable(id: string): ExportedTable<ImportRow> {
  return { columns: problemColumns, list: (transaction) => listProblems(transaction, id) }
}
