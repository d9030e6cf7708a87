import type { ShownQuestion } from './exam-question'
import { gradeFrom } from './grade'

/** What questions and grades say wherever they stand, in practice and on the profile, too. */

/** Says how to answer a question of each type. */
export const answerHints: Record<ShownQuestion['type'], string> = {
  single: 'Choose one answer.',
  multiple: 'Choose all correct answers.',
  ordering: 'Put the items in the correct order, starting at the top.',
  numeric: 'Enter a number.',
  text: 'Enter a short answer. Capitalization doesn’t matter.',
}

export const noNumber = {
  plain: 'Enter a number in digits only.',
  withUnit: 'Enter a number in digits only, without the unit.',
} as const

export const gradeRule = `${gradeFrom.excellent}% and up is excellent, ${gradeFrom.good}% and up is good; anything lower is average.`

export const answerUnreadable = 'This isn’t a valid answer to the question.'
