import { expect, it } from 'vitest'
import { articleJustFinished, beginsToPlay, finishedArticle, playsAtOnce } from './history-state'

it('an article is celebrated on the page that it led to, not on going back or loading it again', () => {
  expect(articleJustFinished(finishedArticle('Names'), 'PUSH')).toBe('Names')
  expect(articleJustFinished(finishedArticle('Names'), 'POP')).toBeNull()
  expect(articleJustFinished({ play: true }, 'PUSH')).toBeNull()
  expect(articleJustFinished(null, 'PUSH')).toBeNull()
})

it.each([
  ['the learner was led to it', playsAtOnce, 'PUSH', true],
  ['the learner went back to it', playsAtOnce, 'POP', false],
  ['a link of the page led to it', null, 'PUSH', false],
  ['another page kept something else', { from: 'search' }, 'PUSH', false],
])('whether a video plays at once when %s', (_when, state, navigationType, plays) => {
  expect(beginsToPlay(state, navigationType)).toBe(plays)
})
