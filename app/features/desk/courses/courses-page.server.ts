import { sql } from 'drizzle-orm'
import { likePattern } from '~/features/catalog/search/search-source.server'
import { shelfLength } from '~/features/catalog/shelf-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import type { Database } from '~/server/database/client.server'
import { filterText, pageRows } from '~/server/database/list-pages.server'
import { homeCourses } from '~/server/database/schema'
import { failure } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import type { DeskAction, SubmittedForm } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { findCountedAt } from '../figures.server'
import { arrangeHome } from './course-actions.server'
import { isOwnCourse } from './own-courses.server'

export type CourseRow = {
  id: string
  title: string
  published: boolean
  /** As pages show it; null for a course that is in no list. */
  rating: number | null
  learners: number
  active: number
  completed: number
  revenueMinor: number
}

const cursorShape = /^(\d{1,9})~([\w.~-]{1,200})$/

export const coursesActions = {
  home: { permission: 'change courses', isSensitive: false, perform: arrangeSubmittedHome },
} satisfies Record<string, DeskAction>

async function arrangeSubmittedHome({ form, actionContext }: SubmittedForm) {
  // The page's own form always sends its fields. An empty request must not clear the list.
  if (!form.has('course')) {
    return failure('Choose courses.')
  }

  const ids = form.getAll('course').map((id) => String(id).trim())
  return arrangeHome(actionContext, ids.filter(Boolean))
}

export async function loadCoursesPage({ db, staff, search }: DeskRequest) {
  const text = filterText(search)
  const state = search.get('state') ?? ''
  const [, learners, id] = cursorShape.exec(search.get('after') ?? '') ?? []
  const wanted = [
    isOwnCourse(staff, sql`c.id`),
    text && sql`lower(c.id || ' ' || c.title) like lower(${likePattern(text)})`,
    state === 'published' && sql`c.published`,
    state === 'withdrawn' && sql`not c.published`,
    id && sql`(-coalesce(d.learners, 0), c.id) > (${-Number(learners)}::int, ${id})`,
  ].filter((condition) => typeof condition === 'object')
  const mayChange = hasPermission(staff, 'change courses')
  const home = mayChange ? await listHome(db) : null
  const { rows } = await db.execute<CourseRow>(sql`
    select c.id, c.title, c.published, s.rating::float8 as rating, coalesce(d.learners, 0) as learners,
      coalesce(d.active, 0) as active, coalesce(d.completed, 0) as completed,
      coalesce(d.revenue_minor, 0)::float8 as "revenueMinor"
    from courses c left join desk_courses d on d.course_id = c.id left join course_search s on s.course_id = c.id
    where ${sql.join(wanted, sql` and `)}
    order by -coalesce(d.learners, 0), c.id limit ${pageRows + 1}`)
  const showsRevenue = hasPermission(staff, 'see revenue')
  const shown = rows
    .slice(0, pageRows)
    .map((row) => (showsRevenue ? row : { ...row, revenueMinor: 0 }))
  const last = shown.at(-1)

  return {
    countedAt: await findCountedAt(db),
    filter: { text, state },
    rows: shown,
    next: rows.length > pageRows && last ? `${last.learners}~${last.id}` : null,
    currency: siteCurrency(),
    showsRevenue,
    home,
  }
}

const mostToChooseFrom = 500

/** The courses chosen for Home, and those to choose from. */
async function listHome(db: Database) {
  const { rows: offered } = await db.execute<{ id: string; title: string }>(
    sql`select id, title from courses c where published and in_catalogue
      order by not exists (select from home_courses where course_id = c.id), title, id limit ${mostToChooseFrom}`,
  )
  const chosen = await db.select().from(homeCourses).orderBy(homeCourses.place)
  return { places: shelfLength, chosen: chosen.map(({ courseId }) => courseId), offered }
}

export type CoursesPageData = NonNullable<Awaited<ReturnType<typeof loadCoursesPage>>>
