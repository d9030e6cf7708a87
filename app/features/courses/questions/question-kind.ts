import type { ReactNode } from 'react'

/**
 * A learner's answer in the one form in which it is stored.
 *
 * - A single choice is the position of the option on the learner's screen, from 0.
 * - A multiple choice is a list of such positions in ascending order.
 * - An ordering is a list of all positions in the learner's order.
 * - A number or a short text is stored as it was typed.
 * - Null means that the question is not answered.
 */
export type LearnerAnswer = number | readonly number[] | string | null

/**
 * The part of a question that the browser gets before the attempt is submitted. It has no ID,
 * because the authors' IDs often hint at the answer. The browser refers to a question by its number
 * in the attempt, from 1.
 */
export type DisplayedQuestion = {
  prompt: string
  /** The options in the order of this attempt. Empty if the answer is typed. */
  options: readonly string[]
  /** The unit beside a number field. */
  unit: string | null
}

export type AnswerFieldProps = {
  question: DisplayedQuestion
  /** The learner's answer so far. */
  value: LearnerAnswer
  /**
   * @param isTyping true while the learner is typing, so that saving may wait for a pause; by
   * default false
   */
  onAnswer(value: LearnerAnswer, isTyping?: boolean): void
  /** The ID of the element that says how to answer. */
  hintId: string
}

export type AnswerComparisonProps = {
  question: DisplayedQuestion
  answer: LearnerAnswer
  correctAnswer: LearnerAnswer
  isCorrect: boolean
}

/**
 * A kind of question as the learner sees it: its hint, its input and its result. The server uses
 * `readAnswer` and `readFormFields` as well, to check answers and forms without JavaScript.
 *
 * `ServerQuestionKind` defines how course files contain the same kind, and how it is graded. Both
 * need the correct answer and therefore never reach the browser.
 */
export type QuestionKind = {
  /** The text under the prompt that says how to answer. */
  hint: string

  /**
   * Whether the learner's order of the options is the answer. The options of such a question are
   * never displayed in the correct order at first, and its answers are displayed as numbered lists.
   */
  isAnsweredByOrder: boolean

  /**
   * Checks an answer that a browser sent.
   *
   * @returns the answer in its stored form, or undefined if the question can't have this answer
   */
  readAnswer(value: unknown, optionCount: number): LearnerAnswer | undefined

  /** Returns the answer in the fields of a submitted form, for `readAnswer` to check. */
  readFormFields(fields: readonly string[]): unknown

  /** The input of the answer. It belongs to a form that works without JavaScript. */
  AnswerField(props: AnswerFieldProps): ReactNode

  /** The learner's answer beside the correct one. */
  AnswerComparison(props: AnswerComparisonProps): ReactNode
}
