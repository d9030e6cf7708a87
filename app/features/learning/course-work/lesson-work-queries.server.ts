import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { executePrepared } from '~/server/database/prepared.server'
import { grantDueAchievements } from '../achievement/achievement-queries.server'
import { consistentLearner } from '../achievement/achievements'
import { finishLesson } from './course-completion-queries.server'
import { lockCourseWork } from './course-work-lock.server'
import { learnerLimits } from './learner-limits'
import { type LessonWork, watchedShare } from './lesson-work'
import { fromMultirange, type Interval, toMomentMultirange, toMultirange, uniteIntervals } from './watched-intervals'

export type LessonAddress = { uid: string; courseId: string; lessonId: string }

/** Why nothing was stored; `work-refusals.ts` has the status and the sentence of each. */
export type WorkRefusal =
  | 'signed-out'
  | 'other-learner'
  | 'no-lesson'
  | 'not-enrolled'
  | 'announced'
  | 'beyond-length'
  | 'unread'

export type WorkResult = { refusal: WorkRefusal } | { refusal: null; work: LessonWork; done: boolean }

/** What is reported, and when the learner was really there: united milliseconds since 1970. */
type Reported = {
  work: LessonWork
  studied: readonly Interval[]
  /** The lesson's length when it was opened, if that is known. */
  lengthMs?: number
  now: Date
}

/**
 * Merges reported work into what is stored: one statement checks, merges and tells the result, in one round trip.
 * Repeats, late arrivals and other devices change nothing (`mergeWork` is the same rule in memory). Only the report
 * that finishes a lesson, or begins the day that may complete a streak, takes a transaction: more may follow from it.
 *
 * @param sessionToken when given, the same statement also checks that this session of the learner's is still good.
 */
export async function recordLessonWork(
  db: Database,
  address: LessonAddress,
  reported: Reported,
  sessionToken?: string,
): Promise<WorkResult> {
  const [row] = await executePrepared<Row>(db, mergeStatement(address, reported, { mayFinish: false, sessionToken }))
  if (row?.stored || row?.refusal) return resultOf(row)
  return db.transaction(async (transaction) => {
    await lockCourseWork(transaction, address.uid, address.courseId)
    const [finishing] = await transaction.execute<Row>(
      mergeStatement(address, reported, { mayFinish: true, sessionToken }),
    )
    if (finishing?.done) await finishLesson(transaction, address, reported.now)
    else if (finishing?.stored) await grantDueAchievements(transaction, address.uid, reported.now)
    return resultOf(finishing)
  })
}

