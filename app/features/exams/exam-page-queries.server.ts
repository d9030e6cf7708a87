import { sql } from 'drizzle-orm'
import { displayQuestion } from '~/features/courses/questions/drawn-question.server'
import {
  filterUncountedLessons,
  type MarkedLesson,
  selectMarkedLessons,
} from '~/features/learning/progress/course-completion.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { renderFormulaTexts } from '~/server/markdown/formula.server'
import { findStoredAnswers } from './attempt/answer-queries.server'
import { findAttempt } from './attempt/attempt-queries.server'
import { canSeeAnswers, computeAttemptAllowance } from './attempt/attempt-rules'
import {
  type AttemptSummary,
  type ExamOverview,
  maxListedAttempts,
  type OpenAttempt,
  type ResultData,
} from './exam-page-data'
import { isPassed } from './grade'

/** A submitted attempt as stored. Whether it is passed follows from its score. */
type AttemptRow = Omit<AttemptSummary, 'passed'> & { passPercent: number }

type OverviewRow = Omit<
  ExamOverview,
  | 'attempts'
  | 'remainingAttempts'
  | 'nextAttemptAt'
  | 'secondsToNextAttempt'
  | 'canSeeAnswers'
  | 'notCounted'
> & {
  markedLessons: MarkedLesson[]
  attempts: AttemptRow[]
  /** The latest attempts that count toward the limit. */
  attemptTimes: { startedAt: string; submittedAt: string | null }[]
}

/** Returns the exam's page before and between attempts, or null if the learner is not enrolled. */
export async function findExamOverview(
  db: Database,
  uid: string,
  courseId: string,
  now: Date,
): Promise<ExamOverview | null> {
  const storedRow = await findOverviewRow(db, uid, courseId)
  if (!storedRow) {
    return null
  }

  const row = await countOverdueAttemptAsSubmitted(db, uid, storedRow, now)
  const { attempts, attemptTimes, markedLessons, ...overview } = row

  const allowance = computeAttemptAllowance(row.exam, attemptTimes.map(parseAttemptTimes), now)
  const { remaining, nextStartAt, isExhausted } = allowance
  const notCounted = filterUncountedLessons(markedLessons).map(({ id, title, kind }) => ({
    id,
    title,
    kind,
  }))

  return {
    ...overview,
    notCounted,
    attempts: attempts.map(toAttemptSummary),
    remainingAttempts: remaining,
    nextAttemptAt: nextStartAt?.toISOString() ?? null,
    secondsToNextAttempt: nextStartAt && (nextStartAt.getTime() - now.getTime()) / 1000,
    canSeeAnswers: canSeeAnswers({
      isPassed: row.passed,
      hasOpenAttempt: row.openAttemptId !== null,
      isExhausted,
    }),
  }
}

/** Reads the learner's and the exam's data in one query. */
async function findOverviewRow(
  db: Database,
  uid: string,
  courseId: string,
): Promise<OverviewRow | undefined> {
  const certificate = sql`
    select json_build_object('id', r.id, 'revoked', r.revoked_at is not null)
    from certificates k
    join certificate_register r on r.id = k.id
    where k.uid = e.uid and k.course_id = c.id`

  const attemptTimes = sql`
    select coalesce(
      json_agg(json_build_object('startedAt', started_at, 'submittedAt', submitted_at)),
      '[]'
    )
    from (
      select started_at, submitted_at
      from exam_attempts a
      where a.uid = e.uid and a.course_id = c.id and a.excused_at is null
      order by started_at desc
      limit x.max_attempts
    ) latest`

  const submittedAttempts = sql`
    select coalesce(
      json_agg(
        json_build_object(
          'id', id,
          'score', score,
          'maxScore', max_score,
          'timedOut', timed_out,
          'passPercent', pass_percent,
          'submittedAt', ${isoText(sql`submitted_at`)}
        )
        order by submitted_at desc, id
      ),
      '[]'
    )
    from (
      select *
      from exam_attempts a
      where a.uid = e.uid and a.course_id = c.id and submitted_at is not null
      order by submitted_at desc, id
      limit ${maxListedAttempts}
    ) a`

  const { rows } = await db.execute<OverviewRow>(sql`
    select
      u.display_timezone as timezone,
      u.email_verified as "isEmailConfirmed",
      json_build_object('id', c.id, 'title', c.title, 'published', c.published) as course,
      json_build_object(
        'title', x.title,
        'questions', x.draw,
        'timeLimitMinutes', x.time_limit_minutes,
        'maxAttempts', x.max_attempts,
        'attemptsWithinDays', x.attempts_within_days,
        'minutesBetweenAttempts', x.minutes_between_attempts,
        'passPercent', x.pass_percent
      ) as exam,
      p.total_lessons as "totalLessons",
      p.total_lessons - p.done_lessons as "remainingLessons",
      (${selectMarkedLessons(sql`e`)}) as "markedLessons",
      e.completed_at is not null
        or p.done_lessons = p.total_lessons and p.total_lessons > 0 as completed,
      (${certificate}) as certificate,
      (
        select id
        from exam_attempts a
        where a.uid = e.uid and a.course_id = c.id and submitted_at is null
      ) as "openAttemptId",
      (${attemptTimes}) as "attemptTimes",
      exists (
        select from exam_attempts a
        where a.uid = e.uid and a.course_id = c.id and a.passed
      ) as passed,
      (
        select count(*)::int
        from exam_attempts a
        where a.uid = e.uid and a.course_id = c.id and submitted_at is not null
      ) as "submittedAttemptCount",
      (${submittedAttempts}) as attempts
    from enrollments e
    join courses c on c.id = e.course_id
    join exams x on x.course_id = c.id
    join users u on u.id = e.uid
    join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    where e.uid = ${uid} and e.course_id = ${courseId}`)

  return rows[0]
}

