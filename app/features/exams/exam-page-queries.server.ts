import { sql } from 'drizzle-orm'
import { displayQuestion } from '~/features/courses/questions/drawn-question.server'
import {
  filterUncountedLessons,
  type MarkedLesson,
  selectMarkedLessons,
} from '~/features/learning/progress/course-completion.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { formulasIn } from '~/server/markdown/formula.server'
import { findStoredAnswers } from './attempt/answer-queries.server'
import { findAttempt } from './attempt/attempt-queries.server'
import { answersAreShown, attemptAllowance } from './attempt/attempt-rules'
import {
  type AttemptSummary,
  attemptsListed,
  type ExamOverview,
  type OpenAttempt,
  type ResultData,
} from './exam-page-data'
import { isPassed } from './grade'

/** `passed` follows from it. */
type JudgedAttempt = Omit<AttemptSummary, 'passed'> & { passPercent: number }

type OverviewRow = Omit<
  ExamOverview,
  | 'attempts'
  | 'attemptsLeft'
  | 'nextAttemptAt'
  | 'secondsToNextAttempt'
  | 'answersShown'
  | 'notCounted'
> & {
  marked: MarkedLesson[]
  attempts: JudgedAttempt[]
  /** The latest, as many as the rules can ask for. */
  times: { startedAt: string; submittedAt: string | null }[]
}

/** The exam's page before and between attempts; null for those who are not enrolled. */
export async function findExamOverview(
  db: Database,
  uid: string,
  courseId: string,
  now: Date,
): Promise<ExamOverview | null> {
  const {
    rows: [row],
  } = await db.execute<OverviewRow>(sql`
    select
      u.display_timezone as timezone, u.email_verified as "addressConfirmed",
      json_build_object('id', c.id, 'title', c.title, 'published', c.published) as course,
      json_build_object('title', x.title, 'questions', x.draw, 'timeLimitMinutes', x.time_limit_minutes,
        'maxAttempts', x.max_attempts, 'attemptsWithinDays', x.attempts_within_days, 'minutesBetweenAttempts', x.minutes_between_attempts,
        'passPercent', x.pass_percent) as exam,
      p.total_lessons as "totalLessons", p.total_lessons - p.done_lessons as "lessonsLeft",
      (${selectMarkedLessons(sql`e`)}) as marked,
      e.completed_at is not null or p.done_lessons = p.total_lessons and p.total_lessons > 0 as completed,
      (select json_build_object('id', r.id, 'revoked', r.revoked_at is not null)
        from certificates k join certificate_register r on r.id = k.id
        where k.uid = e.uid and k.course_id = c.id) as certificate,
      (select id from exam_attempts a where a.uid = e.uid and a.course_id = c.id and submitted_at is null) as "openAttemptId",
      (select coalesce(json_agg(json_build_object('startedAt', started_at, 'submittedAt', submitted_at)), '[]') from (
        select started_at, submitted_at from exam_attempts a
        where a.uid = e.uid and a.course_id = c.id and a.excused_at is null
        order by started_at desc limit x.max_attempts) latest) as times,
      exists (select from exam_attempts a where a.uid = e.uid and a.course_id = c.id and a.passed) as passed,
      (select count(*)::int from exam_attempts a
        where a.uid = e.uid and a.course_id = c.id and submitted_at is not null) as "attemptsTaken",
      (select coalesce(json_agg(json_build_object('id', id, 'score', score, 'maxScore', max_score, 'timedOut', timed_out,
          'passPercent', pass_percent,
          'submittedAt', ${isoText(sql`submitted_at`)}
        ) order by submitted_at desc, id), '[]')
        from (select * from exam_attempts a where a.uid = e.uid and a.course_id = c.id and submitted_at is not null
          order by submitted_at desc, id limit ${attemptsListed}) a) as attempts
    from enrollments e join courses c on c.id = e.course_id join exams x on x.course_id = c.id
    join users u on u.id = e.uid join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    where e.uid = ${uid} and e.course_id = ${courseId}`)

  if (!row) {
    return null
  }

  const { attempts, attemptsTaken, passed, openAttemptId, times, marked, ...overview } =
    await withOverdueAttempt(db, uid, row, now)
  const { left, nextAt, usedUp } = attemptAllowance(row.exam, times.map(datesOf), now)

  return {
    ...overview,
    notCounted: filterUncountedLessons(marked).map(({ id, title, kind }) => ({ id, title, kind })),
    attempts: attempts.map(summaryOf),
    attemptsTaken,
    passed,
    openAttemptId,
    attemptsLeft: left,
    nextAttemptAt: nextAt?.toISOString() ?? null,
    secondsToNextAttempt: nextAt && (nextAt.getTime() - now.getTime()) / 1000,
    answersShown: answersAreShown({ passed, underWay: openAttemptId !== null, usedUp }),
  }
}

