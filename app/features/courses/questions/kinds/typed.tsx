import type { AnswerComparisonProps, AnswerFieldProps, QuestionKind } from '../question-kind'
import { addUnit, listPossibleNumbers } from '../typed-number'
import { AnswerPair } from './answer-pair'

/** The kinds of questions whose answer is typed: a number or a short text. */

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

  const [number, otherNumber] = listPossibleNumbers(text, unit)
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

/** The length counts UTF-16 code units, like the attribute `maxlength`. */
const maxTypedLength = 200

/** Returns the text as it was typed, null for an empty one, or undefined if it can't be stored. */
function readTypedAnswer(value: unknown): string | null | undefined {
  if (typeof value !== 'string' || value.length > maxTypedLength) {
    return undefined
  }

  // PostgreSQL stores neither of these characters.
  if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
    return undefined
  }

  return value.trim() === '' ? null : value
}

type TypedAnswerFieldProps = AnswerFieldProps & { note?: string | null }

function TypedAnswerField({
  question,
  value,
  onAnswer,
  hintId,
  note = null,
}: TypedAnswerFieldProps) {
  return (
    <>
      <div className="flex items-center gap-3">
        <input
          name="answer"
          // The keypad of `inputMode="decimal"` has no minus on some phones, and any answer may be
          // negative.
          type="text"
          maxLength={maxTypedLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-label="Your answer"
          aria-describedby={`${hintId} no-number`}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => {
            const text = event.target.value
            onAnswer(text === '' ? null : text, true)
          }}
          className="block min-h-12 w-full max-w-md rounded-control border border-edge bg-surface px-3.5 py-2.5 text-ink"
        />
        {question.unit && <span className="shrink-0 font-medium text-muted">{question.unit}</span>}
      </div>
      <p id="no-number" role="status" className="mt-2 min-h-6 text-sm text-warn">
        {note}
      </p>
    </>
  )
}

function TypedComparison({
  question: { unit },
  answer,
  correctAnswer,
  isCorrect,
}: AnswerComparisonProps) {
  return (
    <AnswerPair
      answer={typeof answer === 'string' ? addUnit(answer, unit) : null}
      correctAnswer={addUnit(String(correctAnswer), unit)}
      isCorrect={isCorrect}
    />
  )
}
