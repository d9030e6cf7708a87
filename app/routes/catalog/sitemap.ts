import {
  listSitemapParts,
  pagesPart,
  sitemapIndexXml,
} from '~/features/catalog/sharing/sitemap.server'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import { env } from '~/server/env.server'

/** /sitemap.xml: the index of the pages for search engines. */
export async function loader() {
  const parts = await readPublic(listSitemapParts)
  const xml = sitemapIndexXml([
    { address: `${env.PUBLIC_URL}/Sitemap/${pagesPart}.xml`, date: newest(parts) },
    ...parts.map(({ name, lastUpdated }) => ({
      address: `${env.PUBLIC_URL}/Sitemap/${name}.xml`,
      date: lastUpdated,
    })),
  ])

  return new Response(xml, {
    headers: { ...publicPage(), 'Content-Type': 'application/xml; charset=utf-8' },
  })
}

/** Home and the catalog change with the courses. */
function newest(parts: readonly { lastUpdated: string }[]): string | null {
  return parts.reduce<string | null>(
    (date, part) => (date && date > part.lastUpdated ? date : part.lastUpdated),
    null,
  )
}
