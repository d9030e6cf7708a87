import { type SQL, sql } from 'drizzle-orm'
import type { StaffMember } from '~/features/staff/staff-queries.server'

/** The condition that a member of staff may see a course. @param courseId the column. */
export function isOwnCourse({ courseIds }: Pick<StaffMember, 'courseIds'>, courseId: SQL): SQL {
  return courseIds === null ? sql`true` : sql`${courseId} = any(${sql.param(courseIds)}::text[])`
}

export function seesCourse(
  { courseIds }: Pick<StaffMember, 'courseIds'>,
  courseId: string,
): boolean {
  return courseIds === null || courseIds.includes(courseId)
}
