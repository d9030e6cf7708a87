/**
 * The two statements of a progress report: one reads and locks what the report is judged by, the
 * other writes the progress and the study time.
 */
import { sql } from 'drizzle-orm'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import type { Transaction } from '~/server/database/client.server'
import type { LearnerLesson, LessonProgress } from './lesson-progress'
import { questionId } from './question-id.server'
import { type ProgressRow, progressColumns, toProgressRow } from './stored-progress.server'
import { addDays, type StudiedDay } from './study-time'
import { type Interval, toTimeMultirange } from './watched-intervals'

type ProgressQuery = LearnerLesson & {
  /**
   * The session has to be valid and belong to the learner. Null if the caller knows the learner.
   */
  sessionToken: string | null
  /** When the learner was active, in milliseconds since 1970. */
  studyIntervals: readonly Interval[]
  receivedAt: Date
}

type ReportContextRow = {
  kind: LessonKind
  durationSeconds: number
  /** The texts of the questions of a quiz. */
  questions: string[]
  lessonTitle: string
  courseTitle: string
  /**
   * `own` if the session belongs to the learner, or no token was passed, because the caller knows
   * the learner. `none` also for a missing or disabled account.
   */
  session: 'own' | 'other' | 'none'
  isEnrolled: boolean
  timeZone: string
  /**
   * The days of the reported study time, in any time zone, on which the learner has studied
   * already.
   */
  studyDays: string[]
  /** The learner's stored progress, or null before the first report. */
  stored: (ProgressRow & { done: boolean; earned: boolean }) | null
}

/**
 * Reads everything that is needed to judge a report. Until the transaction ends, it prevents the
 * account from being deleted, and locks the learner's progress in the lesson if there is a row.
 *
 * @returns null if there is no such lesson
 */
