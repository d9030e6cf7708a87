import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { post } from '~/outbox/delivery'
import type { Kind, Result } from '~/outbox/outbox'
import type { AnswerResult } from './answer-queries.server'

export type GivenAnswer = {
  attemptId: string
  /** Its number in the attempt, from 1. */
  question: number
  value: LearnerAnswer
  /** One more than the latest that the server is known to have. */
  revision: number
  /** By this device's clock, in milliseconds. */
  givenAt: number
}

/** `answer`: the server's, if one came. */
export type SentAnswer = Result & { answer?: AnswerResult }

/**
 * Answers of exams, one a question. Where several tabs or devices answer the same question, the
 * answer that was given last counts.
 */
export function examAnswerKind(send = post, now = Date.now): Kind<GivenAnswer, SentAnswer> {
  /** The last answer that left for each entry: it may be stored although nothing came back. */
  const attempts = new Map<string, GivenAnswer>()
  const savedRevisions = new Map<string, number>()

  return {
    name: 'exam-answer',
    async send({ key, body: given }, { leaving }) {
      // It may have been given before the earlier one was acknowledged.
      const body = {
        ...given,
        revision: Math.max(given.revision, (savedRevisions.get(key) ?? 0) + 1),
      }
      const { givenAt, ...request } = body
      const before = attempts.get(key)
      attempts.set(key, body)
      const ageMs = Math.max(0, now() - givenAt)
      const delivery = await send('/ExamAnswers', { ...request, ageMs }, leaving)
      const answer = delivery.answer as AnswerResult | null
      switch (answer?.outcome) {
        case 'saved':
          savedRevisions.set(key, answer.revision)
          return { outcome: 'delivered', answer }
        case 'stale': {
          const isOwn = before?.revision === answer.revision && isSame(before.value, answer.answer)
          const isLater = isOwn || now() - givenAt < answer.ageMs
          if (!isLater) {
            return { outcome: 'refused', answer }
          }

          return { outcome: 'replaced', body: { ...body, revision: answer.revision + 1 }, answer }
        }
        case 'closed':
        case 'unreadable':
          return { outcome: 'refused', answer }
        // Another account is signed in: the answer waits for its own learner.
        case 'unknown':
          return { outcome: 'held-back', answer }
        default:
          return { outcome: delivery.outcome === 'signed-out' ? 'signed-out' : 'unreachable' }
      }
    },
  }
}

function isSame(one: LearnerAnswer, other: LearnerAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export const examAnswers = examAnswerKind()
