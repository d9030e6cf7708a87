import { sql } from 'drizzle-orm'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/commit-on-success.server'
import { failure, type Result, success } from '~/server/result'
import { isLessonDone, isLessonEarned, lessonRules } from '../lessons/kinds/lesson-rules'
import { recordActivity } from './activity-queries.server'
import type { LearningContext } from './course-completion.server'
import { emptyProgress, type LessonProgress } from './lesson-progress'
import { recordMissedQuestions } from './missed-question-queries.server'
import { lessonActivity } from './progress-messages'
import { questionId } from './question-id.server'
import {
  findProgressRefusal,
  fitProgress,
  limitToOpenedLength,
  mergeWithinLimit,
  type ProgressRefusal,
  type ReportedProgress,
} from './reported-progress'
import {
  type ProgressRow,
  progressColumns,
  toLessonProgress,
  toProgressRow,
} from './stored-progress.server'
import { addDays, splitByDay } from './study-time'
import { toTimeMultirange } from './watched-intervals'

/**
 * Records what a browser reports about a learner's progress in a lesson.
 *
 * Reports may arrive late, twice, out of order, and from several devices at once. Each report is
 * merged into the stored progress while the row of the lesson is locked, so no report can overwrite
 * another. One transaction writes everything: the progress, the study time, the missed questions,
 * and what follows from a finished lesson.
 *
 * Every transaction takes its locks in the same order: lesson, course progress, practice, study days
 * and enrollment, achievements.
 */

export type LearnerLesson = { uid: string; courseId: string; lessonId: string }

type RecordProgressResult =
  | { refusal: ProgressRefusal }
  | {
      refusal: null
      /** The merged progress. */
      progress: LessonProgress
      done: boolean
      /** Whether the report may have earned the learner something, such as an achievement. */
      followedUp: boolean
    }

/** @param sessionToken if given, this session must be valid and belong to the learner */
export async function recordLessonProgress(
  { db, followUp }: LearningContext,
  learnerLesson: LearnerLesson,
  report: ReportedProgress,
  sessionToken?: string,
): Promise<RecordProgressResult> {
  const input = { learnerLesson, report, sessionToken: sessionToken ?? null }

  // A second transaction is needed only if the first report of another device came in between. The
  // first one is rolled back, because its locks would come before the lock of the lesson.
  for (;;) {
    const result = await commitOnSuccess(db, (transaction) =>
      tryToRecord(transaction, followUp, input),
    )
    if (result.ok) {
      return result.value
    }
  }
}

type ReportInput = {
  learnerLesson: LearnerLesson
  report: ReportedProgress
  sessionToken: string | null
}

/** @returns a failure if another device has stored its first report of the lesson by now */
async function tryToRecord(
  transaction: Transaction,
  followUp: LearningContext['followUp'],
  input: ReportInput,
): Promise<Result<RecordProgressResult>> {
  const { learnerLesson, report } = input
  const lockedLesson = await lockLesson(transaction, input)
  if (!lockedLesson) {
    return success<RecordProgressResult>({ refusal: 'no-lesson' })
  }

  const refusal = findProgressRefusal(lockedLesson.reporter, lockedLesson.lesson, report)
  if (refusal) {
    return success<RecordProgressResult>({ refusal })
  }

  const change = calculateChange(lockedLesson, report)
  if (change.needsFollowUp) {
    await lockCourseProgress(transaction, learnerLesson.uid, learnerLesson.courseId)
  }

  await addMissedToPractice(transaction, learnerLesson, lockedLesson, report)

  const isWritten = await writeChange(transaction, learnerLesson, change, report.now)
  if (!isWritten) {
    return failure('Another device has reported its progress in this lesson meanwhile.')
  }

  if (change.isNewlyDone) {
    const activity = getDoneActivity(learnerLesson, lockedLesson, change)
    await recordActivity(transaction, learnerLesson.uid, { ...activity, at: report.now })
  }

  if (change.needsFollowUp) {
    await followUp(transaction, learnerLesson, report.now)
  }

  const { progress, isDone, needsFollowUp } = change
  return success({ refusal: null, progress, done: isDone, followedUp: needsFollowUp })
}

type LessonRow = {
  kind: LessonKind
  durationSeconds: number
  /** The texts of the questions of a quiz. */
  questions: string[]
  lessonTitle: string
  courseTitle: string
  session: 'own' | 'other' | 'none'
  isEnrolled: boolean
  timeZone: string
  /** The days around the report on which the learner has studied already. */
  studyDays: string[]
  /** The learner's stored progress, or null before the first report. */
  stored: (ProgressRow & { done: boolean; earned: boolean }) | null
}

