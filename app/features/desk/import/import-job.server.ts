/**
 * Checks and imports uploaded tables of people in the background.
 *
 * An upload is first checked, which stores the planned change or the problem of each line. Once
 * staff start the import, some lines at a time are imported in one transaction.
 */
import { eq, inArray, lt, sql } from 'drizzle-orm'
import { listCourseAvailability } from '~/features/courses/course-lookup.server'
import { hasPermission } from '~/features/staff/permissions'
import { findStaff, type StaffMember } from '~/features/staff/staff-queries.server'
import { type Database, db, type Transaction } from '~/server/database/client.server'
import { importRows, imports } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { csvBatchRows } from '~/server/operations/csv.server'
import { reportError } from '~/server/operations/log.server'
import { failure, type Result, success } from '~/server/result'
import { type ImportColumn, needsColumnChoice } from './column-meanings'
import {
  changesSomething,
  describeColumns,
  describeLine,
  type ImportPlan,
  joinReasonsByLine,
  planLines,
  planTable,
} from './import-plan.server'
import { type ImportRow, listImportRows } from './import-queries.server'
import {
  importActionName,
  importLines,
  linesPerTransaction,
  lockImports,
} from './learner-import.server'
import { readCsv } from './read-csv.server'

/** Uploads are deleted after this many days, because they name people who may have no account. */
const retentionDays = 30
const dayMs = 24 * 60 * 60_000

/**
 * Checks and imports uploads in the background.
 *
 * @returns a function that stops the imports after the current step
 */
export function startImports(): () => Promise<void> {
  return backgroundWork.schedule({
    name: 'imports',
    intervalMs: 1_000,
    run: (mayContinue) => runImports(db, { mayContinue, now: new Date() }),
  })
}

type RunOptions = {
  /** Returns false once another process has taken over. */
  mayContinue: () => boolean
  now: Date
}

/** Checks uploads and imports their lines, the oldest first. Each step has its own transaction. */
export async function runImports(db: Database, { mayContinue, now }: RunOptions): Promise<void> {
  const oldestCreatedAt = new Date(now.getTime() - retentionDays * dayMs)
  await db.delete(imports).where(lt(imports.createdAt, oldestCreatedAt))

  while (mayContinue()) {
    const [nextImport] = await db
      .select({ id: imports.id, status: imports.status })
      .from(imports)
      .where(inArray(imports.status, ['checking', 'running']))
      .orderBy(imports.createdAt, imports.id)
      .limit(1)
    if (!nextImport) {
      return
    }

    const { id, status } = nextImport
    try {
      if (status === 'checking') {
        await checkFile(db, id)
      } else {
        await importNextLines(db, id, now)
      }
    } catch (error) {
      await stopAfterError(db, id, error)
    }
  }
}

/**
 * Stops an import after an error, instead of trying it over and over. If the database is down, this
 * fails too, and the import continues later.
 */
async function stopAfterError(db: Database, id: string, error: unknown): Promise<void> {
  await db
    .update(imports)
    .set({
      status: sql`case state when 'checking' then 'refused' else 'stopped' end`,
      refusal: 'Something went wrong on the server. Its log has the details.',
    })
    .where(eq(imports.id, id))

  reportError(error)
}

/**
 * Stores the planned change or the problem of each line, or the columns among which staff have to
 * choose first. It is safe to repeat after a kill.
 */
async function checkFile(db: Database, id: string): Promise<void> {
  const [upload] = await db.select().from(imports).where(eq(imports.id, id))
  if (!upload?.file) {
    return
  }

  const { by, fileName, file, columns } = upload
  const check = await planUpload(db, { by, fileName, file, columns })

  await db.transaction(async (tx) => {
    if (!(await lockImport(tx, id, 'checking'))) {
      return
    }

    const changes = check.ok
      ? await storeCheck(tx, id, check.value)
      : { status: 'refused' as const, refusal: check.problem, file: null }
    await tx.update(imports).set(changes).where(eq(imports.id, id))
  })
}

type Upload = Pick<typeof imports.$inferSelect, 'by' | 'fileName' | 'columns'> & { file: Buffer }

/** The plan of an upload, or the columns among which staff have to choose before the check. */
type UploadCheck = { plan: ImportPlan } | { unclearColumns: ImportColumn[] }

async function planUpload(db: Database, upload: Upload): Promise<Result<UploadCheck>> {
  const staff = await findImporter(db, upload.by)
  if (staff === null) {
    return failure(importerNotPermittedMessage)
  }

  const table = await readCsv(upload.fileName, upload.file)
  if (!table.ok) {
    return table
  }

  const columns = upload.columns ?? describeColumns(table.value)
  if (columns.length === 0) {
    return failure(`${upload.fileName} has no first line that names its columns.`)
  }

  if (upload.columns === null && needsColumnChoice(columns)) {
    return success({ unclearColumns: columns })
  }

  return success({ plan: await planTable(db, table.value, columns, staff) })
}

/** Stores the result of a check. The file is kept only until its lines are stored. */
async function storeCheck(tx: Transaction, id: string, check: UploadCheck) {
  if ('unclearColumns' in check) {
    return { status: 'unclear' as const, columns: check.unclearColumns }
  }

  const lineCounts = await storePlannedLines(tx, id, check.plan)
  return { status: 'checked' as const, ...lineCounts, file: null }
}

const importerNotPermittedMessage = 'The person who began this import may no longer change people.'

