import { post, refusalIn } from '~/outbox/delivery'
import type { Kind, Result } from '~/outbox/outbox'
import type { LessonProgress } from '../progress/lesson-progress'

export type ReportBody = {
  address: string
  report: unknown
  /** How many changes of the visit it contains; only the page that made them compares it. */
  changes?: number
}

/** The lesson's state after the report. `now`: the server's time, in milliseconds since 1970. */
type ReportAnswer = { work: LessonProgress; done: boolean; now: number; followedUp: boolean }

export type SentReport = Result & { answer?: ReportAnswer }

/** One report a visit of a lesson waits; each contains the earlier ones of its visit. */
export const progressReports: Kind<ReportBody, SentReport> = {
  name: 'progress',
  async send({ body: { address, report } }, { leaving }) {
    const { outcome, answer } = await post(address, report as object, leaving)
    // The course was left: the report counts once the learner comes back.
    if (refusalIn(answer) === 'not-enrolled') {
      return { outcome: 'held-back' }
    }

    if (outcome !== 'delivered') {
      return { outcome }
    }

    const taken = answer as ReportAnswer
    if (taken.followedUp) {
      notifyPossibleReward()
    }

    return { outcome, answer: taken }
  },
}

const eventName = 'learnify:work-followed-up'

/**
 * The server has accepted work with possible consequences: a finished course, an achievement, a
 * streak.
 */
function notifyPossibleReward(): void {
  globalThis.window?.dispatchEvent(new Event(eventName))
}

/** @returns a function that ends it. */
export function onPossibleReward(listener: () => void): () => void {
  window.addEventListener(eventName, listener)
  return () => window.removeEventListener(eventName, listener)
}
