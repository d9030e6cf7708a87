import type { CatalogSlice } from '~/features/catalog/search/catalog-query'
import { parseCatalogQuery } from '~/features/catalog/search/catalog-query-schema'
import { findCatalog } from '~/features/catalog/search/search-catalog.server'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import type { Route } from './+types/more-courses'

/** /MoreCourses?...: the next courses for 'Show more'; the query is the catalog's. */
export async function loader({ url }: Route.LoaderArgs) {
  const query = parseCatalogQuery(url.searchParams)
  const { courses, next } = await readPublic((db) => findCatalog(db, query))
  const slice: CatalogSlice = { courses, next }

  return Response.json(slice, { headers: publicPage() })
}
