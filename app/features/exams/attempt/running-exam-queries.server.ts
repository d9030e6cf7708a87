import { and, count, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { examAttempts } from '~/server/database/schema'
import { answerGraceMs, computeLostSeconds } from './attempt-rules'

type RunningExamRow = { courseId: string; secondsLeft: number }

/**
 * Lists the exams that a learner is taking. During maintenance their remaining time stands still.
 */
export async function listRunningExams(db: Database, uid: string): Promise<RunningExamRow[]> {
  const { rows } = await db.execute<RunningExamRow>(sql`
    select
      a.course_id as "courseId",
      extract(epoch from a.deadline_at - exam_clock.now)::float as "secondsLeft"
    from exam_attempts a
    join enrollments e on e.uid = a.uid and e.course_id = a.course_id
    left join product_state p on p.id = 1
    cross join lateral (
      select
        case
          when p.maintenance ->> 'since' is null then clock_timestamp()
          else greatest((p.maintenance ->> 'since')::timestamptz, a.started_at)
        end as now
    ) exam_clock
    where a.uid = ${uid} and a.submitted_at is null and a.deadline_at > exam_clock.now`)

  return rows
}

const isRunning = and(isNull(examAttempts.submittedAt), isNotNull(examAttempts.deadlineAt))

/** Counts the attempts that maintenance pauses: those whose time had not run out when it began. */
export async function countRunningAttempts(
  db: Pick<Statements, 'select'>,
  maintenanceStart: Date,
): Promise<number> {
  const oldestDeadline = new Date(maintenanceStart.getTime() - answerGraceMs)
  const [row] = await db
    .select({ attemptCount: count() })
    .from(examAttempts)
    .where(and(isRunning, gte(examAttempts.deadlineAt, oldestDeadline)))

  return row?.attemptCount ?? 0
}

/**
 * Extends every running attempt by the time for which maintenance paused it.
 *
 * @param maintenanceStart when the maintenance began that ends with this transaction
 */
export async function resumeExams(
  tx: Statements,
  maintenanceStart: Date,
  now: Date,
): Promise<void> {
  const { uid, id, startedAt, deadlineAt } = examAttempts
  const attempts = await tx
    .select({ uid, id, startedAt, deadlineAt })
    .from(examAttempts)
    .where(isRunning)
    .for('update')

  const uids = attempts.map((attempt) => attempt.uid)
  const ids = attempts.map((attempt) => attempt.id)
  const pausedSeconds = attempts.map((attempt) =>
    String(computeLostSeconds(attempt, { startedAt: maintenanceStart, endedAt: now })),
  )

  await tx.execute(sql`
    update exam_attempts a
    set
      deadline_at = a.deadline_at + p.seconds::int * interval '1 second',
      paused_seconds = a.paused_seconds + p.seconds::int
    from unnest(
      ${sql.param(uids)}::text[],
      ${sql.param(ids)}::text[],
      ${sql.param(pausedSeconds)}::text[]
    ) as p (uid, id, seconds)
    where a.uid = p.uid and a.id = p.id`)
}
