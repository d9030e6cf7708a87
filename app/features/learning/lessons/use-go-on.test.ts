import { expect, it } from 'vitest'
import { beginsToPlay, playsAtOnce } from './next-step'

it.each([
  ['the learner was led to it', playsAtOnce, 'PUSH', true],
  ['the learner went back to it', playsAtOnce, 'POP', false],
  ['a link of the page led to it', null, 'PUSH', false],
  ['another page kept something else', { from: 'search' }, 'PUSH', false],
])('whether a video plays at once when %s', (_when, state, navigationType, plays) => {
  expect(beginsToPlay(state, navigationType)).toBe(plays)
})
