import { and, count, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { examAttempts } from '~/server/database/schema'
import { graceMs, pausedSeconds } from './attempt-rules'

/**
 * The exams that a learner is taking right now, and how long each still runs; their clocks stop
 * during maintenance.
 */
export async function listRunningExams(
  db: Database,
  uid: string,
): Promise<{ courseId: string; secondsLeft: number }[]> {
  const { rows } = await db.execute<{ courseId: string; secondsLeft: number }>(sql`
    select a.course_id as "courseId", extract(epoch from a.deadline_at - clock.reads)::float as "secondsLeft"
    from exam_attempts a join enrollments e on e.uid = a.uid and e.course_id = a.course_id
    left join product_state p on p.id = 1
    cross join lateral (
      select case when p.maintenance ->> 'since' is null then clock_timestamp()
        else greatest((p.maintenance ->> 'since')::timestamptz, a.started_at) end as reads
    ) clock
    where a.uid = ${uid} and a.submitted_at is null and a.deadline_at > clock.reads`)

  return rows
}

const underWay = and(isNull(examAttempts.submittedAt), isNotNull(examAttempts.deadlineAt))

/** Exams under way whose time wasn't over by then: those that maintenance pauses. */
export async function countRunningAttempts(
  db: Pick<Statements, 'select'>,
  at: Date,
): Promise<number> {
  const inTime = gte(examAttempts.deadlineAt, new Date(at.getTime() - graceMs))
  const [row] = await db
    .select({ attempts: count() })
    .from(examAttempts)
    .where(and(underWay, inTime))
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
