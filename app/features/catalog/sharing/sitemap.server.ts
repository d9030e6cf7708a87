/**
 * The sitemap for search engines: https://www.sitemaps.org/protocol.html.
 *
 * An index names the parts. One part has the pages that aren't courses, and the others have the
 * courses, as many in each as the protocol allows.
 */
import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { listRows } from '../search/search-transaction.server'

type SitemapEntry = {
  url: string
  /** The date of the last change, as YYYY-MM-DD. Null if it is unknown. */
  lastChange: string | null
}

/** The paths of the pages that aren't courses. */
export const sitemapPages = [
  '/',
  '/AllCourses',
  '/OneCourse',
  '/Instructor',
  '/Login',
  '/SignUp',
  '/Terms',
  '/Privacy',
]

/** The maximum number of URLs in a part. */
const maxPartLength = 50_000

/** The name of the part with `sitemapPages`. The names of the other parts have a number. */
export const pagesPartName = 'Pages'

/** Returns the XML of a part. */
export function formatSitemap(entries: readonly SitemapEntry[]): string {
  return formatXml('urlset', 'url', entries)
}

/** Returns the XML of the index. */
export function formatSitemapIndex(parts: readonly SitemapEntry[]): string {
  return formatXml('sitemapindex', 'sitemap', parts)
}

function formatXml(
  listElement: string,
  itemElement: string,
  entries: readonly SitemapEntry[],
): string {
  const items = entries.map(({ url, lastChange }) => {
    const lastmod = lastChange === null ? '' : `<lastmod>${lastChange}</lastmod>`
    return `<${itemElement}><loc>${escapeXml(url)}</loc>${lastmod}</${itemElement}>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<${listElement} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items.join('')}</${listElement}>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** SQL that is true for the courses that search engines may know. */
const isListed = sql`published and in_catalogue`

/** Returns the parts with courses, and the date of the last change in each of them. */
export async function listSitemapParts(
  db: Database,
): Promise<{ name: string; lastUpdated: string }[]> {
  return listRows(
    db,
    sql`
      select 'content-' || part as name, max(last_updated)::text as "lastUpdated"
      from (
        select
          last_updated,
          (row_number() over (order by id) - 1) / ${maxPartLength}::int as part
        from courses
        where ${isListed}
      ) numbered
      group by part
      order by part`,
  )
}

/**
 * A full part occupies a database connection for a second, and its response has 20 MB. The limit
 * keeps crawlers from taking all connections from visitors.
 */
const partLimit = limitConcurrency(2, { name: 'sitemaps' })

/**
 * Returns the courses of a part.
 *
 * @returns an empty list if there is no such part, or 'busy' if too many parts are being read
 */
export async function listSitemapPart(
  db: Database,
  name: string,
  partLength = maxPartLength,
): Promise<{ id: string; lastUpdated: string }[] | 'busy'> {
  const [, number] = /^content-(0|[1-9]\d{0,3})$/.exec(name) ?? []
  if (number === undefined) {
    return []
  }

  if (partLimit.isFull) {
    return 'busy'
  }

  return partLimit.run(() =>
    listRows(
      db,
      sql`
        select id, last_updated::text as "lastUpdated"
        from courses
        where ${isListed}
        order by id
        offset ${Number(number) * partLength}::int
        limit ${partLength}::int`,
    ),
  )
}
