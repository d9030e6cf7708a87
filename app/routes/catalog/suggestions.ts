import { findSuggestions } from '~/features/catalog/search/suggestions.server'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import type { Route } from './+types/suggestions'

/** /Suggestions?q=...: suggestions for the text typed so far. */
export async function loader({ url }: Route.LoaderArgs) {
  const typedText = url.searchParams.get('q') ?? ''
  const suggestions = await readPublic((db) => findSuggestions(db, typedText))

  return Response.json(suggestions, { headers: publicPageHeaders() })
}
