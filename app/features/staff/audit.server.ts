import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { type Changes, operatorActs } from '~/server/database/schema'

/** The audit entry of one change; see `operatorActs`. */
export type AuditRecord = {
  subject: string | null
  arguments?: Record<string, unknown>
  changes?: Changes | null
  outcome: string
}

/** Who acts, and what is done, like 'learner disable'. */
export type Actor = { by: string; act: string }

/**
 * Compares the values before and after an act.
 *
 * @returns the differences by name, or null if there are none.
 */
export function changesBetween<Values extends Record<string, unknown>>(
  before: Values,
  after: Values,
): Changes | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) {
    return null
  }

  return Object.fromEntries(
    names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  )
}

/** Call it in the transaction of the changes, so that both are committed or neither. */
export async function recordAudit(
  db: Pick<Statements, 'insert'>,
  { by, act }: Actor,
  entries: readonly AuditRecord[],
): Promise<void> {
  if (entries.length === 0) {
    return
  }

  await db.insert(operatorActs).values(
    entries.map(({ subject, outcome, changes, arguments: given = {} }) => ({
      id: randomId(),
      by,
      act,
      subject,
      arguments: given,
      changes,
      outcome,
    })),
  )
}

/**
 * For work that no transaction can roll back: a new key, exported data. The audit gets one entry
 * before the work starts and one with its outcome.
 *
 * @param begins the entry written before `work` starts, with a sentence as outcome.
 */
export async function auditedFromTheStart<Result extends AuditRecord>(
  db: Database,
  actor: Actor,
  begins: AuditRecord,
  work: () => Promise<Result>,
): Promise<Result> {
  await recordAudit(db, actor, [begins])
  const done = await work().catch(async (error) => {
    // An error message may name a file or a learner. If the database itself is down, the first
    // entry has to do.
    await recordAudit(db, actor, [{ ...begins, outcome: notFinished }]).catch(() => {})
    throw error
  })

  await recordAudit(db, actor, [done])

  return done
}

const notFinished = 'It didn’t finish.'
