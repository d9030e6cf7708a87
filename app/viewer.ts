/**
 * The viewer: the visitor or learner who looks at a page.
 *
 * The server renders every public page without a session, so that one cached page serves everyone.
 * After hydration, the root requests everything personal with one request to `/viewer`. Visitors'
 * browsers send no request: they lack the marker cookie, which scripts can read and which exists
 * beside the session's own cookie (`signedInCookieName`).
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

/** The lists are empty, and the other fields null or false, for a visitor and until the first response. */
type Viewer = {
  /** The user is null for a visitor, and undefined until the first response. */
  user: LearnerData['user'] | null | undefined
  enrolledCourseIds: readonly string[]
  /** The enrolled courses with the progress in each. */
  courses: LearnerData['courses']
  wishedCourseIds: readonly string[]
  hasPracticeQuestions: boolean
  runningExams: readonly RunningExamEnd[]
  /** The learner's own reviews of the course that the page is about. */
  reviews: LearnerData['reviews']
  /** The learner's progress in the course that the page is about. */
  progress: LearnerData['progress']
  /** What only its holder sees of the certificate that the page is about. */
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

/** The current viewer. It changes only in the browser. */
let viewer = unknownViewer
const listeners = new Set<() => void>()

/** Returns what the browser knows about the viewer. */
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
 * The `handle` of a route whose page is about a course, a certificate or an exam. Its query asks for
 * the learner's data about the course or certificate. Whenever the query changes, the viewer is
 * requested again. An exam's query asks for no more data: it updates `runningExams` when the learner
 * opens or leaves the exam.
 */
export type ViewerHandle<PageData> = {
  getViewerQuery(page: PageData): { course: string } | { certificate: string } | { exam: string }
}

/** What the current page requests. It is null until the root has been hydrated. */
let viewerRequest: { cookieName: string; query: string } | null = null

/**
 * Requests the viewer for the first page, and whenever the page is about something else. Only the
 * root uses this hook.
 *
 * @param cookieName the name of the marker cookie, or '' if the root's loader failed
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

    viewerRequest = { cookieName, query }
    void refreshViewer()
  }, [cookieName, query])
}

const retryPauseMs = 10_000
let latestRequestNumber = 0

/**
 * Requests the viewer for the current page. Then it sends the enrollments and wishes that wait in
 * this browser's outbox to the account, whose ID is known only now.
 */
export async function refreshViewer(): Promise<void> {
  // Without the cookie's name, a learner would seem to be a visitor.
  if (viewerRequest === null) {
    return
  }

  latestRequestNumber += 1
  const requestNumber = latestRequestNumber
  const isLatest = () => requestNumber === latestRequestNumber

  const { cookieName, query } = viewerRequest
  const response = hasCookie(cookieName) ? await fetchJson<ViewerData>(`/viewer${query}`) : null
  if (!isLatest()) {
    return
  }

  viewer = applyViewerResponse(viewer, response)
  for (const listener of listeners) {
    listener()
  }

  if (viewer.user) {
    await sendChoices(viewer.user.uid)
  }

  if (viewer.user === undefined) {
    setTimeout(() => {
      if (isLatest()) {
        void refreshViewer()
      }
    }, retryPauseMs)
  }
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
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

  const runningExams = response.exams.map(({ courseId, secondsLeft }) => ({
    courseId,
    endsAt: performance.now() + secondsLeft * 1000,
  }))

  return {
    user: response.user,
    enrolledCourseIds: response.enrolled,
    courses: response.courses,
    wishedCourseIds: response.wished,
    hasPracticeQuestions: response.practice,
    runningExams,
    reviews: response.reviews,
    progress: response.progress,
    certificate: response.certificate,
  }
}
