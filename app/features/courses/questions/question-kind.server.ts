import type * as z from 'zod'
import { explainedIn, slug, text } from '~/server/validation/content-fields'
import type { LearnerAnswer } from './question-kind'

/**
 * The part of a question kind that needs the correct answer: its format in exam.yaml and its
 * grading. It stays on the server. `QuestionKind` is the part that learners see.
 *
 * A learner's answer names options by their positions on the screen, so grading gets the displayed
 * options, in the order that was drawn for the attempt.
 */
export interface ServerQuestionKind<Question> {
  /** The format in exam.yaml. */
  schema: z.ZodType<Question>

  /** Reports problems that the schema can't express, such as two options with the same text. */
  check(question: Question, report: ReportQuestionProblem): void

  /** Returns the options in the order of exam.yaml; none if the answer is typed. */
  listOptions(question: Question): readonly string[]

  /** Returns the unit of a number. */
  getUnit(question: Question): string | null

  isCorrect(
    question: Question,
    answer: Exclude<LearnerAnswer, null>,
    displayedOptions: readonly string[],
  ): boolean

  /** Returns the correct answer in the form of a learner's answer. */
  getCorrectAnswer(question: Question, displayedOptions: readonly string[]): LearnerAnswer
}

/** @param key the key of the question in exam.yaml that has the problem */
export type ReportQuestionProblem = (problem: string, key: string) => void

/** The keys of exam.yaml that every question has, whatever its kind. */
export const commonQuestionFields = {
  id: slug,
  prompt: text,
  explanation: text,
  explainedIn: explainedIn.optional(),
}
