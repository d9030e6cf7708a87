/**
 * The figures of the desk, such as the number of active learners and the revenue of each course.
 *
 * A count reads whole tables, which takes seconds in a large school, so it runs in the background
 * every ten minutes. It always counts everything from the stored facts, in one snapshot of the
 * database. Running totals would be faster, but could become wrong.
 */
import { type SQL, sql } from 'drizzle-orm'
import { checkOrders } from '~/features/orders/check-orders.server'
import { type Database, db, withOwnConnection } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { type DayFigures, deskFigures } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { siteCurrency } from '~/server/site/site.server'

const figureDays = 60
const checkEveryMs = 10_000
const countEveryMinutes = 10
const maxHardQuestions = 20
/** A learner who has begun a course is stuck if they have not opened it for so many days. */
const stuckAfterDays = 14
/** A learner who has not opened a course for so many days has left, and is not stuck any more. */
const leftAfterDays = 90
const maxStuckLearners = 20

/**
 * Counts the figures every ten minutes in the background.
 *
 * @returns a function that stops it, after the count that is running
 */
export function startFigures(): () => Promise<void> {
  return backgroundWork.add({
    name: 'figures of the desk',
    everyMs: checkEveryMs,
    async run() {
      // A count takes longer than the connections of the pool may be used for pages.
      if (await isDue(db)) {
        await withOwnConnection(async (ownDb) => countFigures(ownDb, await databaseTime(ownDb)))
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

/** Returns the time of the last count, or null before the first one. */
export async function findCountedAt(db: Pick<Database, 'select'>): Promise<Date | null> {
  const [row] = await db.select({ at: deskFigures.countedAt }).from(deskFigures)
  return row?.at ?? null
}

export async function countFigures(db: Database, now: Date): Promise<void> {
  const instant = sql`${now.toISOString()}::timestamptz`
  await db.transaction(
    async (transaction) => {
      // A count uses one processor, so that the others are free for pages.
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

/** The time at which a lesson was finished, or else was marked as finished by the learner. */
const doneAt = sql`coalesce(earned_at, marked_at)`

/** Returns the start of the first day in the figures. */
const getFirstInstant = (now: SQL) =>
  sql`((${utcDay(now)} - ${figureDays - 1}::int)::timestamp at time zone 'UTC')`

/**
 * Counts the progress in lessons, with a row for each lesson and a row for each day. One query
 * counts both, so that the largest table is read once.
 */
function workCounts(now: SQL): SQL {
  return sql`
    select course_id, lesson_id, day, count(*) as begun, count(*) filter (where done) as done
    from (
      select course_id, lesson_id, done, case when done and ${doneAt} >= ${getFirstInstant(now)} then ${utcDay(doneAt)} end as day
      from lesson_progress) p
    group by grouping sets ((course_id, lesson_id), (day))`
}

/** Counts what happened on each of the last days, oldest first. The days are in UTC. */
function dayCounts(now: SQL): SQL {
  const start = getFirstInstant(now)
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
      where place <= ${maxStuckLearners}::int group by 1) t on t.course_id = c.id
    left join (
      select course_id, jsonb_agg(jsonb_build_object('id', question_id, 'lessonId', lesson_id, 'missed', missed)
          order by missed desc, question_id) as questions
      from (
        select course_id, question_id, min(lesson_id) as lesson_id, count(*) as missed,
          row_number() over (partition by course_id order by count(*) desc, question_id) as place
        from practice_cards group by 1, 2) p
      where place <= ${maxHardQuestions}::int group by 1) q on q.course_id = c.id`
}