export async function lockReportContext(
  transaction: Transaction,
  { uid, courseId, lessonId, sessionToken, studyIntervals, receivedAt }: ProgressQuery,
) {
  const receivedAtText = receivedAt.toISOString()
  const { firstDay, lastDay } = findDayRange(studyIntervals.flat())
  const { rows } = await transaction.execute<ReportContextRow>(sql`
    with learner as (
      select id, banned, display_timezone
      from users
      where id = ${uid}
      for key share
    ),
    locked_progress as (
      select p.*
      from learner
      join lesson_progress p on p.uid = learner.id
      where p.course_id = ${courseId} and p.lesson_id = ${lessonId}
      for update of p
    )
    select
      l.kind,
      l.duration_seconds as "durationSeconds",
      l.title as "lessonTitle",
      c.title as "courseTitle",
      (
        select coalesce(json_agg(question ->> 'question'), '[]')
        from jsonb_array_elements(l.questions) question
      ) as questions,
      case
        when u.id is null or u.banned then 'none'
        when ${sessionToken}::text is not null and s.user_id is null then 'none'
        when s.user_id <> u.id then 'other'
        else 'own'
      end as session,
      e.uid is not null as "isEnrolled",
      u.display_timezone as "timeZone",
      (
        select coalesce(json_agg(d.day), '[]')
        from study_days d
        where d.uid = u.id and d.day between ${firstDay}::date and ${lastDay}::date
      ) as "studyDays",
      case when p.uid is not null then (
        select to_json(stored)
        from (select ${progressColumns}, p.done, p.earned_at is not null as earned) stored
      ) end as stored
    from course_lessons l
    join courses c on c.id = l.course_id
    left join learner u on true
    left join locked_progress p on true
    left join sessions s on s.token = ${sessionToken} and s.expires_at > ${receivedAtText}::timestamptz
    left join enrollments e on e.uid = u.id and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)

  const row = rows[0]
  if (!row) {
    return null
  }

  const { kind, durationSeconds, questions, session, isEnrolled, ...otherColumns } = row
  const lesson = { kind, durationSeconds, questionIds: questions.map(questionId) }

  return { ...otherColumns, lesson, access: { session, isEnrolled } }
}

/** What a report is judged by: the lesson, the stored progress, and who reports. */
export type ReportContext = NonNullable<Awaited<ReturnType<typeof lockReportContext>>>

/** Returns the first and last day on which the times may be in any time zone. */
function findDayRange(times: readonly number[]) {
  if (times.length === 0) {
    return { firstDay: null, lastDay: null }
  }

  const toUtcDay = (time: number) => new Date(time).toISOString().slice(0, 10)

  return {
    firstDay: addDays(toUtcDay(Math.min(...times)), -1),
    lastDay: addDays(toUtcDay(Math.max(...times)), 1),
  }
}

type ProgressToWrite = {
  progress: LessonProgress
  isEarned: boolean
  studiedByDay: readonly StudiedDay[]
  /** Whether the learner had no progress in the lesson when it was read. */
  isFirstReport: boolean
}

/**
 * Writes the progress and the study time. A first report inserts a row, and any other report
 * replaces the row that `lockReportContext` has locked. The study time of a day with too many
 * pieces is not stored.
 *
 * @returns false if this was expected to be the first report, but a row exists by now; nothing is
 * written then
 */
export async function writeProgress(
  transaction: Transaction,
  { uid, courseId, lessonId }: LearnerLesson,
  { progress, isEarned, studiedByDay, isFirstReport }: ProgressToWrite,
  now: Date,
): Promise<boolean> {
  const row = toProgressRow(progress)
  // An array of PostgreSQL. The IDs of questions consist of letters and digits.
  const answeredIds = `{${row.answered.join(',')}}`
  const nowText = now.toISOString()
  const earnedAt = isEarned ? nowText : null
  const studyDays = studiedByDay.map(({ day, studied }) => ({
    day,
    studied: toTimeMultirange(studied),
  }))

  // The enrollment is touched at most once a minute, because every report of a video would write
  // its row. A first report touches it at once, so that the course counts as opened.
  const { rows } = await transaction.execute(sql`
    with saved as (
      insert into lesson_progress as p (
        uid, course_id, lesson_id, watched_ms, position_ms, position_at,
        mark, marked_at, answered, read_to_end, earned_at
      )
      values (
        ${uid}, ${courseId}, ${lessonId}, ${row.watched}::int4multirange,
        ${row.position_ms}::int, ${row.position_at}::timestamptz,
        ${row.mark}, ${row.marked_at}::timestamptz, ${answeredIds}::text[],
        ${row.read_to_end}::boolean, ${earnedAt}::timestamptz
      )
      on conflict (uid, course_id, lesson_id) do update
      set
        watched_ms = excluded.watched_ms,
        position_ms = excluded.position_ms,
        position_at = excluded.position_at,
        mark = excluded.mark,
        marked_at = excluded.marked_at,
        answered = excluded.answered,
        read_to_end = excluded.read_to_end,
        earned_at = coalesce(p.earned_at, excluded.earned_at)
      where not ${isFirstReport}::boolean
      returning p.lesson_id
    ),
    saved_days as (
      insert into study_days as d (uid, day, studied)
      select ${uid}, day, studied
      from jsonb_to_recordset(${JSON.stringify(studyDays)}::text::jsonb)
        as study_day (day date, studied tstzmultirange)
      where exists (select from saved)
      order by day
      on conflict (uid, day) do update
      set studied = d.studied + excluded.studied
      where (select count(*) from unnest(d.studied + excluded.studied))
        <= ${learnerLimits.studyIntervals}::int
    ),
    touched_enrollment as (
      update enrollments
      set last_accessed_at = ${nowText}::timestamptz
      where uid = ${uid}
        and course_id = ${courseId}
        and exists (select from saved)
        and last_accessed_at < ${nowText}::timestamptz
        and (
          last_accessed_at <= enrolled_at
          or last_accessed_at < ${nowText}::timestamptz - interval '1 minute')
    )
    select from saved`)

  return rows.length > 0
}
