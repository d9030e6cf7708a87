import { multipleChoice, singleChoice } from './kinds/choice'
import { orderingQuestion } from './kinds/ordering'
import { numericQuestion, textQuestion } from './kinds/typed'
import type { DisplayedQuestion, LearnerAnswer, QuestionKind } from './question-kind'

/**
 * All kinds of questions, by the `type` that authors write in exam.yaml. `question-kinds.server.ts`
 * lists the other half of each kind.
 */
export const questionKinds = {
  single: singleChoice,
  multiple: multipleChoice,
  ordering: orderingQuestion,
  numeric: numericQuestion,
  text: textQuestion,
} satisfies Record<string, QuestionKind>

export type QuestionType = keyof typeof questionKinds

export type AskedQuestion = DisplayedQuestion & { type: QuestionType }

/** Returns the kind that a submitted form names, or null if there is no such kind. */
export function findQuestionKind(type: string): QuestionKind | null {
  return Object.hasOwn(questionKinds, type) ? questionKinds[type as QuestionType] : null
}

export const unreadableAnswer = 'This isn’t a valid answer to the question.'

/**
 * Checks an answer that came from outside.
 *
 * @returns the answer in its stored form, null for "not answered", or undefined if the question
 * can't have this answer
 */
export function readAnswer(
  { type, options }: Pick<AskedQuestion, 'type' | 'options'>,
  value: unknown,
): LearnerAnswer | undefined {
  if (value === null || value === '') {
    return null
  }

  return questionKinds[type].readAnswer(value, options.length)
}
