import * as z from 'zod'
import { commonQuestionFields, type ServerQuestionKind } from '../question-kind.server'
import { isAcceptedText } from '../typed-answer'
import { optionText } from './choice.server'

const schema = z.strictObject({
  type: z.literal('text'),
  ...commonQuestionFields,
  accepted: z.array(optionText).min(1).max(50),
})

export const textQuestion = {
  schema,

  check() {},

  listOptions() {
    return []
  },

  getUnit() {
    return null
  },

  isCorrect(question, answer) {
    return typeof answer === 'string' && isAcceptedText(answer, question.accepted)
  },

  getCorrectAnswer(question) {
    return question.accepted[0] ?? null
  },
} satisfies ServerQuestionKind<z.infer<typeof schema>>
