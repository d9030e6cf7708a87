import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { QuestionWithType } from '~/features/courses/questions/question-kinds'
import { addDays } from '../progress/study-time'

/** The number of questions per day, which takes about five minutes. */
export const questionsADay = 10

/** Returns how many minutes practice takes: half a minute per question, and at least one. */
export function practiceMinutes(questionCount: number): number {
  return Math.max(1, Math.round(questionCount / 2))
}

/** A learner's practice today. */
export type PracticeToday = {
  /** How many questions remain today. */
  remaining: number
  practiced: number
  right: number
  /** The next day on which a question returns, like "2026-11-23", or null if none does. */
  nextOn: string | null
}

/** Returns whether there are questions today or on a later day, or answers from today. */
export function hasPractice({ remaining, practiced, nextOn }: PracticeToday): boolean {
  return remaining > 0 || practiced > 0 || nextOn !== null
}

/** Identifies one answer by its question and the question's turn. */
export type PracticeTurn = { courseId: string; questionId: string; turn: number }

export type PracticeQuestion = {
  turn: PracticeTurn
  question: QuestionWithType
  /** The title of the course. */
  course: string
}

export type PracticeFeedback = PracticeQuestion & {
  given: LearnerAnswer
  isRight: boolean
  /** The right answer, in the form in which a learner would give it. */
  solution: LearnerAnswer
  explanation: string
  /** The URL of the lesson that explains the answer. */
  explanationUrl: string | null
}

/** Numbers of a learner's cards. Cards whose question no longer exists are not counted. */
export type PracticeCounts = {
  due: number
  practiced: number
  right: number
  nextOn: string | null
}

/** Returns today's practice, which is limited to `questionsADay`. */
export function practiceToday(
  { due, practiced, right, nextOn }: PracticeCounts,
  today: string,
): PracticeToday {
  const remaining = Math.min(due, Math.max(0, questionsADay - practiced))
  const hasMoreDue = due > remaining

  return { remaining, practiced, right, nextOn: hasMoreDue ? addDays(today, 1) : nextOn }
}
