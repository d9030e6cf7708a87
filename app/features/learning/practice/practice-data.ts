import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { AskedQuestion } from '~/features/courses/questions/question-kinds'
import { addDays } from '../progress/study-time'

/** Questions a day: about five minutes. */
export const questionsADay = 10

/** Like '5 minutes' of practice: half a minute a question, and never less than one. */
export function practiceMinutes(questions: number): number {
  return Math.max(1, Math.round(questions / 2))
}

/** The state of a learner's practice today. */
export type PracticeToday = {
  /** Questions that are left today. */
  left: number
  practiced: number
  right: number
  /** The next day on which a question comes back, like 2026-11-23; null if none does. */
  nextOn: string | null
}

/** Whether there is something to show: questions today or on a later day, or today's result. */
export function hasPractice({ left, practiced, nextOn }: PracticeToday): boolean {
  return left > 0 || practiced > 0 || nextOn !== null
}

/** Names one answer: of which card, and which one. Sending it twice counts once. */
export type PracticeTurn = { courseId: string; questionId: string; turn: number }

export type PracticeQuestion = {
  turn: PracticeTurn
  question: AskedQuestion
  course: string
}

export type PracticeFeedback = PracticeQuestion & {
  given: LearnerAnswer
  isRight: boolean
  /** As a learner would give it. */
  solution: LearnerAnswer
  explanation: string
  /** Address of the place in a lesson that explains it. */
  place: string | null
}

/** Counts of cards in the database, without those whose question is gone. */
export type PracticeCounts = {
  due: number
  practiced: number
  right: number
  nextOn: string | null
}

/** Today's share of the due questions, however many wait. */
export function practiceToday(
  { due, practiced, right, nextOn }: PracticeCounts,
  today: string,
): PracticeToday {
  const left = Math.min(due, Math.max(0, questionsADay - practiced))
  const waits = due > left
  return { left, practiced, right, nextOn: waits ? addDays(today, 1) : nextOn }
}
