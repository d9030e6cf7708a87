import { expect, it } from 'vitest'
import { nextQuestionText } from './practice-messages'

it.each([
  ['2026-11-23', 'Your next question is due tomorrow.'],
  ['2026-11-26', 'Your next question is due on Thursday.'],
  ['2026-11-28', 'Your next question is due on Saturday.'],
  ['2026-11-29', 'Your next question is due on Nov 29.'],
])('on Sunday, November 22, a question that is due on %s: %s', (day, sentence) => {
  expect(nextQuestionText(day, '2026-11-22')).toBe(sentence)
})
