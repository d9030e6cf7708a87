import { expect, it } from 'vitest'
import { describeUnsentAnswers, examMessages, formatTimeLimit } from './exam-messages'

it.each([
  [1, '1 minute'],
  [45, '45 minutes'],
])('writes a time limit of %i as %s', (minutes, text) => {
  expect(formatTimeLimit(minutes)).toBe(text)
})

it('the advice about answers that the server does not have depends on the reason', () => {
  const { answersRefused, answersWaiting } = examMessages.submissionProblems

  expect(describeUnsentAnswers('refused')).toBe(answersRefused)
  expect(describeUnsentAnswers('offline')).toBe(answersWaiting)
  expect(describeUnsentAnswers('saved')).toBeNull()
})
