import { describe, expect, it } from 'vitest'
import { defaultReviewChoice, parseReviewChoice, reviewListUrl, reviewSorts } from './review-list'

const parseChoice = (query: string) => parseReviewChoice(new URLSearchParams(query))

describe('the choice of reviews', () => {
  it('survives its address', () => {
    for (const sort of reviewSorts) {
      for (const stars of [null, 1, 5]) {
        for (const page of [1, 2, 30]) {
          const choice = { sort, stars, page }
          expect(parseChoice(reviewListUrl(choice))).toEqual(choice)
        }
      }
    }
  })

  it('has an address without what is the default', () => {
    expect(reviewListUrl(defaultReviewChoice)).toBe('?tab=reviews')
    expect(reviewListUrl({ sort: 'newest', stars: 4, page: 2 })).toBe(
      '?tab=reviews&sort=newest&stars=4&page=2',
    )
  })

  it.each([
    '',
    'sort=best',
    'stars=0',
    'stars=6',
    'stars=5x',
    'stars=x5',
    'page=0',
    'page=-1',
    'page=1e3',
    'page=1234567',
  ])('is the default for %j', (query) => expect(parseChoice(query)).toEqual(defaultReviewChoice))
})
