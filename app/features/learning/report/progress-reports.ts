import { post, refusalIn } from '~/outbox/delivery'
import type { Kind, Result } from '~/outbox/outbox'
import type { LessonProgress } from '../progress/lesson-progress'

/** The body of a waiting report. It is stored in the browser, so its fields must not change. */
export type ReportBody = {
  /** The path that the report is posted to. */
  address: string
  report: unknown
  /** The number of changes in the report. Only the page that made the changes reads it. */
  changes?: number
}

/** The server's response: the merged progress, and the server's time in milliseconds since 1970. */
type ReportResponse = { work: LessonProgress; done: boolean; now: number; followedUp: boolean }

export type SentReport = Result & { answer?: ReportResponse }

/**
 * The reports of progress that wait in this browser. There is at most one per visit to a lesson,
 * because each report contains the earlier ones of its visit.
 */
export const progressReports: Kind<ReportBody, SentReport> = {
  name: 'progress',
  async send({ body: { address: path, report } }, { leaving }) {
    const { outcome, answer } = await post(path, report as object, leaving)
    // The learner has left the course. The report counts once they enroll again.
    if (refusalIn(answer) === 'not-enrolled') {
      return { outcome: 'held-back' }
    }

    if (outcome !== 'delivered') {
      return { outcome }
    }

    const response = answer as ReportResponse
    if (response.followedUp) {
      notifyPossibleReward()
    }

    return { outcome, answer: response }
  },
}

const possibleRewardEvent = 'learnify:possible-reward'

/** Tells the page that a report may have completed a course, an achievement or a streak. */
function notifyPossibleReward(): void {
  globalThis.window?.dispatchEvent(new Event(possibleRewardEvent))
}

/**
 * Calls the listener when a report may have completed a course, an achievement or a streak.
 *
 * @returns a function that stops listening
 */
export function onPossibleReward(listener: () => void): () => void {
  window.addEventListener(possibleRewardEvent, listener)
  return () => window.removeEventListener(possibleRewardEvent, listener)
}
