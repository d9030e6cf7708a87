/**
 * Writes the audit log: what staff and operators changed, opened or exported.
 *
 * The entry of a change is written in the transaction of the change, so that neither exists without
 * the other. A task that can't be rolled back, such as a download, has one entry before it starts
 * and another entry when it has ended.
 *
 * The table `operator_acts` stores the entries of operators and of staff.
 */
import { sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { type Changes, operatorActs } from '~/server/database/schema'

/** The content of an audit entry about one change, task or view. */
export type NewAuditEntry = {
  /** The uid of a learner or the ID of another changed object, or null if there is none. */
  subject: string | null
  /** The submitted values that the audit log keeps. */
  arguments?: Record<string, unknown>
  changes?: Changes | null
  /** A sentence that says what the action did, or is about to do. */
  outcome: string
}

/** Who performs an action, and the action's name, such as 'learner disable'. */
export type AuditedAction = { actor: string; action: string }

/**
 * Compares the values before and after a change.
 *
 * @returns the values that differ, or null if there are none
 */
export function findChanges<Values extends Record<string, unknown>>(
  before: Values,
  after: Values,
): Changes | null {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changedNames = [...names].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (changedNames.length === 0) {
    return null
  }

  return Object.fromEntries(
    changedNames.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  )
}

/** Writes audit entries. Call it in the transaction of the changes that the entries describe. */
export async function writeAuditEntries(
  db: Pick<Statements, 'insert'>,
  { actor, action }: AuditedAction,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  if (entries.length === 0) {
    return
  }

  const rows = entries.map((entry) => ({
    id: randomId(),
    by: actor,
    act: action,
    subject: entry.subject,
    arguments: entry.arguments ?? {},
    changes: entry.changes,
    outcome: entry.outcome,
  }))
  await db.insert(operatorActs).values(rows)
}

/**
 * Performs a task that no transaction can roll back, such as creating a key or exporting data. The
 * task has two audit entries: one before it starts, and one with its outcome.
 *
 * @param startEntry the entry before the task starts
 * @param task returns the entry after the task has ended. The entry may have other properties for
 *   the caller, such as a new key, which are not stored.
 */
export async function performAuditedTask<EndEntry extends NewAuditEntry>(
  db: Database,
  auditedAction: AuditedAction,
  startEntry: NewAuditEntry,
  task: () => Promise<EndEntry>,
): Promise<EndEntry> {
  await writeAuditEntries(db, auditedAction, [startEntry])

  const endEntry = await task().catch(async (error) => {
    // The entry does not contain the error's message, which may name a file or a learner. If the
    // database is down, this entry is missing, and only the first one exists.
    const failureEntry = { ...startEntry, outcome: 'It didn’t finish.' }
    await writeAuditEntries(db, auditedAction, [failureEntry]).catch(() => {})
    throw error
  })

  await writeAuditEntries(db, auditedAction, [endEntry])
  return endEntry
}

/**
 * Records that a member of staff has opened the data of a learner. The learner finds the entry in
 * their own data. Views by the same member of staff within 15 minutes count once.
 */
export async function recordAccountView(
  db: Pick<Database, 'execute'>,
  staffUid: string,
  learnerUid: string,
): Promise<void> {
  await db.execute(sql`
    insert into operator_acts (id, by, act, subject, arguments, outcome)
    select ${randomId()}, ${staffUid}, 'learner open', ${learnerUid}, '{}', 'The account was looked at.'
    where not exists (
      select from operator_acts
      where subject = ${learnerUid}
        and by = ${staffUid}
        and act = 'learner open'
        and at > now() - interval '15 minutes')`)
}
