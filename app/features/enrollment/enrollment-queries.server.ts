import { sql } from 'drizzle-orm'
import { lockCourseWork, lockList } from '~/features/progress/course-work-lock.server'
import { learnerLimits } from '~/features/progress/learner-limits'
import type { Database } from '~/server/database/client.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { enrolledActivity } from './enrollment-messages'

/**
 * Enrolls a learner; courses that do not exist, are not published, or have the learner already, change nothing, nor does
 * what exceeds `learnerLimits`. Who comes back, also to a course that is not published any more, counts as enrolled since
 * the first time, which the activity tells.
 *
 * @param courseIds one or several, for example what a visitor chose before signing in.
 * @returns the ids of all courses among them that the learner is enrolled in now.
 */
export async function enrollLearner(
  db: Database,
  uid: string,
  courseIds: string | readonly string[],
): Promise<string[]> {
  const wanted = typeof courseIds === 'string' ? [courseIds] : [...new Set(courseIds)]
  if (wanted.length === 0) return []
  const rows = await db.transaction(async (transaction) => {
    await lockList(transaction, 'enrollments', uid)
    const { rows } = await transaction.execute<{ id: string; added: boolean }>(sql`
      with had as (
        select course_id from enrollments where uid = ${uid}
      ), wanted as (
        select id, title from courses
        where id = any(${sql.param(wanted)}::text[]) and (published
          or exists (select from activities a where a.uid = ${uid} and a.id = 'enrollment:' || courses.id))
      ), room as (
        select id, title from wanted where id not in (select course_id from had) order by id
        limit greatest(0, ${learnerLimits.enrollments}::int - (select count(*) from had))
      ), enrolled as (
        insert into enrollments (uid, course_id, enrolled_at)
        select ${uid}::text, room.id, coalesce(a.at, now()) from room
        left join activities a on a.uid = ${uid} and a.id = 'enrollment:' || room.id
        on conflict do nothing returning course_id
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
 * Takes a course off a learner's list. What was done in it stays, and counts again once the learner enrolls again. A
 * completed course is part of the record and stays, as does one whose exam is under way.
 *
 * @returns `kept` if it stays; leaving what one is not enrolled in is done already.
 */
export function leaveCourse(db: Database, uid: string, courseId: string): Promise<'left' | 'kept'> {
  return db.transaction(async (transaction) => {
    await lockCourseWork(transaction, uid, courseId)
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
