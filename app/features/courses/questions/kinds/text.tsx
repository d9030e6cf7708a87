import type { QuestionKind } from '../question-kind'
import { readTypedAnswer, TypedAnswerField, TypedComparison } from './typed'

export const textQuestion: QuestionKind = {
  hint: 'Enter a short answer. Capitalization doesn’t matter.',
  isAnsweredByOrder: false,
  readAnswer: readTypedAnswer,

  readFormFields(fields) {
    return fields[0] ?? null
  },

  AnswerField: TypedAnswerField,
  AnswerComparison: TypedComparison,
}
