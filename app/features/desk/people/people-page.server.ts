import { type SQL, sql } from 'drizzle-orm'
import { getStoredForms } from '~/features/accounts/email-address/email-address.server'
import type { Database } from '~/server/database/client.server'
import {
  type Cursor,
  createCursorCondition,
  formatCursorTime,
  readCursor,
  rowsPerPage,
  toPage,
} from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'
import { containsEveryWord, readFilterText } from '../text-search.server'

const statusConditions = {
  confirmed: sql`u.email_verified and not u.banned`,
  unconfirmed: sql`not u.email_verified and not u.banned`,
  disabled: sql`u.banned`,
  never: sql`u.last_login_at is null`,
}

const maxSuggestedCourses = 200

export type PeoplePageData = Awaited<ReturnType<typeof loadPeoplePage>>

/** Loads a page of the list of accounts, newest first. */
export async function loadPeoplePage({ db, search }: DeskRequest) {
  const filter = {
    text: readFilterText(search),
    status: search.get('state') ?? '',
    courseId: readFilterText(search, 'course'),
  }
  const [people, { rows: courses }] = await Promise.all([
    listPeople(db, { ...filter, cursor: readCursor(search) }),
    db.execute<{ id: string; title: string }>(sql`
      select id, title
      from courses
      order by id
      limit ${maxSuggestedCourses}`),
  ])

  return { filter, courses, ...toPage(people) }
}

export type PersonRow = {
  id: string
  name: string
  email: string
  isConfirmed: boolean
  isDisabled: boolean
  courseCount: number
  createdAt: string
  lastLoginAt: string | null
  cursorAt: string
}

type PeopleFilter = {
  /** Words of the name or the email address, or a uid. */
  text: string
  status: string
  courseId: string
  cursor: Cursor | null
}

/** Lists one account more than a page shows, which tells whether there is a next page. */
async function listPeople(db: Database, filter: PeopleFilter): Promise<PersonRow[]> {
  const { rows } = await db.execute<PersonRow>(sql`
    with page as materialized (
      select u.*
      from users u
      where ${sql.join(listConditions(filter), sql` and `)}
      order by u.created_at desc, u.id desc
      limit ${rowsPerPage + 1}
    )
    select u.id,
      u.name,
      u.email,
      u.email_verified as "isConfirmed",
      u.banned as "isDisabled",
      (select count(*)::int from enrollments e where e.uid = u.id) as "courseCount",
      ${formatCursorTime(sql`u.created_at`)} as "cursorAt",
      ${formatCursorTime(sql`u.created_at`)} as "createdAt",
      ${formatCursorTime(sql`u.last_login_at`)} as "lastLoginAt"
    from page u
    order by u.created_at desc, u.id desc`)

  return rows
}

function listConditions({ text, status, courseId, cursor }: PeopleFilter): SQL[] {
  const conditions = [createCursorCondition(cursor, sql`u.created_at`, sql`u.id`)]
  if (Object.hasOwn(statusConditions, status)) {
    conditions.push(statusConditions[status as keyof typeof statusConditions])
  }

  if (courseId) {
    conditions.push(sql`exists (
      select from enrollments e
      where e.uid = u.id and e.course_id = ${courseId})`)
  }

  if (text) {
    const isInEmailOrName = containsEveryWord(sql`u.email || ' ' || u.name`, text)
    // An email address may be typed with the letters of its domain, which is stored in ASCII.
    const storedForms = sql.param(getStoredForms(text))
    const isEmail = sql`u.email = any(${storedForms}::text[])`
    conditions.push(sql`(${isInEmailOrName} or ${isEmail} or u.id = ${text})`)
  }

  return conditions
}
