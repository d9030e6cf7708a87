import { expect, it } from 'vitest'
import { nextQuestionText } from './practice-words'

it.each([
  ['2026-11-23', 'The next question comes back tomorrow.'],
  ['2026-11-26', 'The next question comes back on Thursday.'],
  ['2026-11-28', 'The next question comes back on Saturday.'],
  ['2026-11-29', 'The next question comes back on Nov 29.'],
])('on Sunday, November 22, a question that is due on %s: %s', (day, sentence) => {
  expect(nextQuestionText(day, '2026-11-22')).toBe(sentence)
})
