import * as z from 'zod'
import { commonQuestionFields, type ServerQuestionKind } from '../question-kind.server'
import { checkChoice, options, optionText } from './choice.server'

const schema = z.strictObject({
  type: z.literal('multiple'),
  ...commonQuestionFields,
  options,
  answers: z.array(optionText).min(1).max(20),
})

export const multipleChoice = {
  schema,

  check({ options, answers }, report) {
    checkChoice({ options, correctOptions: answers, answerKey: 'answers' }, report)
  },

  listOptions(question) {
    return question.options
  },

  getUnit() {
    return null
  },

  isCorrect(question, answer, displayedOptions) {
    if (!Array.isArray(answer)) {
      return false
    }

    const chosenOptions = new Set(answer.map((position) => displayedOptions[position]))
    const correctOptions = new Set(question.answers)
    const areAllChosen = question.answers.every((correctOption) => chosenOptions.has(correctOption))
    return areAllChosen && chosenOptions.size === correctOptions.size
  },

  getCorrectAnswer(question, displayedOptions) {
    return question.answers
      .map((answer) => displayedOptions.indexOf(answer))
      .toSorted((a, b) => a - b)
  },
} satisfies ServerQuestionKind<z.infer<typeof schema>>
