import { type SQL, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { hasPaidOrder, sellsCourses } from './course-access.server'
import { courseProgressPercent } from './course-progress'
import { enrolledActivity } from './enrollment-messages'
import { learnerLimits } from './learner-limits'
import { lockCourseProgress, lockLearner } from './learner-locks.server'
import type { EnrolledCourse } from './own-courses'

/**
 * Enrolls a learner in one or several courses.
 *
 * Skips courses that don't exist, are not published, have to be bought first, or exceed
 * `learnerLimits`. A learner who was enrolled before can enroll again, even in a course that is no
 * longer published. The first enrollment is stored as an activity, and its date counts.
 *
 * @param options.isFreeOfCharge enrolls without an order, whatever the courses cost
 * @param options.isPaid enrolls although the limit is reached or the course was taken off sale,
 *   because the learner has paid
 * @returns the IDs of the given courses in which the learner is enrolled now
 */
export async function enrollLearner(
  db: Pick<Database, 'transaction'>,
  uid: string,
  courseIds: string | readonly string[],
  { isFreeOfCharge = false, isPaid = false } = {},
): Promise<string[]> {
  const requestedIds = typeof courseIds === 'string' ? [courseIds] : [...new Set(courseIds)]
  if (requestedIds.length === 0) {
    return []
  }

  // These conditions are for a row of `courses`.
  const isForSale = sellsCourses() ? sql`courses.price_cents > 0` : sql`false`
  const wasEnrolledBefore = sql`exists (
          select from activities a
          where a.uid = ${uid} and a.id = 'enrollment:' || courses.id
        )`

  const enrolledCourses = await db.transaction(async (transaction) => {
    await lockLearner(transaction, uid, 'enrollments')

    // `by_order` says that the access ends with the paid order. An enrollment free of charge gives
    // access by itself, even to a learner who has bought the course (`granted_enrollments`).
    const { rows } = await transaction.execute<{ id: string; isNew: boolean }>(sql`
      with earlier_enrollments as (
        select course_id
        from enrollments
        where uid = ${uid}
      ), allowed_courses as (
        select
          id,
          title,
          (${isForSale} or ${isPaid}) and not ${isFreeOfCharge} as by_order
        from courses
        where id = any(${sql.param(requestedIds)}::text[])
          and (published or ${isPaid} or ${wasEnrolledBefore})
          and (not ${isForSale} or ${isFreeOfCharge} or ${hasPaidOrder(uid, sql`courses.id`)})
      ), new_courses as (
        select id, title, by_order
        from allowed_courses
        where id not in (select course_id from earlier_enrollments)
        order by id
        limit case
          when ${isPaid} then null
          else greatest(
            0,
            ${learnerLimits.enrollments}::int - (select count(*) from earlier_enrollments)
          )
        end
      ), new_enrollments as (
        insert into enrollments (uid, course_id, enrolled_at, last_accessed_at, by_order)
        select
          ${uid}::text,
          c.id,
          coalesce(a.at, now()),
          coalesce(a.at, now()),
          c.by_order
        from new_courses c
        left join activities a on a.uid = ${uid} and a.id = 'enrollment:' || c.id
        on conflict do nothing
        returning course_id
      ), granted_enrollments as (
        update enrollments
        set by_order = false
        where ${isFreeOfCharge}
          and by_order
          and uid = ${uid}
          and course_id = any(${sql.param(requestedIds)}::text[])
      ), new_activities as (
        insert into activities (uid, id, type, text)
        select
          ${uid}::text,
          'enrollment:' || id,
          'course',
          replace(${enrolledActivity('{course}')}, '{course}', title)
        from allowed_courses
        join new_enrollments on course_id = id
        on conflict do nothing
      )
      select id, true as "isNew" from new_courses
      union all
      select id, false from allowed_courses
      where id in (select course_id from earlier_enrollments)`)

    return rows
  })

  countEvent('enrollments', enrolledCourses.filter(({ isNew }) => isNew).length)

  return enrolledCourses.map(({ id }) => id)
}

/**
 * Enrolls many learners at once, free of charge.
 *
 * The caller checks that the courses are published and that nobody exceeds `learnerLimits`.
 */
export async function enrollLearners(
  db: Pick<Statements, 'execute'>,
  enrollments: readonly { uid: string; courseId: string }[],
): Promise<void> {
  if (enrollments.length === 0) {
    return
  }

  const uids = sql.param(enrollments.map(({ uid }) => uid))
  const courseIds = sql.param(enrollments.map(({ courseId }) => courseId))
  const { rows } = await db.execute(sql`
    with requested as (
      select uid, course_id
      from unnest(${uids}::text[], ${courseIds}::text[]) r (uid, course_id)
      order by 1, 2
    ), new_enrollments as (
      insert into enrollments (uid, course_id, enrolled_at, last_accessed_at)
      select r.uid, r.course_id, coalesce(a.at, now()), coalesce(a.at, now())
      from requested r
      left join activities a on a.uid = r.uid and a.id = 'enrollment:' || r.course_id
      on conflict do nothing
      returning uid, course_id
    ), new_activities as (
      insert into activities (uid, id, type, text)
      select e.uid, 'enrollment:' || c.id, 'course',
        replace(${enrolledActivity('{course}')}, '{course}', c.title)
      from new_enrollments e
      join courses c on c.id = e.course_id
      on conflict do nothing
    )
    select uid from new_enrollments`)

  countEvent('enrollments', rows.length)
}

/**
 * Ends an enrollment. The learner's progress is kept and counts again after another enrollment.
 *
 * A completed course is part of the learner's record, so it can't be left. Neither can a course
 * whose exam is in progress.
 *
 * @returns `not-allowed` if the course can't be left; leaving a course without an enrollment
 *   succeeds
 */
export function leaveCourse(
  db: Database,
  uid: string,
  courseId: string,
): Promise<'left' | 'not-allowed'> {
  return db.transaction(async (transaction) => {
    await lockCourseProgress(transaction, uid, courseId)
    const {
      rows: [row],
    } = await transaction.execute<{ isStillEnrolled: boolean }>(sql`
      with deleted as (
        delete from enrollments e
        where uid = ${uid} and course_id = ${courseId} and completed_at is null
          and not exists (
            select from exam_attempts a
            where a.uid = e.uid and a.course_id = e.course_id and a.submitted_at is null)
        returning course_id
      )
      select
        exists (select from enrollments where uid = ${uid} and course_id = ${courseId})
        and not exists (select from deleted) as "isStillEnrolled"`)

    return row?.isStillEnrolled ? 'not-allowed' : 'left'
  })
}

/** Lists the IDs of the courses that a learner is enrolled in. The last opened course is first. */
export async function listEnrolledCourseIds(db: Database, uid: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select course_id as id
    from enrollments
    where uid = ${uid}
    order by last_accessed_at desc`)

  return rows.map(({ id }) => id)
}

/** Lists a learner's courses with the progress in each. The last opened course is first. */
export async function listEnrolledCourses(db: Database, uid: string): Promise<EnrolledCourse[]> {
  const { rows } = await db.execute<{
    id: string
    completed: boolean
    doneSeconds: number
    totalSeconds: number
  }>(sql`
    select
      course_id as id,
      e.completed_at is not null as completed,
      p.done_seconds as "doneSeconds",
      p.total_seconds as "totalSeconds"
    from enrollments e
    join course_progress p using (uid, course_id)
    where uid = ${uid}
    order by e.last_accessed_at desc`)

  return rows.map(({ id, completed, doneSeconds, totalSeconds }) => ({
    id,
    completed,
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
  }))
}

type LearnerEnrollments = {
  courseIds: string[]
  completedCourseIds: string[]
  certificateIds: string[]
}

/**
 * Lists the enrollments of many learners by uid. Learners without an enrollment are not in the map.
 *
 * @param uids at most a few thousand
 */
export async function listEnrollmentsByLearner(
  db: Pick<Statements, 'execute'>,
  uids: readonly string[],
): Promise<Map<string, LearnerEnrollments>> {
  if (uids.length === 0) {
    return new Map()
  }

  const { rows } = await db.execute<{ uid: string } & LearnerEnrollments>(sql`
    select
      e.uid,
      json_agg(e.course_id order by e.course_id) as "courseIds",
      coalesce(
        json_agg(e.course_id order by e.course_id) filter (where e.completed_at is not null),
        '[]') as "completedCourseIds",
      coalesce(
        json_agg(c.id order by c.id) filter (where c.id is not null),
        '[]') as "certificateIds"
    from enrollments e
    left join certificates c on c.uid = e.uid and c.course_id = e.course_id
    where e.uid = any(${sql.param([...uids])}::text[])
    group by e.uid`)

  return new Map(rows.map(({ uid, ...enrollments }) => [uid, enrollments]))
}

/**
 * Returns when the learner of an enrollment last opened the course, or null if they never have.
 * Every query that asks for the last visit to a course uses this expression.
 *
 * Enrolling alone is no visit: it sets `last_accessed_at` to the time of the enrollment.
 *
 * @param enrollment the name or alias of the table `enrollments` in the query
 */
export function getLastOpenedAt(enrollment: SQL): SQL {
  return sql`(case
    when ${enrollment}.last_accessed_at > ${enrollment}.enrolled_at
    then ${enrollment}.last_accessed_at
  end)`
}
