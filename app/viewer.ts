/**
 * The viewer: the visitor or learner who looks at a page.
 *
 * The server renders every public page without a session, so that one cached page serves everyone.
 * After hydration, the root route requests everything personal with one request to `/viewer`. The
 * browsers of visitors send no request: they lack the signed-in cookie, which scripts can read, and
 * which the server sets and removes together with the cookie of the session.
 *
 * If a request fails, the last known data stays. If nothing is known yet, the request is repeated
 * after a pause, because a learner who seems to be a visitor would be sent to the login page.
 */
import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import { sendChoices } from '~/features/enrollment/course-choices'
import type { RunningExam } from '~/features/exams/attempt/running-exams'
import type { ViewerData } from '~/routes/accounts/viewer'
import { fetchJson } from '~/ui/connection'

type LearnerData = NonNullable<ViewerData>

/**
 * Except for `user`, all fields are empty, null or false for a visitor and until the first
 * response.
 *
 * `reviews`, `progress` and `certificate` contain the ID of the course or certificate that they are
 * about. After a navigation, this is the one of the previous page until the next response arrives.
 * So a page has to compare the ID with its own.
 */
type Viewer = {
  /** The user is undefined until the first response, and null for a visitor. */
  user: LearnerData['user'] | null | undefined
  /** The IDs of `courses`. */
  enrolledCourseIds: readonly string[]
  /** The enrolled courses with the progress in each. */
  courses: LearnerData['courses']
  wishedCourseIds: readonly string[]
  hasPracticeQuestions: boolean
  runningExams: readonly RunningExam[]
  /** The learner's own reviews of a course. */
  reviews: LearnerData['reviews']
  /** The learner's progress in a course. */
  progress: LearnerData['progress']
  /** What only the learner sees of their certificate. */
  certificate: LearnerData['certificate']
}

/** The viewer before the first response, and in the HTML of the server. Exported for tests. */
export const unknownViewer: Viewer = {
  user: undefined,
  enrolledCourseIds: [],
  courses: [],
  wishedCourseIds: [],
  hasPracticeQuestions: false,
  runningExams: [],
  reviews: null,
  progress: null,
  certificate: null,
}

const visitor: Viewer = { ...unknownViewer, user: null }

type ViewerRequest = {
  signedInCookieName: string
  /**
   * The URL's query string, such as `?course=python-from-zero`, or '' on a page without a handle.
   */
  search: string
}

// The following variables change only in the browser, where all components share one viewer.

let viewer = unknownViewer
/** The components that show the viewer. */
const listeners = new Set<() => void>()
/** What the current page requests. It is null until the root route has been hydrated. */
let viewerRequest: ViewerRequest | null = null
let latestRequestNumber = 0

/** Returns what the browser knows about the viewer. */
export function useViewer(): Viewer {
  return useSyncExternalStore(
    subscribe,
    () => viewer,
    () => unknownViewer,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The `handle` of a route whose page is about a course, a certificate or an exam.
 *
 * Its parameters ask `/viewer` for the learner's data about the course or certificate. The viewer
 * is requested again whenever the parameters change. Those of an exam ask for no more data: they
 * only make the browser request `runningExams` again when the learner opens or leaves the exam.
 */
export type ViewerHandle<PageData> = {
  getViewerParameters(
    pageData: PageData,
  ): { course: string } | { certificate: string } | { exam: string }
}

/**
 * Requests the viewer for the first page, and whenever the page's course, certificate or exam
 * changes. Only the root route uses this hook.
 *
 * @param signedInCookieName '' if the loader of the root route failed
 */
export function useViewerRequests(signedInCookieName: string): void {
  const search = useViewerSearch()

  useEffect(() => {
    if (!signedInCookieName) {
      return
    }

    viewerRequest = { signedInCookieName, search }
    void refreshViewer()
  }, [signedInCookieName, search])
}

/** Returns the query string with the parameters of the current page. */
function useViewerSearch(): string {
  const page = useMatches().at(-1)
  const handle = page?.handle as ViewerHandle<unknown> | undefined
  // A page whose loader failed has no data.
  if (!handle || !page?.loaderData) {
    return ''
  }

  const parameters = handle.getViewerParameters(page.loaderData)
  return `?${new URLSearchParams(parameters)}`
}

const retryDelayMs = 10_000

/**
 * Requests the viewer for the current page. Then it sends the enrollments and wishes that were
 * chosen in this browser, and wait in its outbox, to the learner's account.
 */
export async function refreshViewer(): Promise<void> {
  // Without the cookie's name, a learner would seem to be a visitor.
  if (viewerRequest === null) {
    return
  }

  latestRequestNumber += 1
  const requestNumber = latestRequestNumber
  const isLatest = () => requestNumber === latestRequestNumber

  const data = await requestViewerData(viewerRequest)
  if (!isLatest()) {
    return
  }

  viewer = applyViewerData(viewer, data)
  for (const listener of listeners) {
    listener()
  }

  if (viewer.user) {
    await sendChoices(viewer.user.uid)
    return
  }

  if (viewer.user === undefined) {
    setTimeout(() => {
      if (isLatest()) {
        void refreshViewer()
      }
    }, retryDelayMs)
  }
}

/** @returns null for a visitor, undefined if the request failed */
async function requestViewerData({
  signedInCookieName,
  search,
}: ViewerRequest): Promise<LearnerData | null | undefined> {
  if (!hasCookie(signedInCookieName)) {
    return null
  }

  return fetchJson<ViewerData>(`/viewer${search}`)
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}

/**
 * Returns the viewer after a request. Exported for tests.
 *
 * @param data null for a visitor, undefined if the request failed
 */
export function applyViewerData(
  previousViewer: Viewer,
  data: LearnerData | null | undefined,
): Viewer {
  if (data === undefined) {
    return previousViewer
  }

  if (data === null) {
    return visitor
  }

  const receivedAt = performance.now()

  return {
    user: data.user,
    enrolledCourseIds: data.enrolled,
    courses: data.courses,
    wishedCourseIds: data.wished,
    hasPracticeQuestions: data.practice,
    runningExams: data.exams.map(({ courseId, secondsLeft }) => ({
      courseId,
      endsAt: receivedAt + secondsLeft * 1000,
    })),
    reviews: data.reviews,
    progress: data.progress,
    certificate: data.certificate,
  }
}
