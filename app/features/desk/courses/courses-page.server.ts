/** The page of all courses: the actions on several courses, and the list with its filter. */
import { type SQL, sql } from 'drizzle-orm'
import { withdrawCourses } from '~/features/catalog/course-actions.server'
import { setHomeCourses } from '~/features/catalog/home-courses-action.server'
import { coursesPerShelf } from '~/features/catalog/shelf-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { getVisibleCourseCondition } from '~/features/staff/visible-courses.server'
import type { Database } from '~/server/database/client.server'
import { rowsPerPage } from '~/server/database/list-pages.server'
import { homeCourses } from '~/server/database/schema'
import { failure } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { maxCourseCheckboxes } from '../courses-field'
import { type DeskAction, type DeskFormRequest, readCourseIds, readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import { findCountedAt } from '../figures.server'
import { containsEveryWord, readFilterText } from '../text-search.server'

/** The actions of the courses page. */
export const coursesActions = {
  home: { permission: 'change courses', needsRecentSignIn: false, perform: setHomeCoursesFromForm },
  withdraw: {
    permission: 'change courses',
    needsRecentSignIn: false,
    perform: withdrawChosenCourses,
  },
} satisfies Record<string, DeskAction>

/** Stores which courses Home shows first, in the order of the form's fields. */
async function setHomeCoursesFromForm({ form, actionContext }: DeskFormRequest) {
  // The page's own form always sends its fields. An empty request must not clear the list.
  if (!form.has('course')) {
    return failure('Choose courses.')
  }

  const courseIds = form.getAll('course').map((courseId) => String(courseId).trim())
  const chosenIds = courseIds.filter((courseId) => courseId !== '')

  const displayedIds = readText({ form }, 'displayed').split(' ').filter(Boolean)

  return setHomeCourses(actionContext, { courseIds: chosenIds, displayedIds })
}

async function withdrawChosenCourses({ form, actionContext }: DeskFormRequest) {
  const courseIds = readCourseIds({ form })
  if (courseIds.length === 0) {
    return failure('Choose courses.')
  }

  return withdrawCourses(actionContext, courseIds)
}

export type CoursesPageData = Awaited<ReturnType<typeof loadCoursesPage>>

/** Loads the courses that the member of staff sees, those with the most learners first. */
export async function loadCoursesPage({ db, staff, search }: DeskRequest) {
  const filter = { text: readFilterText(search), status: search.get('state') ?? '' }
  const canChangeCourses = hasPermission(staff, 'change courses')
  const [countedAt, { rows, next }, homeChoice, publishedCourses] = await Promise.all([
    findCountedAt(db),
    listCourses(db, staff, { ...filter, cursor: parseCursor(search.get('after')) }),
    canChangeCourses ? loadHomeChoice(db) : null,
    canChangeCourses ? listPublishedCourses(db) : [],
  ])

  const canSeeRevenue = hasPermission(staff, 'see revenue')
  return {
    countedAt,
    filter,
    rows: canSeeRevenue ? rows : rows.map((row) => ({ ...row, revenueMinor: 0 })),
    next,
    currency: siteCurrency(),
    canSeeRevenue,
    homeChoice,
    publishedCourses,
  }
}

type CourseRow = {
  id: string
  title: string
  published: boolean
  /** Is null for a course that is not in the catalog. */
  rating: number | null
  /**
   * The numbers of all learners, of those who opened it in the last 30 days, and of those who
   * completed it.
   */
  learners: number
  active: number
  completed: number
  revenueMinor: number
}

/** The last course of the previous page. */
type CourseCursor = { learners: number; id: string }

type CourseFilter = { text: string; status: string; cursor: CourseCursor | null }

async function listCourses(db: Database, staff: StaffMember, filter: CourseFilter) {
  const conditions = listConditions(staff, filter)

  // One course more than a page shows tells whether there is a next page.
  const { rows } = await db.execute<CourseRow>(sql`
    select c.id,
      c.title,
      c.published,
      s.rating::float8 as rating,
      coalesce(d.learners, 0) as learners,
      coalesce(d.active, 0) as active,
      coalesce(d.completed, 0) as completed,
      coalesce(d.revenue_minor, 0)::float8 as "revenueMinor"
    from courses c
      left join desk_courses d on d.course_id = c.id
      left join course_search s on s.course_id = c.id
    where ${sql.join(conditions, sql` and `)}
    order by -coalesce(d.learners, 0), c.id
    limit ${rowsPerPage + 1}`)

  const rowsOnPage = rows.slice(0, rowsPerPage)
  const lastRow = rowsOnPage.at(-1)
  const hasNextPage = rows.length > rowsPerPage

  return { rows: rowsOnPage, next: hasNextPage && lastRow ? formatCursor(lastRow) : null }
}

function listConditions(staff: StaffMember, { text, status, cursor }: CourseFilter): SQL[] {
  const conditions = [getVisibleCourseCondition(staff, sql`c.id`)]
  if (text) {
    conditions.push(containsEveryWord(sql`c.id || ' ' || c.title`, text))
  }

  if (status === 'published') {
    conditions.push(sql`c.published`)
  }

  if (status === 'withdrawn') {
    conditions.push(sql`not c.published`)
  }

  if (cursor) {
    conditions.push(
      sql`(-coalesce(d.learners, 0), c.id) > (${-cursor.learners}::int, ${cursor.id})`,
    )
  }

  return conditions
}

function formatCursor({ learners, id }: CourseCursor): string {
  return `${learners}~${id}`
}

/** Returns null for the first page, and for a text that is no cursor. */
function parseCursor(text: string | null): CourseCursor | null {
  const [, learners, id] = /^(\d{1,9})~([\w.~-]{1,200})$/.exec(text ?? '') ?? []
  return learners && id ? { learners: Number(learners), id } : null
}

/** The largest number of courses that a form lists. */
const maxListedCourses = 500

/** Loads the courses that Home shows first, and the courses to choose from. */
async function loadHomeChoice(db: Database) {
  const { rows: courses } = await db.execute<{ id: string; title: string }>(sql`
    select id, title
    from courses c
    where published and in_catalogue
    order by not exists (select from home_courses where course_id = c.id),
      title,
      id
    limit ${maxListedCourses}`)
  const chosenRows = await db.select().from(homeCourses).orderBy(homeCourses.place)

  return {
    placeCount: coursesPerShelf,
    chosenIds: chosenRows.map(({ courseId }) => courseId),
    courses,
  }
}

/** Returns the courses that can be withdrawn, by title. */
async function listPublishedCourses(db: Database) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select id, title
    from courses
    where published
    order by title, id
    limit ${maxCourseCheckboxes}`)

  return rows
}