/**
 * Reads everything that is needed to judge a report. Locks the account and the learner's progress in
 * the lesson until the transaction ends.
 *
 * @returns null if there is no such lesson
 */
async function lockLesson(
  transaction: Transaction,
  { learnerLesson, report, sessionToken }: ReportInput,
) {
  const { uid, courseId, lessonId } = learnerLesson
  const nowText = report.now.toISOString()
  const { firstDay, lastDay } = findDayRange(report.studied.flat())
  const { rows } = await transaction.execute<LessonRow>(sql`
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
    left join sessions s on s.token = ${sessionToken} and s.expires_at > ${nowText}::timestamptz
    left join enrollments e on e.uid = u.id and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)

  const row = rows[0]
  if (!row) {
    return null
  }

  const { kind, durationSeconds, questions, session, isEnrolled, ...otherColumns } = row
  const lesson = { kind, durationSeconds, questionIds: questions.map(questionId) }

  return { ...otherColumns, lesson, reporter: { session, isEnrolled } }
}

type LockedLesson = NonNullable<Awaited<ReturnType<typeof lockLesson>>>

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

/** Applies the rules of progress to a report, without writing anything. */
function calculateChange(
  { lesson, stored, studyDays, timeZone }: LockedLesson,
  { progress: reportedProgress, studied, lengthMs }: ReportedProgress,
) {
  const storedProgress = stored ? toLessonProgress(stored) : emptyProgress
  const progress = mergeWithinLimit(storedProgress, fitProgress(lesson, reportedProgress))

  const lessonAsOpened = limitToOpenedLength(lesson, lengthMs)
  const isEarned = stored?.earned || isLessonEarned(lessonAsOpened, progress)
  const isDone = isLessonDone(lessonAsOpened, progress, isEarned)
  const isNewlyDone = isDone && !stored?.done

  const studiedByDay = splitByDay(studied, timeZone)
  const hasNewStudyDay = studiedByDay.some(({ day }) => !studyDays.includes(day))

  return {
    progress,
    isEarned,
    isDone,
    isNewlyDone,
    studiedByDay,
    needsFollowUp: isNewlyDone || hasNewStudyDay,
    isFirstReport: stored === null,
  }
}

type ProgressChange = ReturnType<typeof calculateChange>

/** Adds missed questions to practice. Questions that the quiz no longer has are left out. */
async function addMissedToPractice(
  transaction: Transaction,
  learnerLesson: LearnerLesson,
  { lesson, timeZone }: LockedLesson,
  { missed }: ReportedProgress,
): Promise<void> {
  if (!missed) {
    return
  }

  const missedQuestions = missed.questionIds
    .filter((id) => lesson.questionIds.includes(id))
    .map((id) => ({ questionId: id, missedAt: missed.openedAt }))
  await recordMissedQuestions(transaction, learnerLesson, missedQuestions, timeZone)
}

/**
 * Writes the progress and the study time.
 *
 * @returns false if this was expected to be the first report, but a row exists by now; nothing is
 * written then
 */
async function writeChange(
  transaction: Transaction,
  { uid, courseId, lessonId }: LearnerLesson,
  { progress, isEarned, studiedByDay, isFirstReport }: ProgressChange,
  now: Date,
): Promise<boolean> {
  const row = toProgressRow(progress)
  const answeredIds = `{${row.answered.join(',')}}`
  const nowText = now.toISOString()
  const earnedAt = isEarned ? nowText : null
  const studyDays = studiedByDay.map(({ day, studied }) => ({
    day,
    studied: toTimeMultirange(studied),
  }))

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
        as day (day date, studied tstzmultirange)
      where exists (select from saved)
      order by day
      on conflict (uid, day) do update
      set studied = d.studied + excluded.studied
      where (select count(*) from unnest(d.studied + excluded.studied))
        <= ${learnerLimits.studiedPieces}::int
    ),
    opened_course as (
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

function getDoneActivity(
  { courseId, lessonId }: LearnerLesson,
  { lesson, lessonTitle, courseTitle }: LockedLesson,
  { progress, isEarned }: ProgressChange,
) {
  const { type, verb } = lessonRules[lesson.kind].activity
  const isOnlyMarked = !isEarned && !progress.readToEnd

  return {
    id: `lesson:${courseId}:${lessonId}`,
    type,
    text: lessonActivity(isOnlyMarked ? 'marked' : verb, lessonTitle, courseTitle),
  }
}
