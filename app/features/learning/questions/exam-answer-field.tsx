import { FormulaText } from '~/ui/formula-text'
import { ExamOrderingList } from './exam-ordering-list'
import type { ExamAnswer, ShownQuestion } from './exam-question'
import { ambiguousNumber, noNumber } from './question-messages'
import { readNumbers } from './typed-answer'

type ExamAnswerFieldProps = {
  question: ShownQuestion
  value: ExamAnswer
  onAnswer(value: ExamAnswer, typed?: boolean): void
  /** Enter in a text field goes to the next question. */
  hintId: string
}

/** The answer's input. Every control is part of a form that works without a script. */
export function ExamAnswerField({ question, value, onAnswer, hintId }: ExamAnswerFieldProps) {
  const { type, options } = question
  if (type === 'single' || type === 'multiple') {
    return <Choices question={question} value={value} onAnswer={onAnswer} />
  }

  if (type === 'ordering') {
    const order = Array.isArray(value) ? value : [...options.keys()]
    return (
      <ExamOrderingList
        options={options}
        order={order}
        answered={value !== null}
        onOrder={onAnswer}
      />
    )
  }

  return (
    <Typed
      question={question}
      value={typeof value === 'string' ? value : ''}
      onAnswer={onAnswer}
      hintId={hintId}
    />
  )
}

function Typed({
  question: { type, unit },
  value,
  onAnswer,
  hintId,
}: ExamAnswerFieldProps & { value: string }) {
  const note =
    type === 'numeric' && value.trim() !== '' ? noteOnNumber(readNumbers(value, unit), unit) : null
  return (
    <>
      <div className="flex items-center gap-3">
        <input
          name="answer"
          // The keypad of `inputMode="decimal"` has no minus on some phones, and any answer may be
          // negative.
          type="text"
          maxLength={200}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-label="Your answer"
          aria-describedby={`${hintId} no-number`}
          value={value}
          onChange={(event) =>
            onAnswer(event.target.value === '' ? null : event.target.value, true)
          }
          className="block min-h-12 w-full max-w-md rounded-control border border-edge bg-surface px-3.5 py-2.5 text-ink"
        />
        {unit && <span className="shrink-0 font-medium text-muted">{unit}</span>}
      </div>
      <p id="no-number" role="status" className="mt-2 min-h-6 text-sm text-warn">
        {note}
      </p>
    </>
  )
}

function noteOnNumber(readings: readonly number[], unit: string | null): string | null {
  const [value, other] = readings
  if (value === undefined) {
    return unit ? noNumber.withUnit : noNumber.plain
  }

  // A point reads as a decimal point on our pages; only a comma needs the question.
  return other !== undefined && other < value ? ambiguousNumber(value, other) : null
}

function Choices({ question, value, onAnswer }: Omit<ExamAnswerFieldProps, 'hintId'>) {
  const single = question.type === 'single'
  const chosen = new Set(Array.isArray(value) ? value : [value])
  const choose = (place: number, checked: boolean) => {
    if (single) {
      return onAnswer(place)
    }

    const places = Array.isArray(value) ? value : []
    const next = checked ? [...places, place] : places.filter((other) => other !== place)
    onAnswer(next.length > 0 ? next.toSorted((a, b) => a - b) : null)
  }

  return (
    <ul className="grid gap-2">
      {question.options.map((option, place) => (
        <li key={option}>
          <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-edge bg-surface px-4 py-2.5 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft">
            <input
              type={single ? 'radio' : 'checkbox'}
              name="answer"
              value={place}
              checked={chosen.has(place)}
              onChange={(event) => choose(place, event.target.checked)}
              className="size-5 shrink-0 accent-accent"
            />
            <span>
              <FormulaText text={option} />
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
