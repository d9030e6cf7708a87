import { expect, it } from 'vitest'
import { autoplayState, shouldAutoplay } from './next-step'

it.each([
  ['plays', 'the previous lesson led to it', autoplayState, 'PUSH', true],
  ['does not play', 'the learner went back to it', autoplayState, 'POP', false],
  ['does not play', 'another link led to it', null, 'PUSH', false],
  ['does not play', 'its history entry has another state', { from: 'search' }, 'PUSH', false],
])('a video %s by itself if %s', (_effect, _cause, state, navigationType, shouldPlay) => {
  expect(shouldAutoplay(state, navigationType)).toBe(shouldPlay)
})
