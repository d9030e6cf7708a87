import { sql } from 'drizzle-orm'
import { createLikePattern } from '~/features/catalog/search/search-source.server'
import type { Database } from '~/server/database/client.server'
import {
  type Cursor,
  cursorTime,
  cutPage,
  filterText,
  isAfter,
  pageRows,
  readCursor,
} from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'

const states = {
  confirmed: sql`u.email_verified and not u.banned`,
  unconfirmed: sql`not u.email_verified and not u.banned`,
  disabled: sql`u.banned`,
  never: sql`u.last_login_at is null`,
}

export type PersonRow = {
  id: string
  name: string
  email: string
  confirmed: boolean
  disabled: boolean
  courses: number
  createdAt: string
  lastLoginAt: string | null
  cursorAt: string
}

type Filter = { text: string; state: string; course: string; cursor: Cursor | null }

/** Accounts, the newest first. The text is searched in name and address, and as uid. */
async function listPeople(
  db: Database,
  { text, state, course, cursor }: Filter,
): Promise<PersonRow[]> {
  const wanted = [
    isAfter(cursor, sql`u.created_at`, sql`u.id`),
    Object.hasOwn(states, state) && states[state as keyof typeof states],
    course &&
      sql`exists (select from enrollments e where e.uid = u.id and e.course_id = ${course})`,
    text &&
      sql`(lower(u.email || ' ' || u.name) like lower(${createLikePattern(text)}) or u.id = ${text})`,
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await db.execute<PersonRow>(sql`
    with page as materialized (
      select u.* from users u where ${sql.join(wanted, sql` and `)}
      order by u.created_at desc, u.id desc limit ${pageRows + 1})
    select u.id, u.name, u.email, u.email_verified as confirmed, u.banned as disabled,
      (select count(*)::int from enrollments e where e.uid = u.id) as courses,
      ${cursorTime(sql`u.created_at`)} as "cursorAt", ${cursorTime(sql`u.created_at`)} as "createdAt",
      ${cursorTime(sql`u.last_login_at`)} as "lastLoginAt"
    from page u order by u.created_at desc, u.id desc`)

  return rows
}

const mostSuggested = 200

export async function loadPeoplePage({ db, search }: DeskRequest) {
  const filter = {
    text: filterText(search),
    state: search.get('state') ?? '',
    course: filterText(search, 'course'),
  }
  const [people, { rows: courses }] = await Promise.all([
    listPeople(db, { ...filter, cursor: readCursor(search) }),
    db.execute<{ id: string; title: string }>(
      sql`select id, title from courses order by id limit ${mostSuggested}`,
    ),
  ])

  return { filter, courses, ...cutPage(people) }
}

export type PeoplePageData = NonNullable<Awaited<ReturnType<typeof loadPeoplePage>>>
