import type { MouseEvent } from 'react'
import { ButtonLink } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { isPlainClick } from '~/ui/plain-click'
import { type CatalogQuery, type CatalogResult, catalogUrl } from '../search/catalog-query'
import { catalogMessages, formatListProgress } from './catalog-messages'
import type { CourseList } from './use-more-courses'

type PageLinksProps = { query: CatalogQuery; result: CatalogResult; list: CourseList }

/**
 * Links to the previous and the next page. With a script, the courses of the next page are added to
 * this page instead.
 */
export function PageLinks({ query, result, list }: PageLinksProps) {
  const { previousCursor } = result
  const { next: nextCursor, courses, status, showMore } = list
  if (nextCursor === null && previousCursor === null) {
    return null
  }

  const handleClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) {
      return
    }

    event.preventDefault()
    showMore()
  }

  return (
    <nav aria-label="Pages" className="mt-10 flex flex-col items-center gap-4">
      <div className="flex flex-wrap justify-center gap-3">
        {previousCursor !== null && (
          <ButtonLink
            to={catalogUrl({ ...query, after: null, before: previousCursor })}
            rel="prev"
            variant="secondary"
          >
            Previous page
          </ButtonLink>
        )}
        {nextCursor !== null && (
          <ButtonLink
            to={catalogUrl({ ...query, before: null, after: nextCursor })}
            rel="next"
            variant="secondary"
            aria-busy={status === 'loading'}
            onClick={handleClick}
          >
            {status === 'loading' ? 'Loading...' : 'Show more'}
          </ButtonLink>
        )}
      </div>
      {status === 'failed' && <Notice variant="bad">{catalogMessages.moreCoursesFailed}</Notice>}
      {/* The number counts from the first course, so only the first page has it. */}
      {previousCursor === null && (
        <p className="text-sm text-muted">{formatListProgress(courses.length, result)}</p>
      )}
    </nav>
  )
}
