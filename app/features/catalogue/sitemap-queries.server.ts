import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { executePrepared } from '~/server/database/prepared.server'

/** As many as a part may list: https://www.sitemaps.org/protocol.html. */
const longestPart = 50_000

/**
 * The parts of the list of all courses that search engines may know: published and in the catalogue, by id.
 *
 * @returns each part's first course and the date of its last change, YYYY-MM-DD.
 */
export async function listSitemapParts(
  db: Database,
  length = longestPart,
): Promise<{ first: string; lastUpdated: string }[]> {
  return executePrepared(
    db,
    sql`select min(id) as first, max(last_updated)::text as "lastUpdated"
      from (
        select id, last_updated, (row_number() over (order by id) - 1) / ${length}::int as part
        from courses where published and in_catalogue
      ) listed
      group by part order by part`,
  )
}

/** A part's courses: the one that is first in it, and those after it. */
export async function listSitemapPart(
  db: Database,
  first: string,
  length = longestPart,
): Promise<{ id: string; lastUpdated: string }[]> {
  return executePrepared(
    db,
    sql`select id, last_updated::text as "lastUpdated" from courses
      where published and in_catalogue and id >= ${first}
      order by id limit ${length}::int`,
  )
}
