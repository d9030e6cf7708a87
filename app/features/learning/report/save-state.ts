import type { Outcome } from '~/outbox/delivery'
import type { LessonProgress } from '../progress/lesson-progress'

/**
 * `collected`: more was played, and is sent within seconds. `unkept`: neither the server nor the
 * browser's storage has it, only this page.
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

export type ReporterState = { status: SaveStatus; work: LessonProgress; done: boolean }

const waiting: readonly SaveStatus[] = ['offline', 'unkept', 'signed-out', 'not-enrolled']

/**
 * The learner did something.
 *
 * @param sentNow whether it is sent at once. A problem stays until a report is taken.
 */
export function statusAfterChange(before: SaveStatus, sentNow: boolean): SaveStatus {
  if (waiting.includes(before)) {
    return before
  }

  return sentNow || before === 'saving' ? 'saving' : 'collected'
}

/**
 * @param everything whether the server has all that the learner waits to see saved.
 * @param stored whether the browser's storage has the rest.
 */
export function statusAfterDelivery(
  outcome: Outcome,
  everything: boolean,
  stored: boolean,
): SaveStatus {
  switch (outcome) {
    case 'delivered':
      return everything ? 'saved' : 'collected'
    case 'refused':
      return 'refused'
    case 'signed-out':
      return stored ? outcome : 'unkept'
    case 'held-back':
      return stored ? 'not-enrolled' : 'unkept'
    default:
      return stored ? 'offline' : 'unkept'
  }
}
