import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { Renderings } from '~/server/renderings.server'
import { indexFormat } from './search/index-builder'
import { sitemapPartLength } from './sitemap'

/** A part of 50,000 courses takes a connection for a second, and 20 MB: visitors go before crawlers. */
const partsAtOnce = new Renderings(2)

/**
 * The parts of the list of all courses that search engines may know: so many places of the search index each, which knows
 * their dates, so that a million courses cost no more than twelve.
 *
 * @returns each part's name and the date of its last change, YYYY-MM-DD.
 */
export async function listSitemapParts(db: Database): Promise<{ name: string; lastUpdated: string }[]> {
  const { rows } = await db.execute<{
    name: string
    lastUpdated: string
  }>(sql`select split_part(segment, '/', 1) || '-' || number - 1 as name, date as "lastUpdated"
      from search_segments join search_sets using (segment),
        string_to_table(convert_from(members, 'UTF8'), E'\n') with ordinality as parts(date, number)
      where format = ${indexFormat} and kind = 'sitemap' and date <> '' order by segment, number`)
  return rows
}

/**
 * The courses of a part, the most popular first.
 *
 * @returns none if there is no such part; 'busy' while others are listed.
 */
export async function listSitemapPart(
  db: Database,
  name: string,
  length = sitemapPartLength,
): Promise<{ id: string; lastUpdated: string }[] | 'busy'> {
  const [, segment, part] = /^([a-z]+)-(0|[1-9]\d{0,3})$/.exec(name) ?? []
  if (!segment) return []
  if (partsAtOnce.areFull) return 'busy'
  const from = Number(part) * length
  const query = sql`select courses.id, last_updated::text as "lastUpdated"
      from search_places p join courses on courses.id = p.course_id
      where p.segment = ${`${segment}/${indexFormat}`} and p.place >= ${from}::int and p.place < ${from + length}::int
        and published and in_catalogue
      order by p.place`
  const { rows } = await partsAtOnce.run(() => db.execute<{ id: string; lastUpdated: string }>(query))
  return rows
}
