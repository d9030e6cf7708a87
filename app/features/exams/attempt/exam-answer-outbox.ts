/**
 * Sends the answers of an exam from the outbox of this browser.
 *
 * There is one entry per question. If several tabs or devices answer the same question, the answer
 * that was given last counts. The server orders answers by their revisions, and a device that was
 * offline may have counted too low. If the server calls an answer stale, this module compares when
 * the two answers were given. The later one wins: it is sent again with a higher revision.
 */
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { postEntry } from '~/outbox/delivery'
import type { EntryKind, SendResult } from '~/outbox/entry-kind'
import type { RecordAnswerResult } from './answer-queries.server'

/** The body of an entry. It is stored in the browser, so its fields must not change. */
export type ExamAnswer = {
  attemptId: string
  /** The number of the question in the attempt, from 1. */
  question: number
  value: LearnerAnswer
  /** One more than the latest revision that the server is known to have. */
  revision: number
  /** When the answer was given by this device's clock, in milliseconds. */
  givenAt: number
}

export type ExamAnswerSendResult = SendResult & {
  /** What the server said about the answer. It is missing if no response arrived. */
  serverResult?: RecordAnswerResult
}

/** How long an answer waits for its learner to sign in. Every attempt is over long before. */
const maxWaitForLearnerMs = 30 * 86_400_000

/** The kind of the outbox entries with exam answers. */
export const examAnswers = createExamAnswerKind()

/** Tests pass their own server and clock. */
export function createExamAnswerKind(
  post = postEntry,
  now = Date.now,
): EntryKind<ExamAnswer, ExamAnswerSendResult> {
  /** The last answer sent for each entry. The server may have it even if no response arrived. */
  const lastSentAnswers = new Map<string, ExamAnswer>()
  /** The latest revision of each entry that the server has acknowledged. */
  const savedRevisions = new Map<string, number>()

  const isExpired = (putAt: number) => now() - putAt > maxWaitForLearnerMs

  return {
    name: 'exam-answer',

    async send({ key, putAt, body }, { isPageClosing }) {
      // The learner may have given this answer before the previous one was acknowledged.
      const minRevision = (savedRevisions.get(key) ?? 0) + 1
      const answer = { ...body, revision: Math.max(body.revision, minRevision) }

      const previousAnswer = lastSentAnswers.get(key)
      lastSentAnswers.set(key, answer)

      const { givenAt, ...answerFields } = answer
      const requestBody = { ...answerFields, ageMs: Math.max(0, now() - givenAt) }
      const { outcome, responseBody } = await post('/ExamAnswers', requestBody, { isPageClosing })
      const serverResult = responseBody as RecordAnswerResult | null

      switch (serverResult?.outcome) {
        case 'saved':
          savedRevisions.set(key, serverResult.revision)
          return { outcome: 'delivered', serverResult }

        case 'stale': {
          // This device's previous answer may be the stored one, if its response was lost.
          const isOwnAnswerStored =
            previousAnswer?.revision === serverResult.revision &&
            isSameAnswer(previousAnswer.value, serverResult.answer)
          const isLaterThanStored = now() - givenAt < serverResult.ageMs
          if (!isOwnAnswerStored && !isLaterThanStored) {
            return { outcome: 'refused', serverResult }
          }

          const resentAnswer: ExamAnswer = { ...answer, revision: serverResult.revision + 1 }
          return { outcome: 'needs-resend', body: resentAnswer, serverResult }
        }

        case 'closed':
        case 'unreadable':
          return { outcome: 'refused', serverResult }

        case 'unknown':
          // Another account is signed in. The answer waits until its own learner is back.
          return { outcome: isExpired(putAt) ? 'refused' : 'held-back', serverResult }

        default:
          // The response does not come from this endpoint, so the answer has to be sent again.
          return { outcome: outcome === 'signed-out' ? 'signed-out' : 'unreachable' }
      }
    },
  }
}

function isSameAnswer(one: LearnerAnswer, other: LearnerAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
