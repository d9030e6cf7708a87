import type { ShownQuestion } from './exam-question'
import { gradeFrom } from './grade'

/** Messages about questions and grades, also used in practice and on the profile. */

/** Says how to answer a question of each type. */
export const answerHints: Record<ShownQuestion['type'], string> = {
  single: 'Choose one answer.',
  multiple: 'Choose all correct answers.',
  ordering: 'Put the items in the correct order, starting at the top.',
  numeric: 'Enter a number.',
  text: 'Enter a short answer. Capitalization doesn’t matter.',
}

export const noNumber = {
  plain: 'This isn’t a number we can read. Enter digits, such as -12.5 or 1200.',
  withUnit:
    'This isn’t a number we can read. Enter digits without the unit, such as -12.5 or 1200.',
} as const

/**
 * A single comma before three digits separates thousands in some countries and decimals in others.
 */
export const ambiguousNumber = (value: number, other: number) =>
  `Do you mean ${value} or ${other}? Enter one of them to be clear.`

export const gradeRule = `${gradeFrom.excellent}% and up is excellent, ${gradeFrom.good}% and up is good; anything lower is average.`

export const answerUnreadable = 'This isn’t a valid answer to the question.'

export function itemMoved(from: number, to: number, count: number): string {
  return `Moved from position ${from} to position ${to} of ${count}.`
}