type Row = {
  refusal: WorkRefusal | null
  /** False when the report would finish the lesson, or complete a streak, and may not. */
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

function resultOf(row: Row | undefined): WorkResult {
  if (!row) throw new Error('The statement gives exactly one row.')
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

/** Columns of `lesson_progress` for `workOf`. */
function workColumnsOf(alias: string): string {
  return `${alias}.watched_ms::text as watched, ${alias}.position_ms, ${alias}.mark, ${alias}.answered, ${alias}.read_to_end,
    (extract(epoch from ${alias}.position_at) * 1000)::bigint::text as position_at,
    (extract(epoch from ${alias}.marked_at) * 1000)::bigint::text as marked_at`
}

/** Those of the alias `p`, for other queries. */
export const workColumns = sql.raw(workColumnsOf('p'))

function mergeStatement(
  { uid, courseId, lessonId }: LessonAddress,
  { work, studied, lengthMs, now }: Reported,
  { mayFinish, sessionToken }: { mayFinish: boolean; sessionToken?: string },
): SQL {
  const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  return sql`
    with input as (select
      ${uid}::text as uid, ${courseId}::text as course_id, ${lessonId}::text as lesson_id,
      ${sessionToken ?? null}::text as session_token, ${now.toISOString()}::timestamptz as now,
      ${toMultirange(work.watched)}::int4multirange as watched_ms, ${lengthMs ?? null}::int as opened_length_ms,
      ${work.position?.ms ?? 0}::int as position_ms, ${moment(work.position?.at)}::timestamptz as position_at,
      ${work.mark?.value ?? null}::text as mark, ${moment(work.mark?.at)}::timestamptz as marked_at,
      ${`{${work.answered.join(',')}}`}::text[] as answered, ${work.readToEnd}::boolean as read_to_end,
      ${toMomentMultirange(uniteIntervals(studied))}::tstzmultirange as studied, ${mayFinish}::boolean as may_finish
    ), ${statement}`
}

/** `isLessonEarned` in SQL, for a target `t`. */
const earned = (watched: string, answered: string) => `case t.kind
  when 'video' then (
    select coalesce(sum(least(upper(part), t.length_ms) - least(lower(part), t.length_ms)), 0)
    from unnest(${watched}) part) >= t.length_ms * ${watchedShare}
  when 'quiz' then t.question_ids <@ (${answered})
  else false end`

/** The union; but one of more pieces than `most` is not taken: nobody watches so, and every look would cost. */
const unitedThen = (before: string, more: string, most: number) =>
  `case when (select count(*) from unnest(${before} + ${more})) <= ${most} then ${before} + ${more} else ${before} end`
const watchedThen = unitedThen('p.watched_ms', 'excluded.watched_ms', learnerLimits.watchedPieces)
const earnedThen = `(select ${earned(`(${watchedThen})`, 'p.answered || excluded.answered')} from target t)`
const newPosition = `(p.position_at is null
  or (excluded.position_at, excluded.position_ms) > (p.position_at, p.position_ms))`
const markThen = `case when p.mark is null or (excluded.marked_at, excluded.mark = 'done') > (p.marked_at, p.mark = 'done')
  then excluded.mark else p.mark end`

/**
 * Everything after `input`: `target` is the lesson with the reason to refuse (no row for an unknown lesson) and what of
 * the report fits it as it is now: a film may have been replaced by a shorter or longer one since it was opened, and
 * counts by the shorter length then, so that nothing that was finished offline gets lost. `saved` is
 * `mergeWork`, what is stored being `p` and what is reported `excluded`; `days` cuts at the learner's midnights;
 * `streak` asks whether one of them may complete the days in a row of an achievement that is still to be earned.
 */
const statement = sql.raw(`target as (
  select i.uid, i.course_id, i.lesson_id, i.now, i.may_finish, i.studied, i.position_at, i.mark, i.marked_at,
    case when l.kind = 'video' then i.watched_ms * int4multirange(int4range(0, now_ms)) else '{}' end as watched_ms,
    least(i.position_ms, now_ms) as position_ms,
    (select coalesce(array_agg(id order by id), '{}') from unnest(i.answered) id where id = any (question_ids)) as answered,
    i.read_to_end and l.kind = 'article' as read_to_end,
    l.kind, question_ids, least(i.opened_length_ms, now_ms) as length_ms,
    u.display_timezone as zone,
    case
      when u.id is null or u.banned or i.session_token is not null and s.user_id is null then 'signed-out'
      when i.session_token is not null and s.user_id <> i.uid then 'other-learner'
      when e.uid is null then 'not-enrolled'
      when l.kind = 'announced' then 'announced'
      when greatest(upper(i.watched_ms), i.position_ms) > coalesce(i.opened_length_ms, now_ms) then 'beyond-length'
      when l.kind = 'article' and i.mark = 'done' and not i.read_to_end then 'unread'
    end as refusal
  from input i
  join course_lessons l on l.course_id = i.course_id and l.id = i.lesson_id
  cross join lateral (select l.duration_seconds * 1000 as now_ms, case when l.kind = 'quiz' then (
    select array_agg(substr(encode(sha256(convert_to(question ->> 'question', 'UTF8')), 'hex'), 1, 12))
    from jsonb_array_elements(l.questions) question
  ) end as question_ids) lesson
  left join users u on u.id = i.uid
  left join sessions s on s.token = i.session_token and s.expires_at > i.now
  left join enrollments e on e.uid = i.uid and e.course_id = l.course_id
), reported as (
  select t.*, ${earned('t.watched_ms', 't.answered')} as earned from target t where refusal is null
), days as (
  select t.uid, day::date as day, t.studied * tstzmultirange(
    tstzrange(day at time zone t.zone, (day + interval '1 day') at time zone t.zone)) as part
  from target t, generate_series(
    (lower(t.studied) at time zone t.zone)::date::timestamp,
    (upper(t.studied) at time zone t.zone)::date::timestamp,
    interval '1 day') day
), streak as (
  select exists (
    select from days d where not isempty(d.part)
      and not exists (select from study_days s where (s.uid, s.day) = (d.uid, d.day) and not isempty(s.studied))
      and not exists (select from achievements a where (a.uid, a.achievement_id) = (d.uid, '${consistentLearner.id}'))
      and (select count(*) from (
        select s.day from study_days s
        where s.uid = d.uid and s.day between d.day - ${consistentLearner.days - 1} and d.day + ${consistentLearner.days - 1}
        union select o.day from days o where not isempty(o.part)
      ) near) >= ${consistentLearner.days - 1}
  ) as possible
), saved as (
  insert into lesson_progress as p
    (uid, course_id, lesson_id, watched_ms, position_ms, position_at, mark, marked_at, answered, read_to_end, earned_at)
  select uid, course_id, lesson_id, watched_ms, position_ms, position_at, mark, marked_at, answered, read_to_end,
    case when earned then now end
  from reported r
  where may_finish or not (select possible from streak) and (not coalesce(mark = 'done', earned) or exists (
    select from lesson_progress p where (p.uid, p.course_id, p.lesson_id) = (r.uid, r.course_id, r.lesson_id)))
  on conflict (uid, course_id, lesson_id) do update set
    watched_ms = ${watchedThen},
    position_ms = case when ${newPosition} then excluded.position_ms else p.position_ms end,
    position_at = greatest(p.position_at, excluded.position_at),
    mark = ${markThen},
    marked_at = greatest(p.marked_at, excluded.marked_at),
    answered = (select coalesce(array_agg(distinct id order by id), '{}') from unnest(p.answered || excluded.answered) id),
    read_to_end = p.read_to_end or excluded.read_to_end,
    earned_at = coalesce(p.earned_at, case when ${earnedThen} then (select now from input) end)
  where (select may_finish from input) or p.done
    or not coalesce((${markThen}) = 'done', p.earned_at is not null or ${earnedThen})
  returning p.*
), study as (
  insert into study_days (uid, day, studied)
  select uid, day, part from days where not isempty(part) and exists (select from saved) order by day
  on conflict (uid, day) do update set studied = ${unitedThen('study_days.studied', 'excluded.studied', learnerLimits.studiedPieces)}
), opened as (
  update enrollments e set last_accessed_at = i.now from input i
  where e.uid = i.uid and e.course_id = i.course_id and e.last_accessed_at < i.now - interval '1 minute'
    and exists (select from saved)
)
select case when t is null then 'no-lesson' else t.refusal end as refusal, s.uid is not null as stored, s.*
from input left join target t on true left join (select ${workColumnsOf('p')}, p.done, p.uid from saved p) s on true`)
