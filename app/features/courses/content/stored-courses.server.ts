import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { StoredCourse, StoredCourses } from './content-files.server'
import type { CourseOutline } from './course-folder.server'

/**
 * Returns the stored courses, so that only courses with changed files are read.
 *
 * A course can have aliases: the IDs that it had before. While a course is still stored under an
 * alias, the course with the new ID is left out here, so that it is read and takes over that row.
 */
export async function findStoredCourses(database: Database): Promise<StoredCourses> {
  // The subquery looks up each alias by the primary key. A join would compare every course with
  // every alias.
  const { rows: courses } = await database.execute<StoredCourse & { id: string }>(sql`
    select
      course_id as id,
      hash,
      outline -> 'aliases' as aliases,
      outline ->> 'portrait' as portrait,
      outline ->> 'category' as category
    from content_courses
    where not exists (
      select
      from jsonb_array_elements_text(outline -> 'aliases') as alias
      join courses on courses.id = alias
    )`)

  return {
    courses: new Map(courses.map(({ id, ...course }) => [id, course])),
    async findOutlines(ids) {
      const { rows } = await database.execute<{ outline: CourseOutline }>(sql`
        select outline
        from content_courses
        where course_id = any(${sql.param(ids)}::text[])`)

      return rows.map(({ outline }) => outline)
    },
  }
}
