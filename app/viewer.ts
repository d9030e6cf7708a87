/**
 * What a page knows about the person who views it.
 *
 * The server renders every public page without a session, so that one cached page serves everyone. After
 * hydration, the root requests everything personal with one request to `/viewer`. Browsers without the
 * session's cookie belong to visitors and send no request.
 *
 * If a request fails, the last known data stays. A viewer who is still unknown is requested again after
 * a pause, because treating a learner as a visitor would send them to the login page.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import { sendChoices } from '~/features/enrollment/course-choices'
import type { RunningExamEnd } from '~/features/exams/attempt/running-exams'
import type { ViewerData } from '~/routes/accounts/viewer'
import { fetchJson } from '~/ui/connection'

type LearnerData = NonNullable<ViewerData>

type Viewer = Pick<
  LearnerData,
  'courses' | 'wished' | 'practice' | 'reviews' | 'progress' | 'certificate'
> & {
  /** Undefined until the first response, null for a visitor. */
  user: LearnerData['user'] | null | undefined
  /** The ID of the user, and undefined or null like the user. */
  uid: string | null | undefined
  /** The IDs of the learner's courses, or null until the first response. */
  enrolled: readonly string[] | null
  exams: readonly RunningExamEnd[]
}

/** The viewer before the first response, and in the HTML of the server. Exported for tests. */
export const unknownViewer: Viewer = {
  user: undefined,
  uid: undefined,
  enrolled: null,
  courses: [],
  wished: [],
  practice: false,
  reviews: null,
  progress: null,
  exams: [],
  certificate: null,
}

const visitor: Viewer = { ...unknownViewer, user: null, uid: null, enrolled: [] }

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
 * The `handle` of a route whose page is about a course or a certificate, or changes whether an exam is
 * running. The viewer is requested again whenever the query changes.
 */
export type ViewerHandle<PageData> = {
  getViewerQuery(page: PageData): { course: string } | { certificate: string } | { exam: string }
}

/** The cookie and the query of the current page. */
let pageRequest = { cookieName: '', query: '' }

/**
 * Requests the viewer for the first page, and whenever the page is about something else. Only the root
 * uses this hook.
 *
 * @param cookieName the name of the cookie that visitors do not have, or '' if the root's loader failed
 */
export function useViewerRequests(cookieName: string): void {
  const page = useMatches().at(-1)
  const handle = page?.handle as ViewerHandle<unknown> | undefined
  const hasQuery = page?.loaderData && handle
  const query = hasQuery ? `?${new URLSearchParams(handle.getViewerQuery(page.loaderData))}` : ''

  useEffect(() => {
    if (!cookieName) {
      return
    }

    pageRequest = { cookieName, query }
    void refreshViewer()
  }, [cookieName, query])
}

const retryPauseMs = 10_000
let requestCount = 0

/** Requests the viewer again after a change, and sends this browser's outbox to the account. */
export async function refreshViewer(): Promise<void> {
  requestCount += 1
  const requestNumber = requestCount
  const isLatest = () => requestNumber === requestCount

  const { cookieName, query } = pageRequest
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
    setTimeout(() => isLatest() && void refreshViewer(), retryPauseMs)
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

  const exams = response.exams.map(({ courseId, secondsLeft }) => ({
    courseId,
    endsAt: performance.now() + secondsLeft * 1000,
  }))

  return { ...response, uid: response.user.uid, exams }
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}
