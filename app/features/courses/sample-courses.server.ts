import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'

/** The IDs of the courses that Learnify comes with. */
export const sampleCourseIds = [
  'business-strategy-essentials',
  'complete-web-development',
  'content-and-search',
  'data-structures-and-algorithms',
  'design-systems-that-last',
  'digital-marketing-essentials',
  'financial-modelling',
  'interface-design-fundamentals',
  'machine-learning-foundations',
  'photography-light-and-composition',
  'project-management-in-practice',
  'python-from-zero',
  'typography-for-screens',
]

export type SampleCourse = {
  id: string
  published: boolean
  /** Whether the desk has withdrawn the course, so that it can be published again. */
  isWithdrawnByDesk: boolean
}

/** Lists the sample courses that are in the content folder. */
export async function listSampleCourses(db: Pick<Statements, 'execute'>): Promise<SampleCourse[]> {
  const { rows } = await db.execute<SampleCourse>(sql`
    select c.id,
      c.published,
      coalesce(not o.published, false) as "isWithdrawnByDesk"
    from courses c
      join content_courses content on content.course_id = c.id
      left join course_offers o on o.course_id = c.id
    where c.id = any(${sql.param(sampleCourseIds)}::text[])
    order by c.id`)

  return rows
}

/** Returns whether the content folder has a course that Learnify does not come with. */
export async function hasOwnCourse(db: Pick<Statements, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute<{ hasOwnCourse: boolean }>(sql`
    select exists (
      select
      from content_courses
      where course_id <> all(${sql.param(sampleCourseIds)}::text[])
    ) as "hasOwnCourse"`)

  return rows[0]?.hasOwnCourse ?? false
}
