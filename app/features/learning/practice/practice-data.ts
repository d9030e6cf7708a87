import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { QuestionWithType } from '~/features/courses/questions/question-kinds'
import { addDays } from '../progress/study-time'

/** The maximum number of questions that a learner practices in a day. They take five minutes. */
export const dailyQuestionLimit = 10

/** Estimates how long practice takes: half a minute per question, and at least one minute. */
export function estimatePracticeMinutes(questionCount: number): number {
  return Math.max(1, Math.round(questionCount / 2))
}

/** What a learner has practiced today, and what remains. */
export type PracticeToday = {
  /** The number of questions that the learner can still practice today. */
  remainingCount: number
  practicedCount: number
  /** The number of questions that the learner answered correctly today. */
  correctCount: number
  /** The next day on which a question is due, such as "2026-11-23", or null if there is none. */
  nextDueDay: string | null
}

/** Returns whether a learner has questions to practice, today or later, or has practiced today. */
export function hasPractice({
  remainingCount,
  practicedCount,
  nextDueDay,
}: PracticeToday): boolean {
  return remainingCount > 0 || practicedCount > 0 || nextDueDay !== null
}

/**
 * One time that a learner is asked a question. A question comes back until the learner knows it,
 * and `turn` counts these times from 0.
 */
export type PracticeTurn = { courseId: string; questionId: string; turn: number }

export type PracticeQuestion = {
  turn: PracticeTurn
  question: QuestionWithType
  courseTitle: string
}

/** A question that the learner has answered, with the correct answer and its explanation. */
export type PracticeFeedback = PracticeQuestion & {
  answer: LearnerAnswer
  isCorrect: boolean
  /** The correct answer in the form of a learner's answer. */
  correctAnswer: LearnerAnswer
  explanation: string
  /** The URL of the lesson that explains the answer. */
  explanationUrl: string | null
}

/**
 * The numbers of a learner's questions in practice, before the daily limit. Questions that no
 * longer exist are not counted.
 */
export type PracticeCounts = {
  /** The number of questions that are due today or have been due for longer. */
  dueCount: number
  practicedCount: number
  correctCount: number
  /** The first day after today on which a question is due. */
  nextDueDay: string | null
}

/** Applies the daily limit: due questions above the limit are due tomorrow. */
export function getPracticeToday(
  { dueCount, practicedCount, correctCount, nextDueDay }: PracticeCounts,
  today: string,
): PracticeToday {
  const remainingLimit = Math.max(0, dailyQuestionLimit - practicedCount)
  const remainingCount = Math.min(dueCount, remainingLimit)
  const hasMoreDue = dueCount > remainingCount

  return {
    remainingCount,
    practicedCount,
    correctCount,
    nextDueDay: hasMoreDue ? addDays(today, 1) : nextDueDay,
  }
}

/**
 * Returns the place of the displayed question among today's, and how much of today is practiced.
 */
export function getQuestionPosition(
  { practicedCount, remainingCount }: PracticeToday,
  { isAnswered }: { isAnswered: boolean },
): { number: number; count: number; percent: number } {
  // An answered question is counted as practiced already, unless its answer counts for another day.
  const number = isAnswered ? Math.max(practicedCount, 1) : practicedCount + 1
  const count = Math.max(practicedCount + remainingCount, number)
  return { number, count, percent: Math.floor((practicedCount / count) * 100) }
}
