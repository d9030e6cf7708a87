import { Link } from 'react-router'
import { numberText } from '~/ui/count-text'
import { addressOfQuery, type CatalogueQuery, changeQuery } from './search/catalogue-query'
import type { CatalogueResult } from './search/catalogue-result'

/** How a search was read: corrected, or with more that only mentions it. */
export function SearchNotes({ query, result }: { query: CatalogueQuery; result: CatalogueResult }) {
  const { corrected, matches, showsMentions, total } = result
  const more = showsMentions ? 0 : matches.mention
  if (!corrected && more === 0 && !(showsMentions && total > 0 && matches.exact === 0)) return null
  return (
    <div className="mb-5 space-y-1 text-muted">
      {corrected && (
        <p>
          Showing results for <strong className="text-ink">{corrected.to}</strong>. Search for{' '}
          <Link to={addressOfQuery(changeQuery(query, { exact: true }))} preventScrollReset className="link">
            {corrected.from}
          </Link>{' '}
          instead.
        </p>
      )}
      {more > 0 && (
        <p>
          <Link to={addressOfQuery(changeQuery(query, { mentions: true }))} preventScrollReset className="link">
            {numberText(more)} more {more === 1 ? 'course mentions' : 'courses mention'} it
          </Link>{' '}
          in {more === 1 ? 'its' : 'their'} skills, lessons or subtitles.
        </p>
      )}
      {showsMentions && !query.mentions && matches.exact === 0 && total > 0 && (
        <p>Found in skills, lessons or subtitles.</p>
      )}
    </div>
  )
}
