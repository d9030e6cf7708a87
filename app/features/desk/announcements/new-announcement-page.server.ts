import { sql } from 'drizzle-orm'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import { isVisibleCourse } from '../courses/visible-courses.server'
import type { DeskRequest } from '../desk-request.server'

const mostCourses = 500

/**
 * The courses to choose from, by title.
 *
 * @param chosen is always listed, even where not all courses fit.
 */
export async function listOfferedCourses(
  db: Pick<Database, 'execute'>,
  staff: StaffMember,
  chosen: string | null,
) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select c.id, c.title from courses c where ${isVisibleCourse(staff, sql`c.id`)}
    order by c.id = ${chosen ?? ''} desc, c.title limit ${mostCourses}`)
  return rows.toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
}

export async function loadNewAnnouncementPage({ db, staff, search }: DeskRequest) {
  const course = search.get('course')
  const courses = await listOfferedCourses(db, staff, course)
  const chosen = courses.find(({ id }) => id === course)?.id ?? null

  return { courses, chosen, seesSchool: staff.courseIds === null }
}

export type NewAnnouncementPageData = NonNullable<
  Awaited<ReturnType<typeof loadNewAnnouncementPage>>
>
