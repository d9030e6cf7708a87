import type { AnswerFieldProps, QuestionKind } from '../question-kind'
import { ChoiceComparison, ChoiceList } from './choice'
import { isPosition } from './positions'

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
