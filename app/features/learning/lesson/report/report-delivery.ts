import type { LessonWork } from '../../course-work/lesson-work'
import { tellWorkFollowedUp } from '../../course-work/work-followed-up'
import { openedAtOf } from './lesson-visit'
import type { KeptReport, ReportStore } from './report-store'

/**
 * What became of a report: taken, refused for good, or to be tried again (offline, signed out, a course that was left, an
 * error of the server).
 */
export type Delivery =
  | { outcome: 'taken'; work: LessonWork; done: boolean; now: number }
  | { outcome: 'refused' | 'signed-out' | 'not-enrolled' | 'unreachable' }

/** So long the work of a course that was left waits for the learner to come back. */
const waitsForReturnMs = 30 * 86_400_000

/** Statuses that say nothing about the report itself. */
const tryAgain = new Set([408, 425, 429])

/**
 * Sends one report.
 *
 * @param leaving lets the browser finish the request after the page is gone.
 */
export async function deliver({ address, report }: KeptReport, { leaving = false } = {}): Promise<Delivery> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(report),
      keepalive: leaving,
    })
    if (response.ok) {
      const { followedUp, ...taken } = await response.json()
      if (followedUp) tellWorkFollowedUp()
      return { outcome: 'taken', ...taken }
    }
    const refusal = await refusalIn(response)
    if (response.status === 401 || refusal === 'other-learner') return { outcome: 'signed-out' }
    if (refusal === 'not-enrolled') return { outcome: 'not-enrolled' }
    return { outcome: response.status >= 500 || tryAgain.has(response.status) ? 'unreachable' : 'refused' }
  } catch {
    return { outcome: 'unreachable' }
  }
}

async function refusalIn(response: Response): Promise<unknown> {
  if (response.status !== 403) return null
  const answer = await response.json().catch(() => null)
  return answer?.refusal
}

/**
 * Sends what earlier visits left behind: a tab was closed offline. Only this learner's reports are touched; those of
 * somebody else who used this browser wait for them.
 *
 * @returns whether anything was taken, so that what is shown may be out of date.
 */
export function deliverKept(store: ReportStore, uid: string, except?: string): Promise<boolean> {
  return oneAtATime(() => deliverAll(store, uid, except))
}

/** Several pages, and parts of one, may find the same reports; each is sent once where the browser can lock. */
function oneAtATime(work: () => Promise<boolean>): Promise<boolean> {
  return globalThis.navigator?.locks ? navigator.locks.request('learnify-reports', work) : work()
}

async function deliverAll(store: ReportStore, uid: string, except?: string): Promise<boolean> {
  let taken = false
  for (const kept of await store.listOf(uid)) {
    if (kept.key === except) continue
    const { outcome } = await deliver(kept)
    if (outcome === 'taken') taken = true
    const waitsInVain = outcome === 'not-enrolled' && Date.now() - openedAtOf(kept) > waitsForReturnMs
    if (outcome === 'taken' || outcome === 'refused' || waitsInVain) await store.settle(kept)
    if (outcome === 'signed-out') break
  }
  return taken
}
