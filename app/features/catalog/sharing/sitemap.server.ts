import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { listRows } from '../search/search-transaction.server'

/** An address for search engines; the date (YYYY-MM-DD) is of its last change. */
type SitemapEntry = { address: string; date: string | null }

/** The pages that are no course. */
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

/** The most addresses in a part: https://www.sitemaps.org/protocol.html. */
const sitemapPartLength = 50_000

/** The name of the part with `sitemapPages`; those with courses have a number. */
export const pagesPart = 'Pages'

/** A list of pages: https://www.sitemaps.org/protocol.html. */
export function sitemapXml(entries: readonly SitemapEntry[]): string {
  return document('urlset', 'url', entries)
}

/** A list of lists. */
export function sitemapIndexXml(parts: readonly SitemapEntry[]): string {
  return document('sitemapindex', 'sitemap', parts)
}

function document(list: string, item: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ address, date }) => {
    const lastmod = date === null ? '' : `<lastmod>${date}</lastmod>`
    return `<${item}><loc>${escapeXml(address)}</loc>${lastmod}</${item}>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</${list}>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/**
 * A part of 50,000 courses takes a connection for a second, and 20 MB: visitors go before crawlers.
 */
const partsAtOnce = limitConcurrency(2, { name: 'sitemaps' })

const offered = sql`published and in_catalogue`

/**
 * The parts of the list of all courses that search engines may know.
 *
 * @returns each part's name and the date of its last change, YYYY-MM-DD.
 */
export async function listSitemapParts(
  db: Database,
): Promise<{ name: string; lastUpdated: string }[]> {
  return listRows(
    db,
    sql`select 'content-' || part as name, max(last_updated)::text as "lastUpdated" from (
        select last_updated, (row_number() over (order by id) - 1) / ${sitemapPartLength}::int as part
        from courses where ${offered}
      ) numbered group by part order by part`,
  )
}

/**
 * The courses of a part.
 *
 * @returns none if there is no such part; 'busy' while others are listed.
 */
export async function listSitemapPart(
  db: Database,
  name: string,
  length = sitemapPartLength,
): Promise<{ id: string; lastUpdated: string }[] | 'busy'> {
  const [, part] = /^content-(0|[1-9]\d{0,3})$/.exec(name) ?? []
  if (part === undefined) {
    return []
  }

  if (partsAtOnce.isFull) {
    return 'busy'
  }

  return partsAtOnce.run(() =>
    listRows(
      db,
      sql`select id, last_updated::text as "lastUpdated" from courses where ${offered}
        order by id offset ${Number(part) * length}::int limit ${length}::int`,
    ),
  )
}
