/** Finds out which of the course IDs that somebody has entered exist. */
import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'

/** Returns whether each course is published, by course ID. Unknown courses are not in the map. */
export async function listCourseAvailability(
  db: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
): Promise<Map<string, { published: boolean }>> {
  const { rows } = await db.execute<{ id: string; published: boolean }>(sql`
    select id, published
    from courses
    where id = any(${sql.param([...new Set(courseIds)])}::text[])`)

  return new Map(rows.map(({ id, published }) => [id, { published }]))
}

/** Lists the IDs of the published courses that are most similar to a mistyped course ID. */
export async function listSimilarCourseIds(
  db: Pick<Statements, 'execute'>,
  mistypedId: string,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id
    from courses
    where published
    order by similarity(id, lower(${mistypedId})) desc, id
    limit 3`)

  return rows.map(({ id }) => id)
}
