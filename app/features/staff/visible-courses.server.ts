/**
 * Limits what a member of staff sees to their courses. Owners and managers, whose `courseIds` are
 * null, see all courses. A teacher sees only their own courses.
 */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import type { StaffMember } from './staff-queries.server'

/** Returns an SQL condition that is true for the rows whose course the member of staff sees. */
export function getVisibleCourseCondition(
  { courseIds }: Pick<StaffMember, 'courseIds'>,
  courseIdExpression: SQL,
): SQL {
  if (courseIds === null) {
    return sql`true`
  }

  return sql`${courseIdExpression} = any(${sql.param(courseIds)}::text[])`
}

/** Returns whether the member of staff sees the course. */
export function canSeeCourse(
  { courseIds }: Pick<StaffMember, 'courseIds'>,
  courseId: string,
): boolean {
  return courseIds === null || courseIds.includes(courseId)
}

/**
 * Returns the title of a course, or null if it does not exist or the member of staff does not see
 * it.
 */
export async function findVisibleCourseTitle(
  db: Pick<Database, 'select'>,
  member: Pick<StaffMember, 'courseIds'>,
  courseId: string,
): Promise<string | null> {
  if (!canSeeCourse(member, courseId)) {
    return null
  }

  const [course] = await db
    .select({ title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))

  return course?.title ?? null
}
