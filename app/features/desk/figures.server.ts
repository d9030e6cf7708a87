import { type SQL, sql } from 'drizzle-orm'
import { checkOrders } from '~/features/orders/check-orders.server'
import { type Database, db, withOwnConnection } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { type DayFigures, deskFigures } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { siteCurrency } from '~/server/site/site.server'

/**
 * Figures that read much: every learner's work. They are counted anew, all at once and in one
 * snapshot, so that each is what counting the facts gives; nothing is added up that could drift
 * away.
 */

const figureDays = 60
const lookEveryMs = 10_000
/** A count reads whole tables: seconds, in a large school. */
const countEveryMinutes = 10
const hardestQuestions = 20
/**
 * Without opening a course for so long, somebody who began is stuck; after the longer time, they
 * have left.
 */
const stuckAfterDays = 14
const leftAfterDays = 90
const mostStuck = 20

/** @returns stops it, after the count under way. */
export function startFigures(): () => Promise<void> {
  return backgroundWork.add({
    name: 'figures of the desk',
    everyMs: lookEveryMs,
    async run() {
      // On a connection of its own, because the pool's limit of time is for pages.
      if (await isDue(db)) {
        await withOwnConnection(async (own) => countFigures(own, await databaseTime(own)))
      }
    },
  })
}

