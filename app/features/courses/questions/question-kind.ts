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
 * A question as the browser knows it before the attempt is submitted. It has no ID, because the
 * authors' IDs often hint at the answer. The browser refers to a question by its number in the
 * attempt, from 1.
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
  value: LearnerAnswer
  /** @param isTyped whether the learner is still typing, so that saving may wait for a pause. */
  onAnswer(value: LearnerAnswer, isTyped?: boolean): void
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
 * What the browser needs to know about a kind of question. The same module tells the server how to
 * read an answer, because a form without JavaScript is read there.
 *
 * `ServerQuestionKind` is the other half: the file format and the grading, which need the correct
 * answer and therefore never reach the browser.
 */
export type QuestionKind = {
  /** Says under the prompt how to answer. */
  hint: string

  /**
   * Whether the order of the options is what the learner answers with. Such a question is drawn in
   * an order that is not the correct one, and its answers are displayed as numbered lists.
   */
  isAnsweredByOrder: boolean

  /**
   * Checks an answer that came from outside.
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
