import { useEffect, useSyncExternalStore } from 'react'
import { useMatches } from 'react-router'
import * as browser from './features/learning/enrollment/browser-enrollments'
import { readKeptWish } from './features/learning/enrollment/kept-wish'
import type { Wishes } from './features/learning/enrollment/wish-button'
import type { RunningExamEnd } from './features/learning/exam/running-exams'
import type { ViewerAnswer } from './routes/viewer'
import { fetchAnswer } from './ui/fetch-answer'

type LearnerAnswer = NonNullable<ViewerAnswer>

/** What a page knows about its viewer. */
type Viewer = Pick<LearnerAnswer, 'wished' | 'reviews' | 'standing' | 'certificate'> & {
  /** Undefined until the first answer, null for a visitor. */
  user: LearnerAnswer['user'] | null | undefined
  uid: string | null | undefined
  /** Null in the server's HTML and until the page is hydrated. */
  enrollments: browser.BrowserEnrollments | null
  exams: readonly RunningExamEnd[]
}

/** A page that is about a course or a certificate, or that changes whether an exam runs, exports it as `handle`. */
export type ViewerQuestion<PageData> = {
  asksViewer(page: PageData): { course: string } | { certificate: string } | { exam: string }
}

const visitor = { user: null, enrolled: [], wished: [], reviews: null, standing: null, exams: [], certificate: null }
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

/** Asks anew, after something of the viewer's has changed, and moves to the account what waits for it. */
export async function refreshViewer(): Promise<void> {
  await askViewer()
  await storeWaiting()
}

/** What cannot be found out stays as it was known. */
async function askViewer(): Promise<void> {
  turn += 1
  const mine = turn
  const { marker, question } = asked
  const answer = hasCookie(marker) ? await fetchAnswer<ViewerAnswer>(`/viewer${question}`) : null
  if (mine !== turn) return
  const { user = null, enrollments } = readViewer()
  if (answer === undefined) return changeViewer({ user, uid: user?.uid ?? null })
  const { enrolled, exams, ...theirs } = answer ?? visitor
  const uid = theirs.user?.uid ?? null
  changeViewer({
    ...theirs,
    uid,
    enrollments: enrollments && browser.afterSession(enrollments, uid, enrolled),
    exams: exams.map(({ courseId, secondsLeft }) => ({ courseId, endsAt: performance.now() + secondsLeft * 1000 })),
  })
}

let storing: Promise<boolean> | null = null

/**
 * Moves to the account what only this browser knows: a visitor's wish and courses. Sign-in waits for it, so that the next
 * page finds the learner enrolled; whoever else asks meanwhile shares the request.
 *
 * @returns whether the account has answered.
 */
export function storeWaiting(): Promise<boolean> {
  storing ??= sendWaiting().finally(() => {
    storing = null
  })
  return storing
}

async function sendWaiting(): Promise<boolean> {
  if (!readViewer().uid || (coursesToSend().length === 0 && !readKeptWish())) return false
  // Only learners need it; if it can't be loaded, everything waits for the next page.
  const sender = await import('./features/learning/enrollment/waiting-choices').catch(() => null)
  const answered = (await sender?.sendChoices(coursesToSend, changeEnrollments)) ?? false
  if (answered) await askViewer()
  return answered
}

function coursesToSend(): readonly string[] {
  const { uid, enrollments } = readViewer()
  return uid && enrollments ? enrollments.waiting : []
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
