import { sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'

/**
 * Where a course, or a lesson of it, went that had these ids before (`aliases`).
 *
 * @returns null if none of them is an old one.
 */
export async function findMoved(
  db: Pick<Database, 'execute'>,
  courseId: string,
  lessonId = '',
): Promise<{ courseId: string; lessonId: string } | null> {
  const {
    rows: [moved],
  } = await db.execute<{ courseId: string; lessonId: string }>(sql`
    with course as (select coalesce((select course_id from course_aliases where alias = ${courseId}), ${courseId}) as id)
    select c.id as "courseId", coalesce(
      (select a.lesson_id from lesson_aliases a where a.course_id = c.id and a.alias = ${lessonId}), ${lessonId}) as "lessonId"
    from course c`)
  return moved && (moved.courseId !== courseId || moved.lessonId !== lessonId) ? moved : null
}
