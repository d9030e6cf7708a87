import { expect, it } from 'vitest'
import { isReadyToSubmit } from './use-submit-exam'

it('an exam is submitted once the server has all answers', () => {
  expect(isReadyToSubmit('asked', 'saved')).toBe(true)
  expect(isReadyToSubmit('time-over', 'saved')).toBe(true)
})

it('a refused answer keeps a learner from submitting, but not the end of the time', () => {
  expect(isReadyToSubmit('asked', 'refused')).toBe(false)
  expect(isReadyToSubmit('time-over', 'refused')).toBe(true)
})

it('an exam waits for answers that the server may still accept', () => {
  expect(isReadyToSubmit('asked', 'pending')).toBe(false)
  expect(isReadyToSubmit('time-over', 'pending')).toBe(false)
})
