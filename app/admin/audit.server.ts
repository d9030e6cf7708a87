import { and, desc, eq, gte } from 'drizzle-orm'
import { findUserByEmail } from '~/features/accounts/account-queries.server'
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { operatorActs } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { type AdminCommand, formatInstant, limitOption, listed } from './admin-command.server'

/** The audit entry of one change; see `operatorActs`. */
export type Recorded = { subject: string | null; arguments?: Record<string, unknown>; outcome: string }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
type Actor = { by: string; act: string }

/** Call it in the transaction of the changes, so that both are committed or neither. */
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
 * Makes a change and records it in one transaction. Public pages show it at once.
 *
 * @param work throws a `StartError` with a sentence to refuse; then nothing is recorded.
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
 * For work that no transaction can roll back: a new key, exported data. The audit gets one entry before the work starts and one
 * with its outcome.
 *
 * @param begins the entry written before `work` starts, with a sentence as outcome.
 */
export async function auditedFromTheStart<Result extends Recorded>(
  db: Database,
  actor: Actor,
  begins: Recorded,
  work: () => Promise<Result>,
): Promise<Result> {
  await recordAudit(db, actor, [begins])
  const done = await work().catch(async (error) => {
    // An error message may name a file or a learner. If the database itself is down, the first entry has to do.
    await recordAudit(db, actor, [{ ...begins, outcome: notFinished }]).catch(() => {})
    throw error
  })
  await recordAudit(db, actor, [done])
  return done
}

const notFinished = 'It didn’t finish.'

type AuditEntry = typeof operatorActs.$inferSelect

/** The latest entries, newest first. @param filter.subject the uid of a learner, or the ID of another affected object. */
function listAuditEntries(
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

export const auditCommands: AdminCommand[] = [
  {
    name: 'audit list',
    takes: [],
    options: {
      learner: { value: 'LEARNER', says: 'only what was done to this learner; by uid also once the account is gone' },
      since: { value: 'DATE', says: 'only from this day or moment on, in UTC: 2026-11-22 or 2026-11-22T14:00' },
      limit: limitOption(50, 10_000),
    },
    says: 'list what operators did, newest first',
    effect: 'reads',
    async run({ db, options }) {
      const { learner, since } = options
      const name = typeof learner === 'string' ? learner.trim() : undefined
      const subject = name?.includes('@') ? (await findUserByEmail(db, name))?.id : name
      if (name && !subject)
        throw new StartError(`No account has the email address ${name}. Its uid may still find something.`)
      return listed({
        options,
        usual: 50,
        most: 10_000,
        find: (limit) => listAuditEntries(db, { subject, since: parseSince(since), limit }),
        shown: entryRow,
        none: 'No operator has done anything of this kind.',
        more: 'Give the learner with --learner, or a higher --limit.',
      })
    },
  },
]

type Done = Awaited<ReturnType<typeof listAuditEntries>>[number]

const entryRow = ({ at, by, act, subject, arguments: given, outcome }: Done) => ({
  AT: formatInstant(at),
  BY: by,
  ACT: act,
  ABOUT: subject,
  WITH: Object.entries(given)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' '),
  OUTCOME: outcome,
})

const dayOrTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/

function parseSince(since: unknown): Date | undefined {
  if (typeof since !== 'string') return undefined
  const text = since.trim()
  const time = new Date(text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text)
  if (!dayOrTime.test(text) || Number.isNaN(time.getTime()))
    throw new StartError('--since takes a day like 2026-11-22 or a moment like 2026-11-22T14:00, in UTC.')
  return time
}
