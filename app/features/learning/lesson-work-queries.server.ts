import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { finishLesson } from './course-completion-queries.server'
import { type LessonWork, watchedShare } from './lesson-work'
import { fromMultirange, type Interval, toMomentMultirange, toMultirange, uniteIntervals } from './watched-intervals'

export type LessonAddress = { uid: string; courseId: string; lessonId: string }

/** Why nothing was stored; `lesson-work-refusals` has the status and the sentence of each. */
export type WorkRefusal = 'signed-out' | 'no-lesson' | 'not-enrolled' | 'announced' | 'beyond-length' | 'unread'

export type WorkResult = { refusal: WorkRefusal } | { refusal: null; work: LessonWork; done: boolean }

/** What is reported, and when the learner was really there: united milliseconds since 1970. */
type Reported = { work: LessonWork; studied: readonly Interval[]; now: Date }

type Executor = Pick<Database, 'execute'>

/**
 * Merges reported work into what is stored: one statement checks, merges and tells the result, in one round trip.
 * Repeats, late arrivals and other devices change nothing (`mergeWork` is the same rule in memory). Only the report
 * that finishes a lesson takes a transaction, because it may finish the course, too.
 *
 * @param sessionToken when given, the same statement also checks that this session of the learner's is still good.
 */
export async function recordLessonWork(
  db: Database,
  address: LessonAddress,
  reported: Reported,
  sessionToken?: string,
): Promise<WorkResult> {
  const row = await mergeStored(db, address, reported, { mayFinish: false, sessionToken })
  if (row.stored || row.refusal) return resultOf(row)
  return db.transaction(async (transaction) => {
    const { uid, courseId } = address
    // Two lessons that are finished at once must see each other, or none of them completes the course.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${uid} ${courseId}`}, 0))`)
    const finishing = await mergeStored(transaction, address, reported, { mayFinish: true, sessionToken })
    if (finishing.done) await finishLesson(transaction, address, reported.now)
    return resultOf(finishing)
  })
}

type Row = {
  refusal: WorkRefusal | null
  /** False when the report would finish the lesson and may not. */
  stored: boolean
  watched: string
  position_ms: number
  position_at: string | null
  mark: 'done' | 'undone' | null
  marked_at: string | null
  answered: string[]
  read_to_end: boolean
  done: boolean
}

function resultOf(row: Row): WorkResult {
  if (row.refusal) return { refusal: row.refusal }
  return { refusal: null, work: workOf(row), done: row.done }
}

/** A stored row as the rules see it; its moments are milliseconds since 1970, as text. */
export function workOf(
  row: Pick<Row, 'watched' | 'position_ms' | 'position_at' | 'mark' | 'marked_at' | 'answered' | 'read_to_end'>,
): LessonWork {
  return {
    watched: fromMultirange(row.watched),
    position: row.position_at === null ? null : { ms: row.position_ms, at: Number(row.position_at) },
    mark: row.mark && row.marked_at !== null ? { value: row.mark, at: Number(row.marked_at) } : null,
    answered: row.answered,
    readToEnd: row.read_to_end,
  }
}

/** Columns of `lesson_progress` under the alias `p` for `workOf`. */
export const workColumns = sql.raw(`p.watched_ms::text as watched, p.position_ms,
  (extract(epoch from p.position_at) * 1000)::bigint::text as position_at, p.mark,
  (extract(epoch from p.marked_at) * 1000)::bigint::text as marked_at, p.answered, p.read_to_end`)

async function mergeStored(
  db: Executor,
  { uid, courseId, lessonId }: LessonAddress,
  { work, studied, now }: Reported,
  { mayFinish, sessionToken }: { mayFinish: boolean; sessionToken?: string },
): Promise<Row> {
  const at = moment(now.getTime())
  const studiedRange = sql`${toMomentMultirange(uniteIntervals(studied))}::tstzmultirange`
  const [row] = await db.execute<Row>(sql`
    with target as (${target({ uid, courseId, lessonId }, work, at, sessionToken)}),
    saved as (${upsert({ uid, courseId, lessonId }, work, at, mayFinish)}),
    study as (
      insert into study_days (uid, day, studied)
      select ${uid}::text, day, part from (${splitByDay(studiedRange)}) days
      where not isempty(part) and exists (select from saved) order by day
      on conflict (uid, day) do update set studied = study_days.studied + excluded.studied
    ),
    opened as (
      update enrolments set last_accessed_at = ${at}
      where uid = ${uid} and course_id = ${courseId} and last_accessed_at < ${at} - interval '1 minute'
        and exists (select from saved)
    )
    select coalesce(t.refusal, case when t is null then 'no-lesson' end) as refusal, s.uid is not null as stored, s.*
    from (select 1) one left join target t on true left join (
      select ${workColumns}, p.done, p.uid from saved p
    ) s on true`)
  if (!row) throw new Error('The statement gives exactly one row.')
  return row
}

