import type { AnswerComparisonProps, AnswerFieldProps } from '../question-kind'
import { formatTypedAnswer } from '../typed-answer'
import { AnswerPair } from './answer-pair'

/** What numbers and short texts share: the learner types them. */

const maxTypedLength = 200

/** Returns the text as it was typed, null for an empty one, or undefined if it can't be stored. */
export function readTypedAnswer(value: unknown): string | null | undefined {
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

export function TypedAnswerField({
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

export function TypedComparison({
  question: { unit },
  answer,
  correctAnswer,
  isCorrect,
}: AnswerComparisonProps) {
  return (
    <AnswerPair
      answer={typeof answer === 'string' ? formatTypedAnswer(answer, unit) : null}
      correctAnswer={formatTypedAnswer(String(correctAnswer), unit)}
      isCorrect={isCorrect}
    />
  )
}
