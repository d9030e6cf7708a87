import type { LessonWork } from '../../course-work/lesson-work'
import type { Delivery } from './report-delivery'

/**
 * `collected`: more was played, and is sent within seconds. `unkept`: neither the server nor the browser's storage has it,
 * only this page.
 */
export type SaveStatus =
  | 'saved'
  | 'collected'
  | 'saving'
  | 'offline'
  | 'unkept'
  | 'signed-out'
  | 'not-enrolled'
  | 'refused'

export type ReporterState = { status: SaveStatus; work: LessonWork; done: boolean }

const waiting: readonly SaveStatus[] = ['offline', 'unkept', 'signed-out', 'not-enrolled']

/** The learner did something. @param sentNow whether it is sent at once. A problem stays until a report is taken. */
export function statusAfterChange(before: SaveStatus, sentNow: boolean): SaveStatus {
  if (waiting.includes(before)) return before
  return sentNow || before === 'saving' ? 'saving' : 'collected'
}

/** @param everything whether the server has all that the learner waits to see saved. */
export function statusAfterDelivery(outcome: Delivery['outcome'], everything: boolean, stored: boolean): SaveStatus {
  if (outcome === 'unreachable') return stored ? 'offline' : 'unkept'
  if (outcome === 'signed-out' || outcome === 'not-enrolled') return stored ? outcome : 'unkept'
  if (outcome === 'refused') return 'refused'
  return everything ? 'saved' : 'collected'
}
