/**
 * The figures of the desk, such as the number of active learners and the revenue of each course.
 *
 * A count reads whole tables, which takes seconds in a large school, so it runs in the background
 * every ten minutes. It always counts everything from the stored records, in one snapshot of the
 * database. Running totals would be faster, but could become wrong.
 */
import { type SQL, sql } from 'drizzle-orm'
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
import { checkOrders } from '~/features/orders/check-orders.server'
import { findSupportedTimeZone } from '~/features/school/supported-time-zones.server'
import {
  type Database,
  db,
  type Transaction,
  withOwnConnection,
} from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { type DayFigures, deskFigures } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { siteCurrency, siteTimeZone } from '~/server/site/site.server'

/** A period is compared with the one before it, so the days of two periods are counted. */
const periodDays = 30
const figureDays = 2 * periodDays
const checkEveryMs = 10_000
const countEveryMinutes = 10
const maxHardQuestions = 20
/** A learner who has not finished a course, and not opened it for this many days, is stuck. */
const stuckAfterDays = 14
/**
 * A learner who has not opened a course for this many days has given it up, and is not stuck any
 * more.
 */
const givenUpAfterDays = 90
const maxStuckLearners = 20

/**
 * Counts the figures every ten minutes in the background.
 *
 * @returns a function that stops it, after the count that is running
 */
export function startFigures(): () => Promise<void> {
  return backgroundWork.schedule({
    name: 'figures of the desk',
    intervalMs: checkEveryMs,
    async run() {
      // A count is slow, so it has a connection of its own, and leaves those of the pool to pages.
      if (await isDue(db)) {
        await withOwnConnection(async (ownDb) => countFigures(ownDb, await databaseTime(ownDb)))
      }
    },
  })
}

async function isDue(db: Database): Promise<boolean> {
  const { rows } = await db.execute(
    sql`
      select counted_at
      from desk_figures
      where counted_at > now() - make_interval(mins => ${countEveryMinutes})`,
  )
  return rows.length === 0
}

/** Returns the time of the last count, or null before the first one. */
export async function findCountedAt(db: Pick<Database, 'select'>): Promise<Date | null> {
  const [row] = await db.select({ at: deskFigures.countedAt }).from(deskFigures)
  return row?.at ?? null
}

/** Counts all figures in one snapshot of the database, and stores them. */
export async function countFigures(db: Database, countedAt: Date): Promise<void> {
  const now = sql`${countedAt.toISOString()}::timestamptz`

  await db.transaction(
    async (transaction) => {
      // A count uses one processor, so that the others are free for pages.
      await transaction.execute(sql`set local max_parallel_workers_per_gather = 0`)
      const orderProblems = await checkOrders(transaction)
      const timeZone = await findSchoolTimeZone(transaction)

      await transaction.execute(sql`delete from desk_courses`)
      const days = await storeCoursesAndCountDays(transaction, now, timeZone)
      const school = await countSchool(transaction, now, timeZone)

      const figures = {
        id: 1,
        countedAt,
        days,
        orderProblems: orderProblems.length,
        ...school,
      }
      await transaction
        .insert(deskFigures)
        .values(figures)
        .onConflictDoUpdate({ target: deskFigures.id, set: figures })
    },
    { isolationLevel: 'repeatable read' },
  )
}

/**
 * Returns the school's time zone by a name that this database supports. The zone may have been
 * stored on another server, or by an earlier version of Learnify.
 */
async function findSchoolTimeZone(transaction: Transaction): Promise<string> {
  const schoolTimeZone = siteTimeZone()
  const supportedTimeZone = await findSupportedTimeZone(transaction, schoolTimeZone)
  if (supportedTimeZone === null) {
    log.warn({ timeZone: schoolTimeZone }, 'the database lacks the school’s time zone; UTC is used')
    return 'UTC'
  }

  return supportedTimeZone
}

