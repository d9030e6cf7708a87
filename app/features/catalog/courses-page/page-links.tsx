import { type MouseEvent, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { fetchJson } from '~/ui/connection'
import { Notice } from '~/ui/notice'
import {
  type CatalogQuery,
  type CatalogResult,
  type CatalogSlice,
  catalogUrl,
  moreCoursesUrl,
} from '../search/catalog-query'
import { formatListProgress, moreCoursesFailed } from './catalog-messages'

type PageLinksProps = { query: CatalogQuery; result: CatalogResult; pages: MorePages }

/** Real links to the pages before and after; with a script the next one is added to this one. */
export function PageLinks({ query, result, pages }: PageLinksProps) {
  const { previous } = result
  const { next, courses, state, showMore } = pages
  if (next === null && previous === null) {
    return null
  }

  const more = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return
    }

    event.preventDefault()
    showMore()
  }

  return (
    <nav aria-label="Pages" className="mt-10 flex flex-col items-center gap-4">
      <div className="flex flex-wrap justify-center gap-3">
        {previous !== null && (
          <ButtonLink
            to={catalogUrl({ ...query, after: null, before: previous })}
            rel="prev"
            variant="secondary"
          >
            Previous page
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink
            to={catalogUrl({ ...query, before: null, after: next })}
            rel="next"
            variant="secondary"
            aria-busy={state === 'loading'}
            onClick={more}
          >
            {state === 'loading' ? 'Loading...' : 'Show more'}
          </ButtonLink>
        )}
      </div>
      {state === 'failed' && <Notice variant="bad">{moreCoursesFailed}</Notice>}
      {previous === null && (
        <p className="text-sm text-muted">{formatListProgress(courses.length, result)}</p>
      )}
    </nav>
  )
}

type MorePages = CatalogSlice & {
  state: 'idle' | 'loading' | 'failed'
  showMore(): void
}

/**
 * The added courses by history entry, so that going back restores the list. Forgotten with the tab.
 */
const addedPages = new Map<string, CatalogSlice>()

type Request = {
  entry: string
  state: 'idle' | 'loading' | 'failed'
  firstAdded?: string | undefined
}

/**
 * The courses of this page and of those that were added to it. The focus moves to the first course
 * that was added.
 */
export function useMorePages(query: CatalogQuery, result: CatalogResult): MorePages {
  const { key } = useLocation()
  const entry = `${key} ${catalogUrl(query)} ${result.next}`
  const [request, setRequest] = useState<Request>()
  const added = addedPages.get(entry) ?? { courses: [], next: result.next }
  const { state, firstAdded } =
    request?.entry === entry ? request : { state: 'idle' as const, firstAdded: undefined }
  useEffect(() => {
    if (!firstAdded) {
      return
    }

    const link = document.querySelector<HTMLElement>(
      `main a[href="/OneCourse/${CSS.escape(firstAdded)}"]`,
    )
    link?.focus({ preventScroll: true })
  }, [firstAdded])

  const showMore = async () => {
    if (added.next === null || state === 'loading') {
      return
    }

    setRequest({ entry, state: 'loading' })
    const slice = await fetchJson<CatalogSlice>(
      moreCoursesUrl({ ...query, before: null, after: added.next }),
    )
    const shown = new Set([...result.courses, ...added.courses].map(({ id }) => id))
    const fresh = slice?.courses.filter(({ id }) => !shown.has(id)) ?? []
    if (slice) {
      addedPages.set(entry, { courses: [...added.courses, ...fresh], next: slice.next })
    }

    setRequest((now) =>
      now?.entry === entry
        ? { entry, state: slice ? 'idle' : 'failed', firstAdded: fresh[0]?.id }
        : now,
    )
  }

  return { ...added, courses: [...result.courses, ...added.courses], state, showMore }
}
