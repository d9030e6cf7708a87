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

/** The kind of questions whose items the learner puts in order. The items are the options. */
export const orderingQuestion = {
  schema,

  check({ items }, report) {
    if (hasRepeatedTexts(items)) {
      report('Two items read the same, so their order can’t be told apart. Reword one.', 'items')
    }
  },

  /** The caller shuffles the options before it displays them. */
  listOptions({ items }) {
    return items
  },

  /** An ordering has no unit. */
  getUnit() {
    return null
  },

  /** @param answer the index of the displayed option, for each place in the learner's order */
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
