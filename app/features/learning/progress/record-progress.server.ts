import { sql } from 'drizzle-orm'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Transaction } from '~/server/database/client.server'
import { isLessonDone, isLessonEarned, lessonRules } from '../lessons/kinds/lesson-rules'
import { recordActivity } from './activity-queries.server'
import type { LearningContext } from './course-completion.server'
import { lessonActivity } from './course-work-messages'
import { emptyProgress, type LessonProgress } from './lesson-progress'
import { recordMissedQuestions } from './missed-question-queries.server'
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

export type LearnerLesson = { uid: string; courseId: string; lessonId: string }

type ProgressResult =
  | { refusal: ProgressRefusal }
  | {
      refusal: null
      work: LessonProgress
      done: boolean
      /** Something may have been earned. */
      followedUp: boolean
    }

/**
 * Merges reported work into what is stored. The lesson's row is locked from reading to writing, so
 * that repeats, late arrivals and other devices change nothing; the first report makes the row.
 *
 * @param sessionToken when given, this session of the learner's has to be good still.
 */
export function recordLessonProgress(
  { db, followUp }: LearningContext,
  address: LearnerLesson,
  reported: ReportedProgress,
  sessionToken?: string,
): Promise<ProgressResult> {
  return db.transaction(async (transaction) => {
    for (;;) {
      const facts = await lockFacts(transaction, address, reported, sessionToken)
      const refusal = facts
        ? findProgressRefusal(facts.reporter, facts.lesson, reported)
        : 'no-lesson'
      if (!facts || refusal) {
        return { refusal: refusal ?? 'no-lesson' }
      }

      const change = changeOf(facts, reported)
      // Locks come in the same order everywhere: lesson, course work, practice, days and
      // enrollment, achievements.
      if (change.hasFollowUp) {
        await lockCourseProgress(transaction, address.uid, address.courseId)
      }

      await recordMissed(transaction, address, facts, reported)
      // Another device's first report came in between: its row is there now.
      if (!(await writeChange(transaction, address, change, reported.now))) {
        continue
      }

      if (change.finishes) {
        await recordFinished(transaction, address, facts, change, reported.now)
      }

      if (change.hasFollowUp) {
        await followUp(transaction, address, reported.now)
      }

      return { refusal: null, work: change.work, done: change.done, followedUp: change.hasFollowUp }
    }
  })
}

type FactsRow = {
  kind: LessonKind
  durationSeconds: number
  questions: string[]
  title: string
  course: string
  session: 'own' | 'other' | 'none'
  enrolled: boolean
  timeZone: string
  /** Among those around the report. */
  studyDays: string[]
  stored: (ProgressRow & { done: boolean; earned: boolean }) | null
}

/**
 * Everything needed to judge a report; the account and the lesson's row are locked until the end.
 */
