import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'

export type EnrollmentsOf = { courses: string[]; completed: string[]; certificates: string[] }

/** The enrollments of many learners; who has none is left out. @param uids at most some thousands. */
export async function listEnrollmentsOf(
  db: Pick<Statements, 'execute'>,
  uids: readonly string[],
): Promise<Map<string, EnrollmentsOf>> {
  if (uids.length === 0) return new Map()
  const { rows } = await db.execute<{ uid: string } & EnrollmentsOf>(sql`
    select e.uid, json_agg(e.course_id order by e.course_id) as courses,
      coalesce(json_agg(e.course_id order by e.course_id) filter (where e.completed_at is not null), '[]') as completed,
      coalesce(json_agg(k.id order by k.id) filter (where k.id is not null), '[]') as certificates
    from enrollments e left join certificates k on k.uid = e.uid and k.course_id = e.course_id
    where e.uid = any(${sql.param([...uids])}::text[]) group by e.uid`)
  return new Map(rows.map(({ uid, ...enrollments }) => [uid, enrollments]))
}

/** Courses with the text in their ID or title, by ID, and how many learners are enrolled in each. */
export async function listCoursesByText(db: Pick<Statements, 'execute'>, text: string, limit: number) {
  const { rows } = await db.execute<{ id: string; title: string; published: boolean; learners: number }>(sql`
    select id, title, published,
      (select count(*)::int from enrollments where course_id = courses.id) as learners
    from courses where position(lower(${text.trim()}) in lower(id || ' ' || title)) > 0
    order by id limit ${limit}`)
  return rows
}

/** The courses that somebody may be enrolled in: every known ID, and whether it is published. */
export async function listEnrollable(
  db: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
): Promise<Map<string, { published: boolean }>> {
  const { rows } = await db.execute<{ id: string; published: boolean }>(sql`
    select id, published from courses where id = any(${sql.param([...new Set(courseIds)])}::text[])`)
  return new Map(rows.map(({ id, published }) => [id, { published }]))
}

/** IDs of the published courses that look most like one that was mistyped. */
export async function listSimilarCourses(db: Pick<Statements, 'execute'>, id: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from courses where published order by similarity(id, lower(${id})) desc, id limit 3`,
  )
  return rows.map((row) => row.id)
}
