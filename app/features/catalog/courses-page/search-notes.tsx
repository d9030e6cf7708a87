import { CatalogueLink } from '../catalog-link'
import { type CatalogueQuery, changeQuery } from '../search/catalog-query'
import type { CatalogueResult } from '../search/catalog-result'
import { correctedSearch, foundInMentions, moreMentions } from './catalog-messages'

/** How a search was read: corrected, or with more that only mentions it. */
export function SearchNotes({ query, result }: { query: CatalogueQuery; result: CatalogueResult }) {
  const { corrected, matches, showsMentions, total } = result
  const more = showsMentions ? 0 : matches.mention
  if (!corrected && more === 0 && !(showsMentions && total > 0 && matches.exact === 0)) return null
  return (
    <div className="mb-5 space-y-1 text-muted">
      {corrected && (
        <p>
          {correctedSearch(corrected.from, corrected.to, (words) => (
            <CatalogueLink query={changeQuery(query, { exact: true })} className="link">
              {words}
            </CatalogueLink>
          ))}
        </p>
      )}
      {more > 0 && (
        <p>
          {moreMentions(more, (words) => (
            <CatalogueLink query={changeQuery(query, { mentions: true })} className="link">
              {words}
            </CatalogueLink>
          ))}
        </p>
      )}
      {showsMentions && !query.mentions && matches.exact === 0 && total > 0 && <p>{foundInMentions}</p>}
    </div>
  )
}
