import { findSuggestions } from '~/features/catalog/search/suggestions.server'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import type { Route } from './+types/suggestions'

/** /Suggestions?q=...: suggestions for the text typed so far. */
export async function loader({ url }: Route.LoaderArgs) {
  const typed = url.searchParams.get('q') ?? ''
  return Response.json(await readPublic((db) => findSuggestions(db, typed)), {
    headers: publicPage(),
  })
}
