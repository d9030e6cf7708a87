import * as z from 'zod'
import { hasRepeatedTexts } from '../check-questions.server'
import { commonQuestionFields, type ServerQuestionKind } from '../question-kind.server'
import { optionText } from './choice.server'

const schema = z.strictObject({
  type: z.literal('ordering'),
  ...commonQuestionFields,
  /** The items are in the correct order. The learner gets them shuffled. */
  items: z.array(optionText).min(3).max(20),
})

export const orderingQuestion = {
  schema,

  check({ items }, report) {
    if (hasRepeatedTexts(items)) {
      report('Two items read the same, so their order can’t be told apart. Reword one.', 'items')
    }
  },

  listOptions(question) {
    return question.items
  },

  getUnit() {
    return null
  },

  isCorrect({ items }, answer, displayedOptions) {
    if (!Array.isArray(answer) || answer.length !== items.length) {
      return false
    }

    return items.every((item, index) => displayedOptions[answer[index]] === item)
  },

  getCorrectAnswer({ items }, displayedOptions) {
    return items.map((item) => displayedOptions.indexOf(item))
  },
} satisfies ServerQuestionKind<z.infer<typeof schema>>
