import {
  listSitemapPart,
  pagesPart,
  sitemapPages,
  sitemapXml,
} from '~/features/catalog/sharing/sitemap.server'
import { listFurtherPageUrls } from '~/features/home/site-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import { env } from '~/server/env.server'
import { noSuchList, tryAgainInAMoment } from '~/server/http/server-messages.server'
import type { Route } from './+types/sitemap-part'

const notThere = () => new Response(noSuchList, { status: 404 })

/** One list of /sitemap.xml, which is too large for the page cache. */
export async function loader({ params }: Route.LoaderArgs) {
  const name = /^([\w-]+)\.xml$/.exec(params.part)?.[1]
  if (!name) {
    throw notThere()
  }

  const entries =
    name === pagesPart
      ? [...sitemapPages, ...listFurtherPageUrls()].map((path) => entry(path, null))
      : await courseEntries(name)
  if (entries.length === 0) {
    throw notThere()
  }

  return new Response(sitemapXml(entries), {
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    },
  })
}

async function courseEntries(part: string) {
  const courses = await readPublic((db) => listSitemapPart(db, part))
  if (courses === 'busy') {
    throw new Response(tryAgainInAMoment, { status: 503, headers: { 'Retry-After': '5' } })
  }

  return courses.map(({ id, lastUpdated }) => entry(`/OneCourse/${id}`, lastUpdated))
}

const entry = (path: string, date: string | null) => ({ address: env.PUBLIC_URL + path, date })
