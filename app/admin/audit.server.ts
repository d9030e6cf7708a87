import { and, desc, eq, gte } from 'drizzle-orm'
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { operatorActs } from '~/server/database/schema'

/** What the audit has of one change; see `operatorActs`. */
export type Recorded = { subject: string | null; arguments?: Record<string, unknown>; outcome: string }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
type Actor = { by: string; act: string }

/** Call it in the transaction of the changes, so that neither is without the other. */
export async function recordAudit(
  db: Pick<Statements, 'insert'>,
  { by, act }: Actor,
  entries: readonly Recorded[],
): Promise<void> {
  if (entries.length === 0) return
  await db.insert(operatorActs).values(
    entries.map(({ subject, outcome, arguments: given = {} }) => ({
      id: randomId(),
      by,
      act,
      subject,
      arguments: given,
      outcome,
    })),
  )
}

/**
 * Does something and records it, both or neither. Public pages show it at once.
 *
 * @param work throws a `StartError` with a sentence where it refuses; then nothing is recorded.
 */
export async function audited<Result extends Recorded>(
  db: Database,
  actor: Actor,
  work: (transaction: Transaction) => Promise<Result>,
  settings?: Parameters<Database['transaction']>[1],
): Promise<Result> {
  return db.transaction(async (transaction) => {
    const done = await work(transaction)
    await recordAudit(transaction, actor, [done])
    await renewPublicPages(transaction)
    return done
  }, settings)
}

/**
 * For what no transaction takes back: a new key, data that leaves the product. That it begins is in the audit before it does,
 * and its outcome once it is done or has failed.
 *
 * @param begins of what `work` does, with a sentence as outcome.
 */
export async function auditedFromTheStart<Result extends Recorded>(
  db: Database,
  actor: Actor,
  begins: Recorded,
  work: () => Promise<Result>,
): Promise<Result> {
  await recordAudit(db, actor, [begins])
  const done = await work().catch(async (error) => {
    // What went wrong may name a file or a learner. Where it is the database that is away, the beginning has to do.
    await recordAudit(db, actor, [{ ...begins, outcome: notFinished }]).catch(() => {})
    throw error
  })
  await recordAudit(db, actor, [done])
  return done
}

const notFinished = 'It didn’t finish.'

export type AuditEntry = typeof operatorActs.$inferSelect

/** The latest entries, newest first. @param filter.subject a learner's uid, or the ID of what else an entry is about. */
export function listAuditEntries(
  db: Database,
  { subject, since, limit }: { subject?: string; since?: Date; limit: number },
): Promise<AuditEntry[]> {
  return db
    .select()
    .from(operatorActs)
    .where(and(subject ? eq(operatorActs.subject, subject) : undefined, since && gte(operatorActs.at, since)))
    .orderBy(desc(operatorActs.at), desc(operatorActs.id))
    .limit(limit)
}
