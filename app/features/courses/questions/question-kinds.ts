import { multipleChoice, singleChoice } from './kinds/choice'
import { orderingQuestion } from './kinds/ordering'
import { numericQuestion, textQuestion } from './kinds/typed'
import type { DisplayedQuestion, LearnerAnswer, QuestionKind } from './question-kind'

/**
 * All kinds of questions, by the `type` that authors write in exam.yaml. `question-kinds.server.ts`
 * lists their file formats and grading.
 */
export const questionKinds = {
  single: singleChoice,
  multiple: multipleChoice,
  ordering: orderingQuestion,
  numeric: numericQuestion,
  text: textQuestion,
} satisfies Record<string, QuestionKind>

export type QuestionType = keyof typeof questionKinds

export type QuestionWithType = DisplayedQuestion & { type: QuestionType }

/** Returns the kind with this type, or null if there is none. The type comes from a form. */
export function findQuestionKind(type: string): QuestionKind | null {
  return Object.hasOwn(questionKinds, type) ? questionKinds[type as QuestionType] : null
}

export const invalidAnswerMessage = 'This isn’t a valid answer to the question.'

/**
 * Checks an answer that a browser sent.
 *
 * @returns the answer in its stored form, null for "not answered", or undefined if the question
 * can't have this answer
 */
export function readAnswer(
  { type, options }: Pick<QuestionWithType, 'type' | 'options'>,
  value: unknown,
): LearnerAnswer | undefined {
  if (value === null || value === '') {
    return null
  }

  return questionKinds[type].readAnswer(value, options.length)
}
