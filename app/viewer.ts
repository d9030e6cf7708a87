import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import { sendChoices } from '~/features/enrollment/course-choices'
import type { RunningExamEnd } from '~/features/exams/attempt/running-exams'
import type { ViewerAnswer } from '~/routes/accounts/viewer'
import { fetchJson } from '~/ui/connection'

type LearnerAnswer = NonNullable<ViewerAnswer>

/** The viewer's data on a page. */
type Viewer = Pick<
  LearnerAnswer,
  'courses' | 'wished' | 'practice' | 'reviews' | 'progress' | 'certificate'
> & {
  /** Undefined until the first answer, null for a visitor. */
  user: LearnerAnswer['user'] | null | undefined
  uid: string | null | undefined
  /** Null while it can't be known. */
  enrolled: readonly string[] | null
  exams: readonly RunningExamEnd[]
}

/**
 * A page that is about a course or a certificate, or that changes whether an exam runs, exports it
 * as `handle`.
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

/** Changes in the browser only: on the server, every page is the same for everyone. */
let viewer = unknownViewer
let asked = { marker: '', question: '' }
let requests = 0
const listeners = new Set<() => void>()

/** The one hook for everything personal. */
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
 * Once, at the root: asks at the first page and whenever the page is about something else.
 *
 * @param marker the cookie without which there is nothing to ask.
 */
export function useViewerQuestion(marker: string): void {
  const page = useMatches().at(-1)
  const handle = page?.handle as ViewerQuestion<unknown> | undefined
  const question =
    page?.loaderData && handle ? `?${new URLSearchParams(handle.asksViewer(page.loaderData))}` : ''
  useEffect(() => {
    // A page that the root could not load knows no cookie's name.
    if (!marker) {
      return
    }

    asked = { marker, question }
    void refreshViewer()
  }, [marker, question])
}

/** Reloads the viewer's data after a change, and sends this browser's outbox to the account. */
export async function refreshViewer(): Promise<void> {
  requests += 1
  const request = requests
  const { marker, question } = asked
  const answer = hasCookie(marker) ? await fetchJson<ViewerAnswer>(`/viewer${question}`) : null
  // A late answer is discarded.
  if (request !== requests) {
    return
  }

  viewer = answer === undefined ? withoutAnswer(viewer) : viewerOf(answer)
  for (const listener of listeners) {
    listener()
  }

  if (viewer.uid) {
    await sendChoices(viewer.uid)
  }
}

function viewerOf(answer: ViewerAnswer): Viewer {
  if (!answer) {
    return { ...unknownViewer, user: null, uid: null, enrolled: [] }
  }

  const exams = answer.exams.map(({ courseId, secondsLeft }) => ({
    courseId,
    endsAt: performance.now() + secondsLeft * 1000,
  }))
  return { ...answer, uid: answer.user.uid, exams }
}

/** Without a response, the last known data stays. */
function withoutAnswer(before: Viewer): Viewer {
  return { ...before, user: before.user ?? null, uid: before.uid ?? null }
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}
