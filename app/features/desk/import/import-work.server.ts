import { eq, inArray, lt, sql } from 'drizzle-orm'
import { listCourseAvailability } from '~/features/enrollment/enrollment-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import { findStaff, type StaffMember } from '~/features/staff/staff-queries.server'
import { type Database, db, type Transaction } from '~/server/database/client.server'
import { importRows, imports } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { rowsAtOnce } from '~/server/operations/csv.server'
import { reportError } from '~/server/operations/log.server'
import { failure } from '~/server/result'
import { listImportRows } from './import-queries.server'
import {
  changesSomething,
  type ImportPlan,
  importLines,
  linesPerTransaction,
  lockImports,
  outcomeOf,
  planImport,
  planPart,
  reasonsByLine,
} from './learner-import.server'

/** Uploads are deleted after this time, because they name people who may have no account. */
const keptDays = 30

/** @returns a function that stops the imports after the step under way. */
export function startImports(): () => Promise<void> {
  return backgroundWork.add({
    name: 'imports',
    everyMs: 1_000,
    run: (mayGoOn) => workOnImports(db, { mayGoOn, now: new Date() }),
  })
}

/** Checks uploads and imports lines, oldest first. Each step has its own transaction. */
export async function workOnImports(
  db: Database,
  { mayGoOn, now }: { mayGoOn: () => boolean; now: Date },
): Promise<void> {
  await db
    .delete(imports)
    .where(lt(imports.createdAt, new Date(now.getTime() - keptDays * 24 * 60 * 60_000)))
  while (mayGoOn()) {
    const [next] = await db
      .select({ id: imports.id, state: imports.state })
      .from(imports)
      .where(inArray(imports.state, ['checking', 'running']))
      .orderBy(imports.createdAt, imports.id)
      .limit(1)

    if (!next) {
      return
    }

    const step = next.state === 'checking' ? checkFile(db, next.id) : importPart(db, next.id, now)
    await step.catch((error) => giveUp(db, next.id, error))
  }
}

/**
 * Stops an import after an error, instead of trying it over and over. If the database is down, this
 * fails too, and the import continues later.
 */
async function giveUp(db: Database, id: string, error: unknown): Promise<void> {
  await db
    .update(imports)
    .set({
      state: sql`case state when 'checking' then 'refused' else 'stopped' end`,
      refusal: 'Something went wrong on the server. Its log has the details.',
    })
    .where(eq(imports.id, id))

  reportError(error)
}

/** Stores the planned change or the problem of each line. Safe to repeat after a kill. */
async function checkFile(db: Database, id: string): Promise<void> {
  const [uploaded] = await db.select().from(imports).where(eq(imports.id, id))
  if (!uploaded?.file) {
    return
  }

  const staff = await findImporter(db, uploaded.by)
  const plan = staff
    ? await planImport(db, uploaded.fileName, uploaded.file, staff)
    : failure(noImporter)

  await db.transaction(async (transaction) => {
    if (!(await lockIn(transaction, id, 'checking'))) {
      return
    }

    const outcome = plan.ok
      ? { state: 'checked' as const, ...(await storePlan(transaction, id, plan.value)) }
      : { state: 'refused' as const, refusal: plan.problem }
    await transaction
      .update(imports)
      .set({ ...outcome, file: null })
      .where(eq(imports.id, id))
  })
}

const noImporter = 'The person who began this import may no longer change people.'