async function lockFacts(
  transaction: Transaction,
  { uid, courseId, lessonId }: LearnerLesson,
  { studied, now }: ReportedProgress,
  sessionToken: string | undefined,
) {
  const token = sessionToken ?? null
  const times = studied.flat()
  const dayAway = (ms: number, days: number) =>
    addDays(new Date(ms).toISOString().slice(0, 10), days)
  const [firstDay, lastDay] =
    times.length > 0
      ? [dayAway(Math.min(...times), -1), dayAway(Math.max(...times), 1)]
      : [null, null]
  const {
    rows: [row],
  } = await transaction.execute<FactsRow>(sql`
    with learner as (
      select id, banned, display_timezone from users where id = ${uid} for key share
    ), locked as (
      select p.* from learner join lesson_progress p on p.uid = learner.id
      where p.course_id = ${courseId} and p.lesson_id = ${lessonId} for update of p
    )
    select l.kind, l.duration_seconds as "durationSeconds", l.title, c.title as course,
      (select coalesce(json_agg(question ->> 'question'), '[]') from jsonb_array_elements(l.questions) question) as questions,
      case when u.id is null or u.banned or (${token}::text is not null and s.user_id is null) then 'none'
        when s.user_id <> u.id then 'other' else 'own' end as session,
      e.uid is not null as enrolled, u.display_timezone as "timeZone",
      (select coalesce(json_agg(d.day), '[]') from study_days d
        where d.uid = u.id and d.day between ${firstDay}::date and ${lastDay}::date) as "studyDays",
      case when p.uid is not null then (select to_json(w) from (
        select ${progressColumns}, p.done, p.earned_at is not null as earned) w) end as stored
    from course_lessons l join courses c on c.id = l.course_id
    left join learner u on true left join locked p on true
    left join sessions s on s.token = ${token} and s.expires_at > ${now.toISOString()}::timestamptz
    left join enrollments e on e.uid = u.id and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)

  if (!row) {
    return null
  }

  const { kind, durationSeconds, questions, session, enrolled, ...facts } = row
  const lesson = { kind, durationSeconds, questionIds: questions.map(questionId) }

  return { ...facts, lesson, reporter: { session, enrolled } }
}

type Facts = NonNullable<Awaited<ReturnType<typeof lockFacts>>>

/** The lesson's new state after the report, by the rules. */
function changeOf(
  { lesson, stored, studyDays, timeZone }: Facts,
  { work, studied, lengthMs }: ReportedProgress,
) {
  const opened = limitToOpenedLength(lesson, lengthMs)
  const merged = mergeWithinLimit(
    stored ? toLessonProgress(stored) : emptyProgress,
    fitProgress(lesson, work),
  )
  const earned = stored?.earned || isLessonEarned(opened, merged)
  const done = isLessonDone(opened, merged, earned)
  const finishes = done && !stored?.done
  const days = splitByDay(studied, timeZone)
  const beginsDay = days.some(({ day }) => !studyDays.includes(day))

  return {
    work: merged,
    earned,
    done,
    days,
    finishes,
    hasFollowUp: finishes || beginsDay,
    first: stored === null,
  }
}

/** Only questions that the quiz still has. */
function recordMissed(
  transaction: Transaction,
  address: LearnerLesson,
  { lesson, timeZone }: Facts,
  { missed }: ReportedProgress,
): Promise<void> {
  const ids = missed?.questionIds.filter((id) => lesson.questionIds.includes(id)) ?? []
  const questions = ids.map((id) => ({ questionId: id, missedAt: missed?.openedAt ?? new Date(0) }))
  return recordMissedQuestions(transaction, address, questions, timeZone)
}

/**
 * @returns false if this was to be the lesson's first report, but there is one by now; nothing is
 * written then.
 */
async function writeChange(
  transaction: Transaction,
  { uid, courseId, lessonId }: LearnerLesson,
  { work, earned, days, first }: ReturnType<typeof changeOf>,
  now: Date,
): Promise<boolean> {
  const row = toProgressRow(work)
  const studied = JSON.stringify(
    days.map(({ day, studied: times }) => ({ day, studied: toTimeMultirange(times) })),
  )
  const { rows } = await transaction.execute(sql`
    with saved as (
      insert into lesson_progress as p
        (uid, course_id, lesson_id, watched_ms, position_ms, position_at, mark, marked_at, answered, read_to_end, earned_at)
      values (${uid}, ${courseId}, ${lessonId}, ${row.watched}::int4multirange, ${row.position_ms}::int,
        ${row.position_at}::timestamptz, ${row.mark}, ${row.marked_at}::timestamptz, ${`{${row.answered.join(',')}}`}::text[],
        ${row.read_to_end}::boolean, ${earned ? now.toISOString() : null}::timestamptz)
      on conflict (uid, course_id, lesson_id) do update set
        watched_ms = excluded.watched_ms, position_ms = excluded.position_ms, position_at = excluded.position_at,
        mark = excluded.mark, marked_at = excluded.marked_at, answered = excluded.answered,
        read_to_end = excluded.read_to_end, earned_at = coalesce(p.earned_at, excluded.earned_at)
        where not ${first}::boolean
      returning p.lesson_id
    ), days as (
      insert into study_days as d (uid, day, studied)
      select ${uid}, day, studied from jsonb_to_recordset(${studied}::text::jsonb) as day (day date, studied tstzmultirange)
      where exists (select from saved) order by day
      on conflict (uid, day) do update set studied = d.studied + excluded.studied
        where (select count(*) from unnest(d.studied + excluded.studied)) <= ${learnerLimits.studiedPieces}::int
    ), opened as (
      update enrollments set last_accessed_at = ${now.toISOString()}::timestamptz
      where uid = ${uid} and course_id = ${courseId} and exists (select from saved)
        and last_accessed_at < ${now.toISOString()}::timestamptz - interval '1 minute'
    )
    select from saved`)

  return rows.length > 0
}

async function recordFinished(
  transaction: Transaction,
  { uid, courseId, lessonId }: LearnerLesson,
  { lesson, title, course }: Facts,
  { work, earned }: ReturnType<typeof changeOf>,
  now: Date,
): Promise<void> {
  const { activity } = lessonRules[lesson.kind]
  const isOnlyMarked = !earned && !work.readToEnd
  await recordActivity(transaction, uid, {
    id: `lesson:${courseId}:${lessonId}`,
    type: activity.type,
    text: lessonActivity(isOnlyMarked ? 'marked' : activity.verb, title, course),
    at: now,
  })
}