/** Returns the member of staff, or null if they may no longer import. */
async function findImporter(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<StaffMember | null> {
  const staff = await findStaff(db, uid)
  return staff && hasPermission(staff, 'change people') ? staff : null
}

/** @returns false if another process or a member of staff has changed the status already */
async function lockImport(
  tx: Transaction,
  id: string,
  status: 'checking' | 'running',
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from imports
    where id = ${id} and state = ${status}
    for update`)

  return rows.length > 0
}

/**
 * Stores the lines that change something or are faulty.
 *
 * @returns the numbers of lines, for the row of the import
 */
async function storePlannedLines(
  tx: Transaction,
  id: string,
  { people, lines, problems, columns }: ImportPlan,
) {
  const problemsByLine = joinReasonsByLine(problems)
  const plannedLines = new Map(lines.map((line) => [line.lineNumber, line]))
  const changingLines = lines.filter(changesSomething)
  const storedPeople = people.filter(({ lineNumber }) => {
    const plannedLine = plannedLines.get(lineNumber)
    return plannedLine === undefined || changesSomething(plannedLine)
  })

  for (let start = 0; start < storedPeople.length; start += csvBatchRows) {
    const rows = storedPeople.slice(start, start + csvBatchRows).map((person) => {
      const plannedLine = plannedLines.get(person.lineNumber)
      return {
        import_id: id,
        line: person.lineNumber,
        address: person.email,
        first_name: person.firstName,
        last_name: person.lastName,
        courses: person.courses,
        outcome: plannedLine ? describeLine(plannedLine) : null,
        problem: problemsByLine.get(person.lineNumber) ?? null,
      }
    })

    await tx.execute(sql`
      insert into import_rows (
        import_id, line, address, first_name, last_name, courses, outcome, problem)
      select import_id, line, address, first_name, last_name, courses, outcome, problem
      from jsonb_populate_recordset(null::import_rows, ${JSON.stringify(rows)}::text::jsonb)`)
  }

  return {
    ignoredColumns: columns.filter(({ meaning }) => meaning === null).map(({ name }) => name),
    // The examples name people, so they are kept no longer than the file.
    columns: columns.map((column) => ({ ...column, example: '' })),
    changingLines: changingLines.length,
    newAccounts: changingLines.filter(({ uid }) => uid === null).length,
    enrollments: changingLines.reduce((sum, { newCourseIds }) => sum + newCourseIds.length, 0),
    unchangedLines: lines.length - changingLines.length,
    faultyLines: people.length - lines.length,
  }
}

/**
 * Imports the next lines, and deletes them in the same transaction, so that no line is repeated
 * after a kill.
 */
async function importNextLines(db: Database, id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockImport(tx, id, 'running'))) {
      return
    }

    await lockImports(tx)
    const runningImport = await findRunningImport(tx, id)
    if (runningImport === null) {
      return
    }

    const staff = await findImporter(tx, runningImport.by)
    if (staff === null) {
      const stopped = { status: 'stopped' as const, refusal: importerNotPermittedMessage }
      await tx.update(imports).set(stopped).where(eq(imports.id, id))
      return
    }

    // Starting after the last handled line skips the index entries of deleted rows, which stay
    // until the next vacuum.
    const { lastHandledLine } = runningImport
    const filter = { importId: id, kind: 'waiting', previousLine: lastHandledLine } as const
    const rows = await listImportRows(tx, filter, linesPerTransaction)
    const lastRow = rows.at(-1)
    if (!lastRow) {
      const done = { status: 'done' as const, finishedAt: now }
      await tx.update(imports).set(done).where(eq(imports.id, id))
      return
    }

    const counts = await importRowsNow(tx, runningImport, { rows, staff, now })
    await tx
      .update(imports)
      .set({ ...counts, lastHandledLine: lastRow.lineNumber })
      .where(eq(imports.id, id))
  })
}

type RunningImport = Pick<
  typeof imports.$inferSelect,
  'id' | 'by' | 'emailsPerMinute' | 'lastHandledLine'
>

async function findRunningImport(tx: Transaction, id: string): Promise<RunningImport | null> {
  const [runningImport] = await tx
    .select({
      id: imports.id,
      by: imports.by,
      emailsPerMinute: imports.emailsPerMinute,
      lastHandledLine: imports.lastHandledLine,
    })
    .from(imports)
    .where(eq(imports.id, id))

  return runningImport ?? null
}

/**
 * Plans the rows once more, because accounts and courses may have changed since the check. Imports
 * and deletes the rows without a problem, and stores the problems of the others.
 *
 * @returns the increased numbers of lines, for the row of the import
 */
async function importRowsNow(
  tx: Transaction,
  { id, by, emailsPerMinute }: RunningImport,
  { rows, staff, now }: { rows: ImportRow[]; staff: StaffMember; now: Date },
) {
  const courseIds = rows.flatMap((row) => row.courses)
  const courses = await listCourseAvailability(tx, courseIds)
  const { lines, problems } = await planLines(tx, rows, courses, staff)

  const changingLines = lines.filter(changesSomething)
  const pace = { now, pauseMs: 60_000 / emailsPerMinute }
  await importLines(tx, { actor: by, action: importActionName }, changingLines, pace)

  const finishedLines = lines.map(({ lineNumber }) => lineNumber)
  await tx
    .delete(importRows)
    .where(sql`import_id = ${id} and line = any(${sql.param(finishedLines)}::int[])`)

  const problemsByLine = joinReasonsByLine(problems)
  for (const [line, problem] of problemsByLine) {
    await tx.update(importRows).set({ problem }).where(sql`import_id = ${id} and line = ${line}`)
  }

  return {
    importedLines: sql`imported + ${changingLines.length}`,
    unchangedLines: sql`unchanged + ${lines.length - changingLines.length}`,
    faultyLines: sql`failed + ${problemsByLine.size}`,
  }
}
