import {
  formatSitemap,
  listSitemapPart,
  pagesPartName,
  sitemapPages,
} from '~/features/catalog/sharing/sitemap.server'
import { listFurtherPagePaths } from '~/features/home/site-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import { env } from '~/server/env.server'
import { serverMessages } from '~/server/http/server-messages.server'
import type { Route } from './+types/sitemap-part'

/** /Sitemap/NAME.xml: one part of the sitemap. It is too large for the page cache. */
export async function loader({ params }: Route.LoaderArgs) {
  const [, partName] = /^([\w-]+)\.xml$/.exec(params.part) ?? []
  if (partName === undefined) {
    throw partNotFound()
  }

  const entries = partName === pagesPartName ? listPageEntries() : await listCourseEntries(partName)
  if (entries.length === 0) {
    throw partNotFound()
  }

  return new Response(formatSitemap(entries), {
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    },
  })
}

function partNotFound() {
  return new Response(serverMessages.noSuchList, { status: 404 })
}

function listPageEntries() {
  const paths = [...sitemapPages, ...listFurtherPagePaths()]
  return paths.map((path) => ({ url: env.PUBLIC_URL + path, lastChange: null }))
}

async function listCourseEntries(partName: string) {
  const courses = await readPublic((db) => listSitemapPart(db, partName))
  if (courses === 'busy') {
    throw new Response(serverMessages.tryAgainInAMoment, {
      status: 503,
      headers: { 'Retry-After': '5' },
    })
  }

  return courses.map(({ id, lastUpdated }) => ({
    url: `${env.PUBLIC_URL}/OneCourse/${id}`,
    lastChange: lastUpdated,
  }))
}
