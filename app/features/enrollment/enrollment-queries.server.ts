import { and, eq, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { wishes } from '~/server/database/schema'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { hasPaidOrder, sellsCourses } from './course-access.server'
import { courseProgressPercent } from './course-progress'
import { enrolledActivity } from './enrollment-messages'
import { learnerLimits } from './learner-limits'
import { lockCourseProgress, lockLearner } from './learner-locks.server'
import type { EnrolledCourse } from './own-courses'

/** With a price, while the school sells its courses. */
const isSold = sellsCourses ? sql`courses.price_cents > 0` : sql`false`

/**
 * Enrolls a learner; courses that do not exist, are not published, are still to be bought, or that
 * the learner has, change nothing, nor does what exceeds `learnerLimits`. Enrolling again, also in
 * a course that is no longer published, counts since the first time, which is stored as an
 * activity.
 *
 * @param courseIds one or several, for example what a visitor chose before signing in.
 * @param granted an operator gives the courses, whatever they cost.
 * @param bought the money is there, so that neither the limit nor the course's withdrawal keeps the
 * learner out.
 * @returns the ids of all courses among them that the learner is enrolled in now.
 */
export async function enrollLearner(
  db: Pick<Database, 'transaction'>,
  uid: string,
  courseIds: string | readonly string[],
  { granted = false, bought = false } = {},
): Promise<string[]> {
  const wanted = typeof courseIds === 'string' ? [courseIds] : [...new Set(courseIds)]
  if (wanted.length === 0) {
    return []
  }

  const rows = await db.transaction(async (transaction) => {
    await lockLearner(transaction, uid, 'enrollments')
    const { rows } = await transaction.execute<{ id: string; added: boolean }>(sql`
      with had as (
        select course_id from enrollments where uid = ${uid}
      ), wanted as (
        select id, title, (${isSold} or ${bought}) and not ${granted} as by_order from courses
        where id = any(${sql.param(wanted)}::text[]) and (published or ${bought}
          or exists (select from activities a where a.uid = ${uid} and a.id = 'enrollment:' || courses.id))
          and (not ${isSold} or ${granted} or ${hasPaidOrder(uid, sql`courses.id`)})
      ), room as (
        select id, title, by_order from wanted where id not in (select course_id from had) order by id
        limit case when ${bought} then null else greatest(0, ${learnerLimits.enrollments}::int - (select count(*) from had)) end
      ), enrolled as (
        insert into enrollments (uid, course_id, enrolled_at, by_order)
        select ${uid}::text, room.id, coalesce(a.at, now()), room.by_order from room
        left join activities a on a.uid = ${uid} and a.id = 'enrollment:' || room.id
        on conflict do nothing returning course_id
      ), given as (
        update enrollments set by_order = false
        where ${granted} and by_order and uid = ${uid} and course_id = any(${sql.param(wanted)}::text[])
      ), recorded as (
        insert into activities (uid, id, type, text)
        select ${uid}::text, 'enrollment:' || id, 'course', replace(${enrolledActivity('{course}')}, '{course}', title)
        from wanted join enrolled on course_id = id
        on conflict do nothing
      )
      select id, true as added from room
      union all select id, false from wanted where id in (select course_id from had)`)

    return rows
  })

  countEvent('enrollments', rows.filter(({ added }) => added).length)

  return rows.map(({ id }) => id)
}

/**
 * Enrolls many learners at once, free of charge. The caller checks that the courses are published,
 * and the limit.
 */
export async function enrollLearners(
  db: Pick<Statements, 'execute'>,
  wanted: readonly { uid: string; courseId: string }[],
): Promise<void> {
  if (wanted.length === 0) {
    return
  }

  const uids = sql.param(wanted.map(({ uid }) => uid))
  const courseIds = sql.param(wanted.map(({ courseId }) => courseId))
  const { rows } = await db.execute(sql`
    with wanted as (
      select uid, course_id from unnest(${uids}::text[], ${courseIds}::text[]) w (uid, course_id) order by 1, 2
    ), enrolled as (
      insert into enrollments (uid, course_id, enrolled_at)
      select w.uid, w.course_id, coalesce(a.at, now()) from wanted w
      left join activities a on a.uid = w.uid and a.id = 'enrollment:' || w.course_id
      on conflict do nothing returning uid, course_id
    ), recorded as (
      insert into activities (uid, id, type, text)
      select e.uid, 'enrollment:' || c.id, 'course', replace(${enrolledActivity('{course}')}, '{course}', c.title)
      from enrolled e join courses c on c.id = e.course_id
      on conflict do nothing
    )
    select uid from enrolled`)

  countEvent('enrollments', rows.length)
}

/**
 * Takes a course off a learner's list. The work in it stays, and counts again after another
 * enrollment. A completed course is part of the record and can't be left, nor can one whose exam is
 * under way.
 *
 * @returns `kept` if it can't be left; leaving a course without an enrollment succeeds.
 */
export function leaveCourse(db: Database, uid: string, courseId: string): Promise<'left' | 'kept'> {
  return db.transaction(async (transaction) => {
    await lockCourseProgress(transaction, uid, courseId)
    const {
      rows: [row],
    } = await transaction.execute<{ kept: boolean }>(sql`
      with gone as (
        delete from enrollments e
        where uid = ${uid} and course_id = ${courseId} and completed_at is null and not exists (
          select from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id and a.submitted_at is null)
        returning course_id
      )
      select exists (select from enrollments where uid = ${uid} and course_id = ${courseId})
        and not exists (select from gone) as kept`)

    return row?.kept ? 'kept' : 'left'
  })
}

/** Ids of the courses that a learner is enrolled in, last opened first. */
export async function listEnrolledCourseIds(db: Database, uid: string): Promise<string[]> {
  const { rows } = await db.execute<{ course_id: string }>(
    sql`select course_id from enrollments where uid = ${uid} order by last_accessed_at desc`,
  )
  return rows.map((row) => row.course_id)
}

/** How far a learner is in each of their courses, last opened first. */
export async function listEnrolledCourses(db: Database, uid: string): Promise<EnrolledCourse[]> {
  const { rows } = await db.execute<{
    id: string
    completed: boolean
    doneSeconds: number
    totalSeconds: number
  }>(sql`
    select course_id as id, e.completed_at is not null as completed, p.done_seconds as "doneSeconds",
      p.total_seconds as "totalSeconds"
    from enrollments e join course_progress p using (uid, course_id)
    where uid = ${uid} order by e.last_accessed_at desc`)

  return rows.map(({ id, completed, ...seconds }) => ({
    id,
    completed,
    percent: courseProgressPercent(seconds),
  }))
}

type LearnerEnrollments = { courses: string[]; completed: string[]; certificates: string[] }

/**
 * The enrollments of many learners; learners without any are left out.
 *
 * @param uids at most some thousands.
 */
export async function listEnrollmentsByLearner(
  db: Pick<Statements, 'execute'>,
  uids: readonly string[],
): Promise<Map<string, LearnerEnrollments>> {
  if (uids.length === 0) {
    return new Map()
  }

  const { rows } = await db.execute<{ uid: string } & LearnerEnrollments>(sql`
    select e.uid, json_agg(e.course_id order by e.course_id) as courses,
      coalesce(json_agg(e.course_id order by e.course_id) filter (where e.completed_at is not null), '[]') as completed,
      coalesce(json_agg(k.id order by k.id) filter (where k.id is not null), '[]') as certificates
    from enrollments e left join certificates k on k.uid = e.uid and k.course_id = e.course_id
    where e.uid = any(${sql.param([...uids])}::text[]) group by e.uid`)

  return new Map(rows.map(({ uid, ...enrollments }) => [uid, enrollments]))
}

/** Which of the courses exist, by ID, and whether each is published. */
export async function listCourseAvailability(
  db: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
): Promise<Map<string, { published: boolean }>> {
  const { rows } = await db.execute<{ id: string; published: boolean }>(sql`
    select id, published from courses where id = any(${sql.param([...new Set(courseIds)])}::text[])`)
  return new Map(rows.map(({ id, published }) => [id, { published }]))
}

/** Ids of the courses on a learner's wish list. */
export async function listWishedCourseIds(db: Database, uid: string): Promise<string[]> {
  const rows = await db.select({ id: wishes.courseId }).from(wishes).where(eq(wishes.uid, uid))
  return rows.map(({ id }) => id)
}

/**
 * Repeating a wish changes nothing, and neither does a course that does not exist.
 *
 * @returns `full` if it exceeds `learnerLimits`.
 */
export async function recordWish(
  db: Database,
  uid: string,
  courseId: string,
  wished: boolean,
): Promise<'full' | null> {
  if (!wished) {
    await db.delete(wishes).where(and(eq(wishes.uid, uid), eq(wishes.courseId, courseId)))
    return null
  }

  return db.transaction(async (transaction) => {
    await lockLearner(transaction, uid, 'wishes')
    const {
      rows: [row],
    } = await transaction.execute<{ full: boolean }>(sql`
      with others as (
        select count(*) >= ${learnerLimits.wishes}::int as are_full from wishes
        where uid = ${uid} and course_id <> ${courseId}
      ), added as (
        insert into wishes (uid, course_id) select ${uid}::text, id from courses
        where id = ${courseId} and published and not (select are_full from others)
        on conflict do nothing
      )
      select are_full as full from others`)

    return row?.full ? 'full' : null
  })
}

/**
 * A choice that waited in a browser names its learner, and another account may be signed in by now.
 * Plain forms have no name.
 *
 * @returns an answer that leaves the choice in the browser, or null.
 */
export function otherLearnerResponse(form: FormData, uid: string): Response | null {
  const owner = form.get('uid')
  return owner === null || owner === uid
    ? null
    : Response.json({ refusal: 'other-learner' }, { status: 403 })
}

/** IDs of the published courses that look most like one that was mistyped. */
export async function listSimilarCourseIds(
  db: Pick<Statements, 'execute'>,
  id: string,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from courses where published order by similarity(id, lower(${id})) desc, id limit 3`,
  )
  return rows.map((row) => row.id)
}
