import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import { sendChoices } from '~/features/enrollment/course-choices'
import type { RunningExamEnd } from '~/features/exams/attempt/running-exams'
import type { ViewerData } from '~/routes/accounts/viewer'
import { fetchJson } from '~/ui/connection'

type LearnerAnswer = NonNullable<ViewerData>

/** What a page knows about the person who views it. */
type Viewer = Pick<
  LearnerAnswer,
  'courses' | 'wished' | 'practice' | 'reviews' | 'progress' | 'certificate'
> & {
  /** Undefined until the first response, null for a visitor. */
  user: LearnerAnswer['user'] | null | undefined
  uid: string | null | undefined
  /** The IDs of the courses, or null while they are unknown. */
  enrolled: readonly string[] | null
  exams: readonly RunningExamEnd[]
}

/**
 * The `handle` that the route module of a page exports if the page is about a course or a
 * certificate, or changes whether an exam is running.
 */
export type ViewerQuestion<PageData> = {
  asksViewer(page: PageData): { course: string } | { certificate: string } | { exam: string }
}

const unknownViewer: Viewer = {
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

/** It changes only in the browser. On the server, every page is the same for everyone. */
let viewer = unknownViewer
let currentQuestion = { cookieName: '', query: '' }
let requestCount = 0
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
 * Requests the viewer's data for the first page, and whenever the page is about something else. Only
 * the root uses this hook.
 *
 * @param cookieName the name of the cookie that visitors do not have
 */
export function useViewerQuestion(cookieName: string): void {
  const page = useMatches().at(-1)
  const handle = page?.handle as ViewerQuestion<unknown> | undefined
  const query =
    page?.loaderData && handle ? `?${new URLSearchParams(handle.asksViewer(page.loaderData))}` : ''
  useEffect(() => {
    // If the root's loader failed, the page does not know the name of the cookie.
    if (!cookieName) {
      return
    }

    currentQuestion = { cookieName, query }
    void refreshViewer()
  }, [cookieName, query])
}

/** Reloads the viewer's data after a change, and sends this browser's outbox to the account. */
export async function refreshViewer(): Promise<void> {
  requestCount += 1
  const request = requestCount
  const { cookieName, query } = currentQuestion
  const response = hasCookie(cookieName) ? await fetchJson<ViewerData>(`/viewer${query}`) : null

  // A newer request has been sent meanwhile. Its response counts.
  if (request !== requestCount) {
    return
  }

  viewer = response === undefined ? keepKnownViewer(viewer) : toViewer(response)
  for (const listener of listeners) {
    listener()
  }

  if (viewer.uid) {
    await sendChoices(viewer.uid)
  }
}

function toViewer(response: ViewerData): Viewer {
  if (!response) {
    return { ...unknownViewer, user: null, uid: null, enrolled: [] }
  }

  const exams = response.exams.map(({ courseId, secondsLeft }) => ({
    courseId,
    endsAt: performance.now() + secondsLeft * 1000,
  }))
  return { ...response, uid: response.user.uid, exams }
}

/** Without a response, the last known data is kept. A viewer who is still unknown is a visitor. */
function keepKnownViewer(knownViewer: Viewer): Viewer {
  return { ...knownViewer, user: knownViewer.user ?? null, uid: knownViewer.uid ?? null }
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}
