import type { AnswerFieldProps, QuestionKind } from '../question-kind'
import { readNumbers } from '../typed-answer'
import { readTypedAnswer, TypedAnswerField, TypedComparison } from './typed'

export const numericQuestion: QuestionKind = {
  hint: 'Enter a number.',
  isAnsweredByOrder: false,
  readAnswer: readTypedAnswer,

  readFormFields(fields) {
    return fields[0] ?? null
  },

  AnswerField: NumericAnswerField,
  AnswerComparison: TypedComparison,
}

/** A text field that says at once if the number can't be read, or can be read in two ways. */
function NumericAnswerField(props: AnswerFieldProps) {
  const { value, question } = props
  const note = typeof value === 'string' ? getNumberNote(value, question.unit) : null

  return <TypedAnswerField {...props} note={note} />
}

function getNumberNote(text: string, unit: string | null): string | null {
  if (text.trim() === '') {
    return null
  }

  const [number, otherNumber] = readNumbers(text, unit)
  if (number === undefined) {
    return unit ? unreadableNumber.withUnit : unreadableNumber.plain
  }

  // A point reads as a decimal point on our pages. Only a comma needs the question.
  const isAmbiguous = otherNumber !== undefined && otherNumber < number
  return isAmbiguous ? askWhichNumber(number, otherNumber) : null
}

const unreadableNumber = {
  plain: 'This isn’t a number we can read. Enter digits, such as -12.5 or 1200.',
  withUnit:
    'This isn’t a number we can read. Enter digits without the unit, such as -12.5 or 1200.',
} as const

/** A comma before three digits separates thousands in some countries and decimals in others. */
function askWhichNumber(number: number, otherNumber: number): string {
  return `Do you mean ${number} or ${otherNumber}? Enter one of them to be clear.`
}
