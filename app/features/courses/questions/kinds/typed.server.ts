import * as z from 'zod'
import { line } from '~/server/validation/content-fields'
import { isAcceptedText } from '../accepted-text'
import { commonQuestionFields, type ServerQuestionKind } from '../question-kind.server'
import { listPossibleNumbers } from '../typed-number'
import { optionText } from './choice.server'

/** The kinds of questions whose answer is typed: a number or a short text. */

const numericSchema = z.strictObject({
  type: z.literal('numeric'),
  ...commonQuestionFields,
  answer: z.number(),
  tolerance: z.number().nonnegative(),
  /** A digit at the start would be read as part of the learner's number. */
  unit: line(20)
    .regex(/^[^\d.,+-]/, 'Start the unit with a letter or a symbol like %.')
    .optional(),
})

type NumericQuestion = z.infer<typeof numericSchema>

export const numericQuestion = {
  schema: numericSchema,

  check() {},

  listOptions() {
    return []
  },

  getUnit(question) {
    return question.unit ?? null
  },

  isCorrect(question, answer) {
    if (typeof answer !== 'string') {
      return false
    }

    const possibleNumbers = listPossibleNumbers(answer, question.unit)
    return possibleNumbers.some((number) => isWithinTolerance(number, question))
  },

  getCorrectAnswer(question) {
    return String(question.answer)
  },
} satisfies ServerQuestionKind<NumericQuestion>

/** Both ends of the tolerance are correct. */
function isWithinTolerance(number: number, { answer, tolerance }: NumericQuestion): boolean {
  // 0.1 + 0.2 has to count as 0.3.
  const roundingError = Number.EPSILON * 8 * Math.max(Math.abs(number), Math.abs(answer))
  return Math.abs(number - answer) <= tolerance + roundingError
}

const textSchema = z.strictObject({
  type: z.literal('text'),
  ...commonQuestionFields,
  accepted: z.array(optionText).min(1).max(50),
})

export const textQuestion = {
  schema: textSchema,

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
} satisfies ServerQuestionKind<z.infer<typeof textSchema>>
