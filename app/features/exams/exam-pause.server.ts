import { and, count, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { examAttempts } from '~/server/database/schema'
import { graceMs, pausedSeconds } from './exam-time'

const underWay = and(isNull(examAttempts.submittedAt), isNotNull(examAttempts.deadlineAt))

/** Exams under way whose time wasn't over by then: those that maintenance pauses. */
export async function countRunningAttempts(db: Pick<Statements, 'select'>, at: Date): Promise<number> {
  const inTime = gte(examAttempts.deadlineAt, new Date(at.getTime() - graceMs))
  const [row] = await db.select({ attempts: count() }).from(examAttempts).where(and(underWay, inTime))
  return row?.attempts ?? 0
}

/**
 * Moves the end of every exam under way by the time for which it was paused (`pausedSeconds`).
 *
 * @param since when the maintenance began that ends with this transaction.
 */
export async function resumeExams(transaction: Statements, since: Date, now: Date): Promise<void> {
  const { uid, id, startedAt, deadlineAt } = examAttempts
  const open = await transaction
    .select({ uid, id, startedAt, deadlineAt })
    .from(examAttempts)
    .where(underWay)
    .for('update')
  const uids = open.map((attempt) => attempt.uid)
  const ids = open.map((attempt) => attempt.id)
  const seconds = open.map((attempt) => String(pausedSeconds(attempt, since, now)))
  await transaction.execute(sql`
    update exam_attempts a
    set deadline_at = a.deadline_at + p.seconds::int * interval '1 second', paused_seconds = a.paused_seconds + p.seconds::int
    from unnest(${sql.param(uids)}::text[], ${sql.param(ids)}::text[], ${sql.param(seconds)}::text[]) as p (uid, id, seconds)
    where a.uid = p.uid and a.id = p.id`)
}