async function isDue(db: Database): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from desk_figures where counted_at > now() - make_interval(mins => ${countEveryMinutes})`,
  )
  return rows.length === 0
}

/** @returns the time of the last count, or null before the first one. */
export async function findCountedAt(db: Pick<Database, 'select'>): Promise<Date | null> {
  const [row] = await db.select({ at: deskFigures.countedAt }).from(deskFigures)
  return row?.at ?? null
}

export async function countFigures(db: Database, now: Date): Promise<void> {
  const instant = sql`${now.toISOString()}::timestamptz`
  await db.transaction(
    async (transaction) => {
      // Counting takes one processor, and leaves the others to learners.
      await transaction.execute(sql`set local max_parallel_workers_per_gather = 0`)
      const orderProblems = (await checkOrders(transaction)).length
      await transaction.execute(sql`delete from desk_courses`)
      const { rows: days } = await transaction.execute<DayFigures>(sql`
        with work as materialized (${workCounts(instant)}), courses_counted as (${courseCounts(instant)}), ${dayCounts(instant)}`)
      const {
        rows: [school],
      } = await transaction.execute<SchoolCounts>(schoolCounts(instant))
      if (!school) {
        throw new Error('A count has one row.')
      }

      const row = { id: 1, countedAt: now, days, orderProblems, ...school }
      await transaction
        .insert(deskFigures)
        .values(row)
        .onConflictDoUpdate({ target: deskFigures.id, set: row })
    },
    { isolationLevel: 'repeatable read' },
  )
}

const utcDay = (time: SQL) => sql`(${time} at time zone 'UTC')::date`

/** When a lesson was finished: earned, or else marked by the learner. */
const doneAt = sql`coalesce(earned_at, marked_at)`

/** The start of the first day in the figures. */
const startOf = (now: SQL) =>
  sql`((${utcDay(now)} - ${figureDays - 1}::int)::timestamp at time zone 'UTC')`

/**
 * Reads the largest table once.
 *
 * @returns a row for each lesson, and one for each day with finished lessons.
 */
function workCounts(now: SQL): SQL {
  return sql`
    select course_id, lesson_id, day, count(*) as begun, count(*) filter (where done) as done
    from (
      select course_id, lesson_id, done, case when done and ${doneAt} >= ${startOf(now)} then ${utcDay(doneAt)} end as day
      from lesson_progress) p
    group by grouping sets ((course_id, lesson_id), (day))`
}

/** The last days, oldest first, in UTC. */
function dayCounts(now: SQL): SQL {
  const start = startOf(now)
  return sql`
    days as (
      select ${utcDay(now)} - ago as day from generate_series(0, ${figureDays - 1}::int) ago),
    joined as (
      select ${utcDay(sql`created_at`)} as day, count(*) as n from users where created_at >= ${start} group by 1),
    studied as (
      select day, count(*) as n from study_days where day > ${utcDay(now)} - ${figureDays}::int group by 1),
    enrolled as (
      select ${utcDay(sql`enrolled_at`)} as day, count(*) as n from enrollments where enrolled_at >= ${start} group by 1),
    done as (select day, done as n from work where day is not null),
    certified as (
      select ${utcDay(sql`issued_at`)} as day, count(*) as n from certificate_register where issued_at >= ${start} group by 1),
    earned as (
      select ${utcDay(sql`at`)} as day, sum(amount_minor) as n from ledger
      where at >= ${start} and currency = ${siteCurrency()} group by 1)
    select days.day::text as day, coalesce(joined.n, 0)::int as "newLearners",
      coalesce(studied.n, 0)::int as "activeLearners", coalesce(enrolled.n, 0)::int as enrollments,
      coalesce(done.n, 0)::int as lessons, coalesce(certified.n, 0)::int as certificates,
      coalesce(earned.n, 0)::float8 as "revenueMinor"
    from days left join joined using (day) left join studied using (day) left join enrolled using (day)
      left join done using (day) left join certified using (day) left join earned using (day)
    order by days.day`
}

type SchoolCounts = { activeNow: number; activeBefore: number; learners: number }

function schoolCounts(now: SQL): SQL {
  return sql`
    select (select count(*)::int from users) as learners,
      count(distinct uid) filter (where day > ${utcDay(now)} - 30)::int as "activeNow",
      count(distinct uid) filter (where day <= ${utcDay(now)} - 30)::int as "activeBefore"
    from study_days where day > ${utcDay(now)} - 60`
}

function courseCounts(now: SQL): SQL {
  return sql`
    insert into desk_courses (course_id, learners, active, completed, certificates, revenue_minor, lessons, stuck, questions)
    select c.id, coalesce(e.learners, 0), coalesce(e.active, 0), coalesce(e.completed, 0), coalesce(k.n, 0),
      coalesce(m.n, 0), coalesce(l.lessons, '[]'), coalesce(t.stuck, '{}'), coalesce(q.questions, '[]')
    from courses c
    left join (
      select course_id, count(*) as learners, count(completed_at) as completed,
        count(*) filter (where last_accessed_at > ${now} - interval '30 days') as active
      from enrollments group by 1) e on e.course_id = c.id
    left join (select course_id, count(*) as n from certificates group by 1) k on k.course_id = c.id
    left join (
      select o.course_id, sum(x.amount_minor) as n from ledger x join orders o on o.id = x.order_id
      where x.currency = ${siteCurrency()} group by 1) m on m.course_id = c.id
    left join (
      select course_id, jsonb_agg(jsonb_build_object('id', lesson_id, 'begun', begun, 'done', done)) as lessons
      from work where lesson_id is not null group by 1) l on l.course_id = c.id
    left join (
      select course_id, array_agg(uid order by last_accessed_at desc, uid) as stuck
      from (
        select course_id, uid, last_accessed_at,
          row_number() over (partition by course_id order by last_accessed_at desc, uid) as place
        from enrollments
        where completed_at is null and last_accessed_at > enrolled_at
          and last_accessed_at < ${now} - make_interval(days => ${stuckAfterDays})
          and last_accessed_at > ${now} - make_interval(days => ${leftAfterDays})) p
      where place <= ${mostStuck}::int group by 1) t on t.course_id = c.id
    left join (
      select course_id, jsonb_agg(jsonb_build_object('id', question_id, 'lessonId', lesson_id, 'missed', missed)
          order by missed desc, question_id) as questions
      from (
        select course_id, question_id, min(lesson_id) as lesson_id, count(*) as missed,
          row_number() over (partition by course_id order by count(*) desc, question_id) as place
        from practice_cards group by 1, 2) p
      where place <= ${hardestQuestions}::int group by 1) q on q.course_id = c.id`
}