/** Stores the figures of each course, and returns those of each of the last days, oldest first. */
async function storeCoursesAndCountDays(
  transaction: Transaction,
  now: SQL,
  timeZone: string,
): Promise<DayFigures[]> {
  const { rows } = await transaction.execute<DayFigures>(sql`
    with lesson_counts as materialized (${selectLessonCounts(now, timeZone)}),
      stored_courses as (${insertCourseFigures(now)})
    select *
    from (${selectDays(now, timeZone)}) days
    order by day`)

  return rows
}

/** Returns the day of a time in the school's time zone. */
const getSchoolDay = (time: SQL, timeZone: string) =>
  sql`(${time} at time zone ${timeZone}::text)::date`

/** Returns the start of the first day in the figures. */
const getStartTime = (now: SQL, timeZone: string) =>
  sql`((${getSchoolDay(now, timeZone)} - ${figureDays - 1}::int)::timestamp at time zone ${timeZone}::text)`

/** The time at which a lesson was finished, or else was marked as finished by the learner. */
const doneAt = sql`coalesce(earned_at, marked_at)`

/**
 * Selects counts of the progress in lessons, with a row for each lesson and a row for each day. One
 * query counts both, so that the largest table is read once.
 */
function selectLessonCounts(now: SQL, timeZone: string): SQL {
  return sql`
    select course_id,
      lesson_id,
      day,
      count(*) as begun,
      count(*) filter (where done) as done
    from (
      select course_id,
        lesson_id,
        done,
        case when done and ${doneAt} >= ${getStartTime(now, timeZone)} then ${getSchoolDay(doneAt, timeZone)} end as day
      from lesson_progress
    ) progress
    group by grouping sets ((course_id, lesson_id), (day))`
}

/** Selects what happened on each of the last days. It reads `lesson_counts`. */
function selectDays(now: SQL, timeZone: string): SQL {
  const start = getStartTime(now, timeZone)
  return sql`
    with days as (
      select ${getSchoolDay(now, timeZone)} - ago as day
      from generate_series(0, ${figureDays - 1}::int) ago
    ),
    new_learners as (
      select ${getSchoolDay(sql`created_at`, timeZone)} as day, count(*) as total
      from users
      where created_at >= ${start}
      group by 1
    ),
    active_learners as (
      select day, count(*) as total
      from study_days
      where day > ${getSchoolDay(now, timeZone)} - ${figureDays}::int
      group by 1
    ),
    new_enrollments as (
      select ${getSchoolDay(sql`enrolled_at`, timeZone)} as day, count(*) as total
      from enrollments
      where enrolled_at >= ${start}
      group by 1
    ),
    done_lessons as (
      select day, done as total
      from lesson_counts
      where day is not null
    ),
    new_certificates as (
      select ${getSchoolDay(sql`issued_at`, timeZone)} as day, count(*) as total
      from certificate_register
      where issued_at >= ${start}
      group by 1
    ),
    revenue as (
      select ${getSchoolDay(sql`at`, timeZone)} as day, sum(amount_minor) as total
      from ledger
      where at >= ${start} and currency = ${siteCurrency()}
      group by 1
    )
    select days.day::text as day,
      coalesce(new_learners.total, 0)::int as "newLearners",
      coalesce(active_learners.total, 0)::int as "activeLearners",
      coalesce(new_enrollments.total, 0)::int as enrollments,
      coalesce(done_lessons.total, 0)::int as lessons,
      coalesce(new_certificates.total, 0)::int as certificates,
      coalesce(revenue.total, 0)::float8 as "revenueMinor"
    from days
      left join new_learners using (day)
      left join active_learners using (day)
      left join new_enrollments using (day)
      left join done_lessons using (day)
      left join new_certificates using (day)
      left join revenue using (day)`
}

