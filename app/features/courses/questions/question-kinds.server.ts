import * as z from 'zod'
import { multipleChoice, singleChoice } from './kinds/choice.server'
import { orderingQuestion } from './kinds/ordering.server'
import { numericQuestion, textQuestion } from './kinds/typed.server'
import type { ServerQuestionKind } from './question-kind.server'
import type { QuestionType } from './question-kinds'

/** The file format and the grading of every kind in `question-kinds.ts`. */
const serverQuestionKinds = {
  single: singleChoice,
  multiple: multipleChoice,
  ordering: orderingQuestion,
  numeric: numericQuestion,
  text: textQuestion,
} satisfies Record<QuestionType, unknown>

/** A question of exam.yaml. */
export const examQuestionSchema = z.discriminatedUnion('type', [
  singleChoice.schema,
  multipleChoice.schema,
  orderingQuestion.schema,
  numericQuestion.schema,
  textQuestion.schema,
])

/** A question with its correct answer, which must not reach a browser during an attempt. */
export type ExamQuestion = z.infer<typeof examQuestionSchema>

/** Returns the kind of a question. Its functions may only be called with questions of that kind. */
export function getServerQuestionKind(question: ExamQuestion): ServerQuestionKind<ExamQuestion> {
  return serverQuestionKinds[question.type]
}
