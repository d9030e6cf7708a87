import * as z from 'zod'
import { commonQuestionFields, type ServerQuestionKind } from '../question-kind.server'
import { checkChoice, options, optionText } from './choice.server'

const schema = z.strictObject({
  type: z.literal('single'),
  ...commonQuestionFields,
  options,
  answer: optionText,
})

export const singleChoice = {
  schema,

  check({ options, answer }, report) {
    checkChoice({ options, correctOptions: [answer], answerKey: 'answer' }, report)
  },

  listOptions(question) {
    return question.options
  },

  getUnit() {
    return null
  },

  isCorrect(question, answer, displayedOptions) {
    return typeof answer === 'number' && displayedOptions[answer] === question.answer
  },

  getCorrectAnswer(question, displayedOptions) {
    return displayedOptions.indexOf(question.answer)
  },
} satisfies ServerQuestionKind<z.infer<typeof schema>>