/** The same with an attempt whose time is over among those that were handed in. */
async function withOverdueAttempt(
  db: Database,
  uid: string,
  row: OverviewRow,
  now: Date,
): Promise<OverviewRow> {
  const open =
    row.openAttemptId === null ? null : await findAttempt(db, uid, row.openAttemptId, now)
  const submittedAt = open?.submittedAt?.toISOString()
  if (!open || submittedAt === undefined) {
    return row
  }

  const attempt = { ...open, score: open.score ?? 0, submittedAt }

  return {
    ...row,
    attempts: [attempt, ...row.attempts].slice(0, attemptsListed),
    attemptsTaken: row.attemptsTaken + 1,
    passed: row.passed || isPassed(attempt, open.passPercent),
    openAttemptId: null,
    times: row.times.map((time) => ({ ...time, submittedAt: time.submittedAt ?? submittedAt })),
  }
}

export function summaryOf({
  id,
  score,
  maxScore,
  timedOut,
  passPercent,
  submittedAt,
}: JudgedAttempt): AttemptSummary {
  return {
    id,
    score,
    maxScore,
    timedOut,
    submittedAt,
    passed: isPassed({ score, maxScore }, passPercent),
  }
}

function datesOf({ startedAt, submittedAt }: OverviewRow['times'][number]) {
  return {
    startedAt: new Date(startedAt),
    submittedAt: submittedAt === null ? null : new Date(submittedAt),
  }
}

/** Ids of the courses of whose exams this learner may see the right answers (`answersAreShown`). */
export async function listAnsweredCourses(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ courseId: string }>(sql`
    select a.course_id as "courseId" from exam_attempts a left join exams x on x.course_id = a.course_id
    where a.uid = ${uid}
    group by a.course_id, x.course_id
    having bool_and(a.submitted_at is not null) and (bool_or(a.passed)
      or x.attempts_within_days is null and count(*) filter (where a.excused_at is null) >= x.max_attempts)`)

  return new Set(rows.map(({ courseId }) => courseId))
}

/** The attempt under way, without anything that tells a right answer. */
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

  const given = (await findStoredAnswers(db, attempt)).toSorted(
    (a, b) => a.answeredAt.getTime() - b.answeredAt.getTime(),
  )
  const stored = new Map(given.map((answer) => [answer.questionId, answer]))
  const latest = attempt.paper.findIndex(({ question }) => question.id === given.at(-1)?.questionId)

  return {
    attemptId: attempt.id,
    questions: attempt.paper.map(displayQuestion),
    answers: attempt.paper.map(({ question }) => {
      const { answer = null, revision = 0 } = stored.get(question.id) ?? {}
      return { value: answer, revision }
    }),
    deadlineAt: attempt.deadlineAt.toISOString(),
    secondsLeft: Math.max(0, (attempt.deadlineAt.getTime() - now.getTime()) / 1000),
    pausedSeconds: attempt.pausedSeconds,
    resumeAt: Math.max(latest, 0) + 1,
  }
}

/** The formulas of an exam's page, as HTML by text. Typed answers are shown as typed. */
export function examFormulas(
  openAttempt: OpenAttempt | null,
  result: ResultData | null,
): Record<string, string> {
  const judged = result?.questions?.map(({ prompt, solution }) => {
    const { given, typed, expected, explanation } = solution
    return [prompt, typed ? null : given, expected, explanation]
  })
  return formulasIn([openAttempt?.questions, judged])
}
