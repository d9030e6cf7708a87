/**
 * What a page knows about the person who views it.
 *
 * The server renders every public page without a session, so that one cached page serves everyone.
 * After hydration, the root requests everything personal with one request to `/viewer`. Browsers
 * without the session's cookie belong to visitors and send no request.
 *
 * If a request fails, the last known data stays. A viewer who is still unknown is requested again
 * after a pause, because treating a learner as a visitor would send them to the login page.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import { sendChoices } from '~/features/enrollment/course-choices'
import type { RunningExamEnd } from '~/features/exams/attempt/running-exams'
import type { ViewerData } from '~/routes/accounts/viewer'
import { fetchJson } from '~/ui/connection'

type LearnerData = NonNullable<ViewerData>

type Viewer = {
  /** Undefined until the first response, null for a visitor. */
  user: LearnerData['user'] | null | undefined
  /** The ID of the user, and undefined or null like the user. */
  uid: string | null | undefined
  /** The IDs of the learner's courses, or null until the first response. */
  enrolledCourseIds: readonly string[] | null
  /** The learner's courses with the progress in each. */
  courses: LearnerData['courses']
  /** The IDs of the courses on the wish list. */
  wished: LearnerData['wished']
  /** Whether questions wait for the learner in practice. */
  practice: boolean
  /** The exams that are running now. */
  exams: readonly RunningExamEnd[]
  /** The learner's own reviews of the page's course; null on other pages. */
  reviews: LearnerData['reviews']
  /** The learner's progress in the page's course; null on other pages. */
  progress: LearnerData['progress']
  /** What only its holder sees of the page's certificate; null on other pages. */
  certificate: LearnerData['certificate']
}

/** The viewer before the first response, and in the HTML of the server. Exported for tests. */
export const unknownViewer: Viewer = {
  user: undefined,
  uid: undefined,
  enrolledCourseIds: null,
  courses: [],
  wished: [],
  practice: false,
  reviews: null,
  progress: null,
  exams: [],
  certificate: null,
}

const visitor: Viewer = { ...unknownViewer, user: null, uid: null, enrolledCourseIds: [] }

/** The current viewer. It changes only in the browser. */
let viewer = unknownViewer
const listeners = new Set<() => void>()

/** Returns everything that a page shows about the person who views it. */
export function useViewer(): Viewer {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => viewer,
    () => unknownViewer,
  )
}

/**
 * The `handle` of a route whose page is about a course or a certificate, or where an exam starts
 * and ends. The viewer is requested again whenever the query changes.
 */
export type ViewerHandle<PageData> = {
  getViewerQuery(page: PageData): { course: string } | { certificate: string } | { exam: string }
}

/** What the latest page needs: the name of the session's cookie, and the query about the page. */
let requestSettings = { cookieName: '', query: '' }

/**
 * Requests the viewer for the first page, and whenever the page is about something else. Only the
 * root uses this hook.
 *
 * @param cookieName the name of the cookie that visitors do not have, or '' if the root's loader
 *   failed
 */
export function useViewerRequests(cookieName: string): void {
  const page = useMatches().at(-1)
  const handle = page?.handle as ViewerHandle<unknown> | undefined
  const parameters = page?.loaderData && handle ? handle.getViewerQuery(page.loaderData) : null
  const query = parameters ? `?${new URLSearchParams(parameters)}` : ''

  useEffect(() => {
    if (!cookieName) {
      return
    }

    requestSettings = { cookieName, query }
    void refreshViewer()
  }, [cookieName, query])
}

const retryPauseMs = 10_000
let latestRequestNumber = 0

/**
 * Requests the viewer again after a change. Then it sends the courses that were chosen in this
 * browser to the account, whose ID is known only now.
 */
export async function refreshViewer(): Promise<void> {
  latestRequestNumber += 1
  const requestNumber = latestRequestNumber
  const isLatest = () => requestNumber === latestRequestNumber

  const { cookieName, query } = requestSettings
  const response = hasCookie(cookieName) ? await fetchJson<ViewerData>(`/viewer${query}`) : null
  if (!isLatest()) {
    return
  }

  viewer = applyViewerResponse(viewer, response)
  for (const listener of listeners) {
    listener()
  }

  if (viewer.uid) {
    await sendChoices(viewer.uid)
  }

  if (viewer.user === undefined) {
    setTimeout(() => {
      if (isLatest()) {
        void refreshViewer()
      }
    }, retryPauseMs)
  }
}

/**
 * Returns the viewer after a request. Exported for tests.
 *
 * @param response null for a visitor, undefined if the request failed
 */
export function applyViewerResponse(
  previousViewer: Viewer,
  response: ViewerData | undefined,
): Viewer {
  if (response === undefined) {
    return previousViewer
  }

  if (response === null) {
    return visitor
  }

  const { enrolled: enrolledCourseIds, ...viewerData } = response
  const exams = response.exams.map(({ courseId, secondsLeft }) => ({
    courseId,
    endsAt: performance.now() + secondsLeft * 1000,
  }))

  return { ...viewerData, uid: response.user.uid, enrolledCourseIds, exams }
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}
