import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import * as browser from './features/learning/enrollment/browser-enrollments'
import type { Wishes } from './features/learning/enrollment/wish-button'
import type { ViewerAnswer } from './routes/viewer'
import { fetchAnswer } from './ui/fetch-answer'

type LearnerAnswer = NonNullable<ViewerAnswer>

/** What a page knows about its viewer. */
type Viewer = Pick<LearnerAnswer, 'wished' | 'reviews' | 'certificate'> & {
  /** Undefined until the first answer, null for a visitor. */
  user: LearnerAnswer['user'] | null | undefined
  uid: string | null | undefined
  /** Null in the server's HTML and until the page is hydrated. */
  enrollments: browser.BrowserEnrollments | null
}

/** A page that is about a course or a certificate exports it as `handle`. */
export type ViewerQuestion<PageData> = {
  asksViewer(page: PageData): { course: string } | { certificate: string }
}

const visitor = { user: null, enrolled: [], wished: [], reviews: null, certificate: null }
const nobodyYet: Viewer = { ...visitor, user: undefined, uid: undefined, enrollments: null }

/** Changes in the browser only: on the server, every page is the same for everyone. */
let known = nobodyYet
let asked = { marker: '', question: '' }
let turn = 0
const listeners = new Set<() => void>()

/** The one hook for everything personal. */
export function useViewer(): Viewer {
  return useSyncExternalStore(subscribe, readViewer, () => nobodyYet)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readViewer(): Viewer {
  if (known.enrollments === null) known = { ...known, enrollments: browser.readEnrollments() }
  return known
}

function changeViewer(changes: Partial<Viewer>): void {
  known = { ...readViewer(), ...changes }
  if (changes.enrollments) browser.keepEnrollments(changes.enrollments)
  for (const listener of listeners) listener()
}

/**
 * Once, at the root: asks at the first page and whenever the page is about something else.
 *
 * @param marker the cookie without which there is nothing to ask.
 */
export function useViewerQuestion(marker: string): void {
  const page = useMatches().at(-1)
  const handle = page?.handle as ViewerQuestion<unknown> | undefined
  const question = page?.loaderData && handle ? `?${new URLSearchParams(handle.asksViewer(page.loaderData))}` : ''
  useEffect(() => {
    // A page that the root could not load knows no cookie's name.
    if (!marker) return
    asked = { marker, question }
    void refreshViewer()
  }, [marker, question])
  useEffect(() => browser.watchEnrollments(takeFromOtherTab), [])
}

/** The other tab has already stored it. */
function takeFromOtherTab(enrollments: browser.BrowserEnrollments): void {
  known = { ...known, enrollments: browser.afterOtherTab(known.enrollments, enrollments) }
  for (const listener of listeners) listener()
}

/** Asks anew, after something of the viewer's has changed. What cannot be found out stays as it was known. */
export async function refreshViewer(): Promise<void> {
  turn += 1
  const mine = turn
  const { marker, question } = asked
  const answer = hasCookie(marker) ? await fetchAnswer<ViewerAnswer>(`/viewer${question}`) : null
  if (mine !== turn) return
  const { user = null, enrollments } = readViewer()
  const { enrolled, ...theirs } = answer ?? visitor
  const uid = (answer === undefined ? user : theirs.user)?.uid ?? null
  if (answer === undefined) changeViewer({ user, uid })
  else changeViewer({ ...theirs, uid, enrollments: enrollments && browser.afterSession(enrollments, uid, enrolled) })
}

function hasCookie(name: string): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}

export function useWishes(): Wishes {
  const { uid, wished } = useViewer()
  return { uid, wished, onWish: showWish, onStored: refreshViewer }
}

function showWish(courseId: string, wished: boolean): void {
  const others = readViewer().wished.filter((id) => id !== courseId)
  changeViewer({ wished: wished ? [...others, courseId] : others })
}

/** What this browser keeps until an account has it. */
export const changeEnrollments: browser.ChangeEnrollments = (change) => {
  const { enrollments } = readViewer()
  if (enrollments) changeViewer({ enrollments: change(enrollments) })
}
