import type { AnswerFieldProps, QuestionKind } from '../question-kind'
import { ChoiceComparison, ChoiceList } from './choice'
import { listPositions, readPositions } from './positions'

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