/**
 * Moves the open attempt to the submitted ones if its time has run out. The background job that
 * stores the submission may not have run yet.
 */
async function countOverdueAttemptAsSubmitted(
  db: Database,
  uid: string,
  row: OverviewRow,
  now: Date,
): Promise<OverviewRow> {
  if (row.openAttemptId === null) {
    return row
  }

  const attempt = await findAttempt(db, uid, row.openAttemptId, now)
  const submittedAt = attempt?.submittedAt?.toISOString()
  if (!attempt || submittedAt === undefined) {
    return row
  }

  const submittedAttempt = { ...attempt, score: attempt.score ?? 0, submittedAt }
  return {
    ...row,
    attempts: [submittedAttempt, ...row.attempts].slice(0, maxListedAttempts),
    submittedAttemptCount: row.submittedAttemptCount + 1,
    passed: row.passed || isPassed(submittedAttempt, attempt.passPercent),
    openAttemptId: null,
    attemptTimes: row.attemptTimes.map((times) => ({
      ...times,
      submittedAt: times.submittedAt ?? submittedAt,
    })),
  }
}

function parseAttemptTimes({ startedAt, submittedAt }: OverviewRow['attemptTimes'][number]) {
  return {
    startedAt: new Date(startedAt),
    submittedAt: submittedAt === null ? null : new Date(submittedAt),
  }
}

export function toAttemptSummary(attempt: AttemptRow): AttemptSummary {
  const { id, score, maxScore, timedOut, passPercent, submittedAt } = attempt
  const passed = isPassed({ score, maxScore }, passPercent)

  return { id, score, maxScore, timedOut, submittedAt, passed }
}

/**
 * Returns the IDs of the courses whose exam answers the learner may see. The query applies the rule
 * of `canSeeAnswers` to all courses at once.
 */
export async function listCoursesWithVisibleAnswers(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ courseId: string }>(sql`
    select a.course_id as "courseId"
    from exam_attempts a
    left join exams x on x.course_id = a.course_id
    where a.uid = ${uid}
    group by a.course_id, x.course_id
    having bool_and(a.submitted_at is not null)
      and (
        bool_or(a.passed)
        or x.attempts_within_days is null
          and count(*) filter (where a.excused_at is null) >= x.max_attempts
      )`)

  return new Set(rows.map(({ courseId }) => courseId))
}

/** Returns the attempt in progress without its correct answers, or null if it is submitted. */
export async function findOpenAttempt(
  db: Database,
  uid: string,
  id: string,
  now: Date,
): Promise<OpenAttempt | null> {
  const attempt = await findAttempt(db, uid, id, now)
  if (!attempt?.deadlineAt || attempt.submittedAt) {
    return null
  }

  const storedAnswers = await findStoredAnswers(db, attempt)
  const answersByQuestionId = new Map(storedAnswers.map((answer) => [answer.questionId, answer]))

  const latestAnswer = storedAnswers
    .toSorted((a, b) => a.answeredAt.getTime() - b.answeredAt.getTime())
    .at(-1)
  const latestIndex = attempt.paper.findIndex(
    ({ question }) => question.id === latestAnswer?.questionId,
  )

  return {
    attemptId: attempt.id,
    questions: attempt.paper.map(displayQuestion),
    answers: attempt.paper.map(({ question }) => {
      const { answer = null, revision = 0 } = answersByQuestionId.get(question.id) ?? {}
      return { value: answer, revision }
    }),
    deadlineAt: attempt.deadlineAt.toISOString(),
    secondsLeft: Math.max(0, (attempt.deadlineAt.getTime() - now.getTime()) / 1000),
    pausedSeconds: attempt.pausedSeconds,
    resumeAt: Math.max(latestIndex, 0) + 1,
  }
}

/** Renders the formulas of an exam page. Returns their HTML by their source text. */
export function renderExamFormulas(
  openAttempt: OpenAttempt | null,
  result: ResultData | null,
): Record<string, string> {
  const resultTexts = result?.questions?.map(({ prompt, solution }) => {
    const { given, typed, expected, explanation } = solution
    // A learner's own text is displayed as typed, even if it looks like a formula.
    return [prompt, typed ? null : given, expected, explanation]
  })

  return renderFormulaTexts([openAttempt?.questions, resultTexts])
}
