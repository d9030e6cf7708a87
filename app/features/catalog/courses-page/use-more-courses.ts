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

/** The displayed courses, to which the button "Show more" adds those of the next page. */
export type CourseList = CatalogSlice & {
  status: LoadingStatus
  showMore(): void
}

/**
 * The courses that were added to each history entry, so that going back restores the list. They
 * last until the tab is closed.
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
 * Returns the courses of this page together with those that were added to it. The focus moves to
 * the first course that was added.
 */
export function useMoreCourses(query: CatalogQuery, result: CatalogResult): CourseList {
  const { key } = useLocation()
  const historyEntry = `${key} ${catalogUrl(query)} ${result.nextCursor}`
  const addedSlice = addedSlices.get(historyEntry) ?? { courses: [], next: result.nextCursor }
  const courses = [...result.courses, ...addedSlice.courses]

  const [latestLoading, setLatestLoading] = useState<Loading>()
  const loading = latestLoading?.historyEntry === historyEntry ? latestLoading : null
  const status = loading?.status ?? 'idle'
  useFocusOnCourse(loading?.firstAddedId)

  const showMore = async () => {
    if (addedSlice.next === null || status === 'loading') {
      return
    }

    setLatestLoading({ historyEntry, status: 'loading' })
    const url = moreCoursesUrl({ ...query, before: null, after: addedSlice.next })
    const nextSlice = await fetchJson<CatalogSlice>(url)

    // A course may have moved in the list since this page was loaded.
    const displayedIds = new Set(courses.map(({ id }) => id))
    const newCourses = nextSlice?.courses.filter(({ id }) => !displayedIds.has(id)) ?? []
    if (nextSlice) {
      addedSlices.set(historyEntry, {
        courses: [...addedSlice.courses, ...newCourses],
        next: nextSlice.next,
      })
    }

    // The visitor may have left the page meanwhile, or pressed the button of another page.
    const newStatus = nextSlice ? 'idle' : 'failed'
    setLatestLoading((current) =>
      current?.historyEntry === historyEntry
        ? { historyEntry, status: newStatus, firstAddedId: newCourses[0]?.id }
        : current,
    )
  }

  return { courses, next: addedSlice.next, status, showMore }
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
