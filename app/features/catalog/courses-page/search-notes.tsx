import type { ReactNode } from 'react'
import type { RenderLink } from '~/ui/more-link'
import { type CatalogQuery, type CatalogResult, changeQuery } from '../search/catalog-query'
import { catalogMessages, formatCappedCount } from './catalog-messages'
import { CatalogLink } from './chosen-filters'

/** Says how the search was corrected, and whether courses only mention the searched text. */
export function SearchNotes({ query, result }: { query: CatalogQuery; result: CatalogResult }) {
  const { correction, hiddenMentionCount } = result
  const shouldExplainMentions = result.hasOnlyMentions && !query.mentions
  if (!correction && hiddenMentionCount === 0 && !shouldExplainMentions) {
    return null
  }

  return (
    <div className="mb-5 space-y-1 text-muted">
      {correction && (
        <p>
          {renderCorrection(correction.from, correction.to, (label) => (
            <CatalogLink query={changeQuery(query, { exact: true })} className="link">
              {label}
            </CatalogLink>
          ))}
        </p>
      )}
      {hiddenMentionCount > 0 && (
        <p>
          {renderMoreMentions(hiddenMentionCount, (label) => (
            <CatalogLink query={changeQuery(query, { mentions: true })} className="link">
              {label}
            </CatalogLink>
          ))}
        </p>
      )}
      {shouldExplainMentions && <p>{catalogMessages.foundInMentions}</p>}
    </div>
  )
}

/** Says that another text was searched for, and offers the text that was typed. */
function renderCorrection(from: string, to: string, renderLink: RenderLink): ReactNode {
  return (
    <>
      Showing results for <strong className="text-ink">{to}</strong>. Search for {renderLink(from)}{' '}
      instead.
    </>
  )
}

/** Offers the courses that only mention the searched text. */
function renderMoreMentions(count: number, renderLink: RenderLink): ReactNode {
  if (count === 1) {
    return <>{renderLink('1 more course mentions it')} in its skills, lessons or subtitles.</>
  }

  return (
    <>
      {renderLink(`${formatCappedCount(count)} more courses mention it`)} in their skills, lessons
      or subtitles.
    </>
  )
}
