import type { CatalogSlice } from '~/features/catalog/search/catalog-query'
import { parseCatalogQuery } from '~/features/catalog/search/catalog-query-schema'
import { searchCatalog } from '~/features/catalog/search/search-catalog.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import type { Route } from './+types/more-courses'

/** /MoreCourses?...: the courses that "Show more" adds. The parameters are those of the catalog. */
export async function loader({ url }: Route.LoaderArgs) {
  const query = parseCatalogQuery(url.searchParams)
  const { courses, nextCursor } = await readPublic((db) => searchCatalog(db, query))
  const slice: CatalogSlice = { courses, next: nextCursor }

  return Response.json(slice, { headers: publicPageHeaders() })
}
