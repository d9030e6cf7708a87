import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { fetchJson } from '~/ui/connection'
import {
  type CatalogQuery,
  type CatalogResult,
  type CatalogSlice,
  catalogUrl,
  moreCoursesUrl,
} from '../search/catalog-query'

type LoadingStatus = 'idle' | 'loading' | 'failed'

/** A list of courses to which the button "Show more" adds the courses of the next page. */
export type GrowingList = CatalogSlice & {
  status: LoadingStatus
  showMore(): void
}

/**
 * The courses that were added to each history entry, so that going back restores the list. They last
 * until the tab is closed.
 */
const addedSlices = new Map<string, CatalogSlice>()

/** The latest press on the button, and the history entry of the page that has the button. */
type Loading = {
  historyEntry: string
  status: LoadingStatus
  /** The ID of the first course that was added. */
  firstAddedId?: string | undefined
}

/**
 * Returns the courses of this page together with those that were added to it. The focus moves to the
 * first course that was added.
 */
export function useMoreCourses(query: CatalogQuery, result: CatalogResult): GrowingList {
  const { key } = useLocation()
  const historyEntry = `${key} ${catalogUrl(query)} ${result.nextCursor}`
  const added = addedSlices.get(historyEntry) ?? { courses: [], next: result.nextCursor }
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
      addedSlices.set(historyEntry, {
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

/** Moves the focus to the link of a course. */
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