/** @returns the member of staff, or null if they may no longer import. */
async function findImporter(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<StaffMember | null> {
  const staff = await findStaff(db, uid)
  return staff && hasPermission(staff, 'change people') ? staff : null
}

/** @returns false if another process, or a member of staff, has changed the state first. */
async function lockIn(
  transaction: Transaction,
  id: string,
  state: 'checking' | 'running',
): Promise<boolean> {
  const { rows } = await transaction.execute(
    sql`select from imports where id = ${id} and state = ${state} for update`,
  )
  return rows.length > 0
}

async function storePlan(
  transaction: Transaction,
  id: string,
  { people, lines, problems, ignored }: ImportPlan,
) {
  const reasons = reasonsByLine(problems)
  const planned = new Map(lines.map((line) => [line.line, line]))
  const changing = lines.filter(changesSomething)
  const kept = people.filter(({ line }) => {
    const plan = planned.get(line)
    return !plan || changesSomething(plan)
  })
  for (let start = 0; start < kept.length; start += rowsAtOnce) {
    const rows = kept
      .slice(start, start + rowsAtOnce)
      .map(({ line, email, firstName, lastName, courses }) => {
        const plan = planned.get(line)
        return {
          ...{
            import_id: id,
            line,
            address: email,
            first_name: firstName,
            last_name: lastName,
            courses,
          },
          outcome: plan ? outcomeOf(plan) : null,
          problem: reasons.get(line) ?? null,
        }
      })

    await transaction.execute(sql`
      insert into import_rows (import_id, line, address, first_name, last_name, courses, outcome, problem)
      select import_id, line, address, first_name, last_name, courses, outcome, problem
      from jsonb_populate_recordset(null::import_rows, ${JSON.stringify(rows)}::text::jsonb)`)
  }

  return {
    ignored,
    lines: changing.length,
    newAccounts: changing.filter(({ uid }) => uid === null).length,
    enrollments: changing.reduce((sum, { enroll }) => sum + enroll.length, 0),
    unchanged: lines.length - changing.length,
    failed: people.length - lines.length,
  }
}

/**
 * Imports the next lines, and deletes them in the same transaction, so that a kill doesn't repeat
 * any.
 */
async function importPart(db: Database, id: string, now: Date): Promise<void> {
  await db.transaction(async (transaction) => {
    if (!(await lockIn(transaction, id, 'running'))) {
      return
    }

    await lockImports(transaction)
    const [own] = await transaction
      .select({ by: imports.by, emailsPerMinute: imports.emailsPerMinute, upTo: imports.upTo })
      .from(imports)
      .where(eq(imports.id, id))
    if (!own) {
      return
    }

    const staff = await findImporter(transaction, own.by)
    if (!staff) {
      await transaction
        .update(imports)
        .set({ state: 'stopped', refusal: noImporter })
        .where(eq(imports.id, id))
      return
    }

    // Starting at `upTo` skips the index entries of deleted rows, which stay until the next vacuum.
    const rows = await listImportRows(
      transaction,
      { id, isProblem: false, after: own.upTo },
      linesPerTransaction,
    )

    if (rows.length === 0) {
      await transaction
        .update(imports)
        .set({ state: 'done', finishedAt: now })
        .where(eq(imports.id, id))
      return
    }

    // Accounts and courses may have changed since the check.
    const courses = await listCourseAvailability(
      transaction,
      rows.flatMap((row) => row.courses),
    )
    const { lines, problems } = await planPart(transaction, rows, courses, staff)
    const changing = lines.filter(changesSomething)
    const pace = { now, pauseMs: 60_000 / own.emailsPerMinute }
    await importLines(transaction, { by: own.by, act: 'learners import' }, changing, pace)

    const done = lines.map(({ line }) => line)
    await transaction
      .delete(importRows)
      .where(sql`import_id = ${id} and line = any(${sql.param(done)}::int[])`)
    const reasons = reasonsByLine(problems)
    for (const [line, problem] of reasons) {
      await transaction
        .update(importRows)
        .set({ problem })
        .where(sql`import_id = ${id} and line = ${line}`)
    }

    await transaction
      .update(imports)
      .set({
        imported: sql`imported + ${changing.length}`,
        unchanged: sql`unchanged + ${lines.length - changing.length}`,
        failed: sql`failed + ${reasons.size}`,
        upTo: rows.at(-1)?.line ?? own.upTo,
      })
      .where(eq(imports.id, id))
  })
}
