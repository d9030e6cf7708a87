import { getRefusalCode, postEntry } from '~/outbox/delivery'
import type { EntryKind, SendResult } from '~/outbox/entry-kind'
import type { LessonProgress } from '../progress/lesson-progress'

/** The body of a waiting report. It is stored in the browser, so its fields must not change. */
export type ReportBody = {
  /** The path that the report is posted to. */
  address: string
  report: object
  /** The number of changes in the report. Only the page that made the changes reads it. */
  changes?: number
}

export type ReportSendResult = SendResult & { response?: ReportResponse }

type ReportResponse = {
  /** The merged progress. */
  work: LessonProgress
  done: boolean
  /** The server's time in milliseconds since 1970. */
  now: number
  /** Whether the report may have completed a course, an achievement or a streak. */
  followedUp: boolean
}

/**
 * How long a report waits for its learner to enroll in the course again. After that time, the
 * browser removes the report.
 */
const maxWaitForEnrollmentMs = 30 * 86_400_000

/**
 * The reports of progress that wait in this browser. There is at most one per visit to a lesson,
 * because each report contains the earlier ones of its visit.
 */
export const progressReports: EntryKind<ReportBody, ReportSendResult> = {
  name: 'progress',

  async send({ putAt, body: { address: path, report } }, { isPageClosing }) {
    const { outcome, responseBody } = await postEntry(path, report, { isPageClosing })
    if (getRefusalCode(responseBody) === 'not-enrolled') {
      // The learner has left the course. The report counts once they enroll again.
      const isExpired = Date.now() - putAt > maxWaitForEnrollmentMs
      return { outcome: isExpired ? 'refused' : 'held-back' }
    }

    if (outcome !== 'delivered') {
      return { outcome }
    }

    const response = responseBody as ReportResponse
    if (response.followedUp) {
      notifyPossibleReward()
    }

    return { outcome, response }
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
 * @returns a function that unsubscribes
 */
export function onPossibleReward(listener: () => void): () => void {
  window.addEventListener(possibleRewardEvent, listener)
  return () => window.removeEventListener(possibleRewardEvent, listener)
}