const moment = (ms: number | undefined) => sql`${ms === undefined ? null : new Date(ms).toISOString()}::timestamptz`

/** The lesson with everything that decides, and the reason to refuse; no row for an unknown lesson. */
function target({ uid, courseId, lessonId }: LessonAddress, work: LessonWork, at: SQL, sessionToken?: string): SQL {
  const signedIn = sessionToken
    ? sql`exists (select from sessions where token = ${sessionToken} and user_id = ${uid} and expires_at > ${at})`
    : sql`true`
  const furthest = Math.max(work.watched.at(-1)?.[1] ?? 0, work.position?.ms ?? 0)
  const markedUnread = work.mark?.value === 'done' && !work.readToEnd
  return sql`
    select l.kind, l.duration_seconds * 1000 as length_ms, coalesce(u.timezone, 'UTC') as zone,
      case when l.kind = 'quiz' then (
        select array_agg(substr(encode(sha256(convert_to(question ->> 'question', 'UTF8')), 'hex'), 1, 12))
        from jsonb_array_elements(l.questions) question
      ) end as question_ids,
      case
        when u.id is null or not ${signedIn} then 'signed-out'
        when e.uid is null then 'not-enrolled'
        when l.kind = 'announced' then 'announced'
        when ${furthest}::int > l.duration_seconds * 1000 then 'beyond-length'
        when l.kind = 'article' and ${markedUnread}::boolean then 'unread'
      end as refusal
    from course_lessons l
    left join users u on u.id = ${uid}
    left join enrolments e on e.uid = ${uid} and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}`
}

/** `isLessonEarned` in SQL. */
function earned(watched: SQL, answered: SQL): SQL {
  return sql`(select case t.kind
    when 'video' then (
      select coalesce(sum(least(upper(part), t.length_ms) - least(lower(part), t.length_ms)), 0)
      from unnest(${watched}) part) >= t.length_ms * ${watchedShare}::numeric
    when 'quiz' then t.question_ids <@ (${answered})
    else false end from target t)`
}

/** `mergeWork` in SQL: what is stored is `p`, what is reported `excluded`. */
function upsert({ uid, courseId, lessonId }: LessonAddress, work: LessonWork, at: SQL, mayFinish: boolean): SQL {
  const watched = sql`${toMultirange(work.watched)}::int4multirange`
  const answered = sql`${sql.param([...work.answered])}::text[]`
  const mark = sql`${work.mark?.value ?? null}::text`
  const earnedNow = earned(watched, answered)
  const earnedThen = earned(sql`p.watched_ms + excluded.watched_ms`, sql`p.answered || excluded.answered`)
  const newPosition = sql`(p.position_at is null or (excluded.position_at, excluded.position_ms) > (p.position_at, p.position_ms))`
  const newMark = sql`(p.mark is null or (excluded.marked_at, excluded.mark = 'done') > (p.marked_at, p.mark = 'done'))`
  const markThen = sql`case when ${newMark} then excluded.mark else p.mark end`
  return sql`
    insert into lesson_progress as p
      (uid, course_id, lesson_id, watched_ms, position_ms, position_at, mark, marked_at, answered, read_to_end, earned_at)
    select ${uid}::text, ${courseId}::text, ${lessonId}::text, ${watched}, ${work.position?.ms ?? 0}::int,
      ${moment(work.position?.at)}, ${mark}, ${moment(work.mark?.at)}, ${answered}, ${work.readToEnd}::boolean,
      case when ${earnedNow} then ${at} end
    from target
    where refusal is null and (${mayFinish}::boolean or not coalesce(${mark} = 'done', ${earnedNow}) or exists (
      select from lesson_progress where uid = ${uid} and course_id = ${courseId} and lesson_id = ${lessonId}))
    on conflict (uid, course_id, lesson_id) do update set
      watched_ms = p.watched_ms + excluded.watched_ms,
      position_ms = case when ${newPosition} then excluded.position_ms else p.position_ms end,
      position_at = greatest(p.position_at, excluded.position_at),
      mark = ${markThen},
      marked_at = greatest(p.marked_at, excluded.marked_at),
      answered = (select coalesce(array_agg(distinct id order by id), '{}') from unnest(p.answered || excluded.answered) id),
      read_to_end = p.read_to_end or excluded.read_to_end,
      earned_at = coalesce(p.earned_at, case when ${earnedThen} then ${at} end)
    where ${mayFinish}::boolean or p.done
      or not coalesce((${markThen}) = 'done', p.earned_at is not null or ${earnedThen})
    returning p.*`
}

/** Moments cut at the midnights of the learner's time zone. */
function splitByDay(studied: SQL): SQL {
  return sql`
    select day::date as day, ${studied} * tstzmultirange(
      tstzrange(day at time zone t.zone, (day + interval '1 day') at time zone t.zone)) as part
    from target t, generate_series(
      (lower(${studied}) at time zone t.zone)::date::timestamp,
      (upper(${studied}) at time zone t.zone)::date::timestamp,
      interval '1 day') day`
}
