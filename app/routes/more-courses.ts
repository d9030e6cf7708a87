import { parseCatalogueQuery } from '~/features/catalog/search/catalog-query-schema'
import type { CatalogueSlice } from '~/features/catalog/search/catalog-result'
import { findCatalogue } from '~/features/catalog/search/search-catalog.server'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import type { Route } from './+types/more-courses'

/** /MoreCourses?...: what 'Show more' adds to a list; the query is the catalogue's. */
export async function loader({ url }: Route.LoaderArgs) {
  const query = parseCatalogueQuery(url.searchParams)
  const { courses, next } = await readPublic((db) => findCatalogue(db, query))
  const slice: CatalogueSlice = { courses, next }
  return Response.json(slice, { headers: publicPage() })
}