/** Inserts the figures of each course. It reads `lesson_counts`. */
function insertCourseFigures(now: SQL): SQL {
  return sql`
    insert into desk_courses (
      course_id,
      learners,
      active,
      completed,
      certificates,
      revenue_minor,
      lessons,
      stuck,
      questions)
    select c.id,
      coalesce(enrolled.learners, 0),
      coalesce(enrolled.active, 0),
      coalesce(enrolled.completed, 0),
      coalesce(certified.total, 0),
      coalesce(revenue.total, 0),
      coalesce(lesson_figures.lessons, '[]'),
      coalesce(stuck_learners.stuck, '{}'),
      coalesce(hard_questions.questions, '[]')
    from courses c
      left join (
        select course_id,
          count(*) as learners,
          count(completed_at) as completed,
          count(*) filter (
            where ${getLastOpenedAt(sql`e`)} > ${now} - make_interval(days => ${periodDays})) as active
        from enrollments e
        group by 1
      ) enrolled on enrolled.course_id = c.id
      left join (
        select course_id, count(*) as total
        from certificates
        group by 1
      ) certified on certified.course_id = c.id
      left join (
        select o.course_id, sum(l.amount_minor) as total
        from ledger l
          join orders o on o.id = l.order_id
        where l.currency = ${siteCurrency()}
        group by 1
      ) revenue on revenue.course_id = c.id
      left join (
        select course_id,
          jsonb_agg(
            jsonb_build_object('id', lesson_id, 'begun', begun, 'done', done)) as lessons
        from lesson_counts
        where lesson_id is not null
        group by 1
      ) lesson_figures on lesson_figures.course_id = c.id
      left join (${selectStuckLearners(now)}) stuck_learners on stuck_learners.course_id = c.id
      left join (${selectHardQuestions()}) hard_questions on hard_questions.course_id = c.id`
}

/** Selects the stuck learners of each course, the ones who opened it most recently first. */
function selectStuckLearners(now: SQL): SQL {
  return sql`
    select course_id, array_agg(uid order by last_opened_at desc, uid) as stuck
    from (
      select course_id,
        uid,
        last_opened_at,
        row_number() over (partition by course_id order by last_opened_at desc, uid) as rank
      from (
        select course_id, uid, ${getLastOpenedAt(sql`e`)} as last_opened_at
        from enrollments e
        where completed_at is null
      ) unfinished_enrollments
      where last_opened_at < ${now} - make_interval(days => ${stuckAfterDays})
        and last_opened_at > ${now} - make_interval(days => ${givenUpAfterDays})
    ) stuck_enrollments
    where rank <= ${maxStuckLearners}::int
    group by 1`
}

/** Selects the questions of each course that the largest number of learners got wrong. */
function selectHardQuestions(): SQL {
  return sql`
    select course_id,
      jsonb_agg(
        jsonb_build_object('id', question_id, 'lessonId', lesson_id, 'missed', missed)
        order by missed desc, question_id) as questions
    from (
      select course_id,
        question_id,
        min(lesson_id) as lesson_id,
        count(*) as missed,
        row_number() over (
          partition by course_id
          order by count(*) desc, question_id) as rank
      from practice_cards
      group by 1, 2
    ) missed_questions
    where rank <= ${maxHardQuestions}::int
    group by 1`
}

type SchoolFigures = { activeNow: number; activeBefore: number; learners: number }

/** Counts all learners, and those who were active in the latest period and in the one before. */
async function countSchool(
  transaction: Transaction,
  now: SQL,
  timeZone: string,
): Promise<SchoolFigures> {
  const { rows } = await transaction.execute<SchoolFigures>(sql`
    select (select count(*)::int from users) as learners,
      count(distinct uid) filter (where day > ${getSchoolDay(now, timeZone)} - ${periodDays}::int)::int as "activeNow",
      count(distinct uid) filter (where day <= ${getSchoolDay(now, timeZone)} - ${periodDays}::int)::int as "activeBefore"
    from study_days
    where day > ${getSchoolDay(now, timeZone)} - ${figureDays}::int`)
  const [school] = rows
  if (!school) {
    throw new Error('A count has one row.')
  }

  return school
}
