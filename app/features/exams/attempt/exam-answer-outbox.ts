import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { post } from '~/outbox/delivery'
import type { Kind, Result } from '~/outbox/outbox'
import type { AnswerResult } from './answer-queries.server'

export type GivenAnswer = {
  attemptId: string
  /** The number of the question in the attempt, from 1. */
  question: number
  value: LearnerAnswer
  /** One more than the latest revision that the server is known to have. */
  revision: number
  /** When the answer was given by this device's clock, in milliseconds. */
  givenAt: number
}

/** The result of a delivery, with the server's response if one arrived. */
export type SentAnswer = Result & { answer?: AnswerResult }

/**
 * Creates the outbox kind for exam answers, which has one entry per question. If several tabs or
 * devices answer the same question, the answer that was given last counts.
 */
export function createExamAnswerKind(send = post, now = Date.now): Kind<GivenAnswer, SentAnswer> {
  /** The last answer sent for each entry. It may be stored even if no response arrived. */
  const lastSentAnswers = new Map<string, GivenAnswer>()
  const savedRevisions = new Map<string, number>()

  return {
    name: 'exam-answer',
    async send({ key, body: given }, { leaving }) {
      // The learner may have given this answer before the previous one was acknowledged.
      const minRevision = (savedRevisions.get(key) ?? 0) + 1
      const body = { ...given, revision: Math.max(given.revision, minRevision) }
      const { givenAt, ...request } = body

      const previousAnswer = lastSentAnswers.get(key)
      lastSentAnswers.set(key, body)
      const ageMs = Math.max(0, now() - givenAt)
      const delivery = await send('/ExamAnswers', { ...request, ageMs }, leaving)
      const answer = delivery.answer as AnswerResult | null

      switch (answer?.outcome) {
        case 'saved':
          savedRevisions.set(key, answer.revision)
          return { outcome: 'delivered', answer }
        case 'stale': {
          const isStoredAnswerOwn =
            previousAnswer?.revision === answer.revision &&
            isSameAnswer(previousAnswer.value, answer.answer)
          const isLater = isStoredAnswerOwn || now() - givenAt < answer.ageMs
          if (!isLater) {
            return { outcome: 'refused', answer }
          }

          return { outcome: 'replaced', body: { ...body, revision: answer.revision + 1 }, answer }
        }
        case 'closed':
        case 'unreadable':
          return { outcome: 'refused', answer }
        // Another account is signed in. The answer waits until its own learner is back.
        case 'unknown':
          return { outcome: 'held-back', answer }
        default:
          return { outcome: delivery.outcome === 'signed-out' ? 'signed-out' : 'unreachable' }
      }
    },
  }
}

function isSameAnswer(one: LearnerAnswer, other: LearnerAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export const examAnswers = createExamAnswerKind()
