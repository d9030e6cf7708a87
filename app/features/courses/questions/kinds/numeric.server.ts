import * as z from 'zod'
import { line } from '~/server/validation/content-fields'
import { commonQuestionFields, type ServerQuestionKind } from '../question-kind.server'
import { readNumbers } from '../typed-answer'

const schema = z.strictObject({
  type: z.literal('numeric'),
  ...commonQuestionFields,
  answer: z.number(),
  tolerance: z.number().nonnegative(),
  /** A digit at the start would be read as part of the learner's number. */
  unit: line(20)
    .regex(/^[^\d.,+-]/, 'Start the unit with a letter or a symbol like %.')
    .optional(),
})

type NumericQuestion = z.infer<typeof schema>

export const numericQuestion = {
  schema,

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

    const possibleNumbers = readNumbers(answer, question.unit)
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
