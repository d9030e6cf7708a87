import { Check, X } from 'lucide-react'
import { FormulaText } from '~/ui/formula-text'
import type { AnswerComparisonProps, AnswerFieldProps, QuestionKind } from '../question-kind'
import { isPosition, listPositions, readPositions } from './positions'

/** The kinds of questions with options to choose from: single choice and multiple choice. */

export const singleChoice: QuestionKind = {
  hint: 'Choose one answer.',
  isAnsweredByOrder: false,

  readAnswer(value, optionCount) {
    return isPosition(value, optionCount) ? value : undefined
  },

  readFormFields(fields) {
    return fields.length > 0 ? Number(fields[0]) : null
  },

  AnswerField: SingleChoiceField,
  AnswerComparison: ChoiceComparison,
}

function SingleChoiceField({ question, value, onAnswer }: AnswerFieldProps) {
  return (
    <ChoiceList
      inputType="radio"
      options={question.options}
      isChosen={(position) => position === value}
      onChange={(position) => onAnswer(position)}
    />
  )
}

export const multipleChoice: QuestionKind = {
  hint: 'Choose all correct answers.',
  isAnsweredByOrder: false,

  readAnswer(value, optionCount) {
    const positions = readPositions(value, optionCount)
    if (positions === undefined) {
      return undefined
    }

    return positions.length > 0 ? sortAscending(positions) : null
  },

  readFormFields(fields) {
    return fields.map(Number)
  },

  AnswerField: MultipleChoiceField,
  AnswerComparison: ChoiceComparison,
}

function MultipleChoiceField({ question, value, onAnswer }: AnswerFieldProps) {
  const chosenPositions = listPositions(value)

  const toggle = (position: number, isChecked: boolean) => {
    const remaining = chosenPositions.filter((chosen) => chosen !== position)
    const next = isChecked ? [...remaining, position] : remaining
    onAnswer(next.length > 0 ? sortAscending(next) : null)
  }

  return (
    <ChoiceList
      inputType="checkbox"
      options={question.options}
      isChosen={(position) => chosenPositions.includes(position)}
      onChange={toggle}
    />
  )
}

function sortAscending(positions: readonly number[]): number[] {
  return positions.toSorted((a, b) => a - b)
}

type ChoiceListProps = {
  inputType: 'radio' | 'checkbox'
  options: readonly string[]
  isChosen(position: number): boolean
  onChange(position: number, isChecked: boolean): void
}

/** The options as radio buttons or checkboxes. */
function ChoiceList({ inputType, options, isChosen, onChange }: ChoiceListProps) {
  return (
    <ul className="grid gap-2">
      {options.map((option, position) => (
        <li key={option}>
          <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-edge bg-surface px-4 py-2.5 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft">
            <input
              type={inputType}
              name="answer"
              value={position}
              checked={isChosen(position)}
              onChange={(event) => onChange(position, event.target.checked)}
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

const marks = {
  correct: {
    className: 'border-good bg-good-soft',
    text: 'Correct answer',
    Icon: Check,
    color: 'text-good',
  },
  incorrect: {
    className: 'border-bad bg-bad-soft',
    text: 'Your answer',
    Icon: X,
    color: 'text-bad',
  },
} as const

/** Every option, with the correct ones and the chosen ones marked. */
function ChoiceComparison({ question, answer, correctAnswer }: AnswerComparisonProps) {
  const chosenPositions = listPositions(answer)
  const correctPositions = listPositions(correctAnswer)

  return (
    <ul className="grid gap-2">
      {question.options.map((option, position) => (
        <ComparedOption
          key={option}
          text={option}
          isChosen={chosenPositions.includes(position)}
          isCorrect={correctPositions.includes(position)}
        />
      ))}
    </ul>
  )
}

type ComparedOptionProps = { text: string; isChosen: boolean; isCorrect: boolean }

function ComparedOption({ text, isChosen, isCorrect }: ComparedOptionProps) {
  const mark = findMark(isChosen, isCorrect)
  const isCorrectlyChosen = isChosen && isCorrect

  return (
    <li
      className={`flex min-h-12 items-center gap-3 rounded-control border px-4 py-2.5 ${mark?.className ?? 'border-line text-muted'}`}
    >
      <span className="min-w-0 flex-1">
        <FormulaText text={text} />
      </span>
      {mark && (
        <span className={`flex shrink-0 items-center gap-1.5 font-semibold text-sm ${mark.color}`}>
          <mark.Icon aria-hidden="true" size={18} />
          {isCorrectlyChosen ? 'Your answer' : mark.text}
          {isCorrectlyChosen && <span className="sr-only">, correct</span>}
        </span>
      )}
    </li>
  )
}

function findMark(isChosen: boolean, isCorrect: boolean) {
  if (isCorrect) {
    return marks.correct
  }

  return isChosen ? marks.incorrect : null
}
