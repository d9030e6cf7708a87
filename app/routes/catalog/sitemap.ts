import {
  formatSitemapIndex,
  listSitemapParts,
  pagesPartName,
} from '~/features/catalog/sharing/sitemap.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { env } from '~/server/env.server'

/** /sitemap.xml: the index of the sitemap, which names its parts. */
export async function loader() {
  const parts = await readPublic(listSitemapParts)
  const partUrl = (name: string) => `${env.PUBLIC_URL}/Sitemap/${name}.xml`
  const xml = formatSitemapIndex([
    // Home and the catalog change with the courses.
    { url: partUrl(pagesPartName), lastChange: getLatestDate(parts) },
    ...parts.map(({ name, lastUpdated }) => ({ url: partUrl(name), lastChange: lastUpdated })),
  ])

  return new Response(xml, {
    headers: { ...publicPageHeaders(), 'Content-Type': 'application/xml; charset=utf-8' },
  })
}

/** Returns null if there are no parts. */
function getLatestDate(parts: readonly { lastUpdated: string }[]): string | null {
  const dates = parts.map(({ lastUpdated }) => lastUpdated).toSorted()
  return dates.at(-1) ?? null
}
