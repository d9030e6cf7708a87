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

/**
 * Links to the previous and the next page. With a script, the courses of the next page are added to
 * this page instead.
 */
export function PageLinks({ query, result, pages }: PageLinksProps) {
  const { previous } = result
  const { next, courses, status, showMore } = pages
  if (next === null && previous === null) {
    return null
  }

  const handleClick = (event: MouseEvent) => {
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    const isPlainClick = event.button === 0 && !hasModifier
    if (!isPlainClick) {
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
            aria-busy={status === 'loading'}
            onClick={handleClick}
          >
            {status === 'loading' ? 'Loading...' : 'Show more'}
          </ButtonLink>
        )}
      </div>
      {status === 'failed' && <Notice variant="bad">{moreCoursesFailed}</Notice>}
      {previous === null && (
        <p className="text-sm text-muted">{formatListProgress(courses.length, result)}</p>
      )}
    </nav>
  )
}

type LoadingStatus = 'idle' | 'loading' | 'failed'

type MorePages = CatalogSlice & {
  status: LoadingStatus
  showMore(): void
}

/**
 * The added courses by history entry, so that going back restores the list. They last until the tab
 * is closed.
 */
const addedCourses = new Map<string, CatalogSlice>()

type Loading = {
  historyEntry: string
  status: LoadingStatus
  firstAddedId?: string | undefined
}

/**
 * Returns the courses of this page together with those that were added to it. The focus moves to the
 * first course that was added.
 */
export function useMorePages(query: CatalogQuery, result: CatalogResult): MorePages {
  const { key } = useLocation()
  const historyEntry = `${key} ${catalogUrl(query)} ${result.next}`
  const added = addedCourses.get(historyEntry) ?? { courses: [], next: result.next }
  const courses = [...result.courses, ...added.courses]

  const [latestLoading, setLatestLoading] = useState<Loading>()
  const loading = latestLoading?.historyEntry === historyEntry ? latestLoading : null
  const status = loading?.status ?? 'idle'
  useFocusOnCourse(loading?.firstAddedId)

  const showMore = async () => {
    if (added.next === null || status === 'loading') {
      return
    }

    setLatestLoading({ historyEntry, status: 'loading' })
    const url = moreCoursesUrl({ ...query, before: null, after: added.next })
    const slice = await fetchJson<CatalogSlice>(url)

    // A course may have moved in the list since this page was loaded.
    const displayedIds = new Set(courses.map(({ id }) => id))
    const newCourses = slice?.courses.filter(({ id }) => !displayedIds.has(id)) ?? []
    if (slice) {
      addedCourses.set(historyEntry, {
        courses: [...added.courses, ...newCourses],
        next: slice.next,
      })
    }

    setLatestLoading((current) =>
      current?.historyEntry === historyEntry
        ? { historyEntry, status: slice ? 'idle' : 'failed', firstAddedId: newCourses[0]?.id }
        : current,
    )
  }

  return { courses, next: added.next, status, showMore }
}

function useFocusOnCourse(courseId: string | undefined) {
  useEffect(() => {
    if (!courseId) {
      return
    }

    const link = document.querySelector<HTMLElement>(
      `main a[href="/OneCourse/${CSS.escape(courseId)}"]`,
    )
    link?.focus({ preventScroll: true })
  }, [courseId])
}
