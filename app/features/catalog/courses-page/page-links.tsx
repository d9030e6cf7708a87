import type { MouseEvent } from 'react'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { addressOfQuery, type CatalogueQuery } from '../search/catalog-query'
import type { CatalogueResult } from '../search/catalog-result'
import { coursesShown, moreCoursesFailed } from './catalog-messages'
import type { MorePages } from './use-more-pages'

type PageLinksProps = { query: CatalogueQuery; result: CatalogueResult; pages: MorePages }

/** Real links to the pages before and after; with a script the next one is added to this one. */
export function PageLinks({ query, result, pages }: PageLinksProps) {
  const { previous } = result
  const { next, courses, state, showMore } = pages
  if (next === null && previous === null) return null
  const more = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    showMore()
  }
  return (
    <nav aria-label="Pages" className="mt-10 flex flex-col items-center gap-4">
      <div className="flex flex-wrap justify-center gap-3">
        {previous !== null && (
          <ButtonLink to={addressOfQuery({ ...query, after: null, before: previous })} rel="prev" look="secondary">
            Previous page
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink
            to={addressOfQuery({ ...query, before: null, after: next })}
            rel="next"
            look="secondary"
            aria-busy={state === 'loading'}
            onClick={more}
          >
            {state === 'loading' ? 'Loading...' : 'Show more'}
          </ButtonLink>
        )}
      </div>
      {state === 'failed' && <Notice look="bad">{moreCoursesFailed}</Notice>}
      {previous === null && <p className="text-sm text-muted">{coursesShown(courses.length, result)}</p>}
    </nav>
  )
}
