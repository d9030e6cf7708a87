import { expect, it } from 'vitest'
import { articleJustFinished, finishedArticle } from './finished-article'

it('an article is celebrated on the page that it led to, not on going back or loading it again', () => {
  expect(articleJustFinished(finishedArticle('Names'), 'PUSH')).toBe('Names')
  expect(articleJustFinished(finishedArticle('Names'), 'POP')).toBeNull()
  expect(articleJustFinished({ play: true }, 'PUSH')).toBeNull()
  expect(articleJustFinished(null, 'PUSH')).toBeNull()
})
