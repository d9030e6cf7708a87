import { expect, it } from 'vitest'
import { autoplayState, shouldAutoplay } from './next-step'

it.each([
  ['the learner was led to it', autoplayState, 'PUSH', true],
  ['the learner went back to it', autoplayState, 'POP', false],
  ['a link of the page led to it', null, 'PUSH', false],
  ['another page kept something else', { from: 'search' }, 'PUSH', false],
])('whether a video plays at once when %s', (_when, state, navigationType, plays) => {
  expect(shouldAutoplay(state, navigationType)).toBe(plays)
})
