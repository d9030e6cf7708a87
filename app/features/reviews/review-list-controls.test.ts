import { expect, it } from 'vitest'
import { shownReview } from './review-card'
import { starShares } from './review-list-controls'

it('stands in for what a review lacks', () => {
  expect(shownReview({ name: null, date: null, comment: null })).toEqual({
    name: 'Anonymous',
    date: 'Recently',
    comment: 'No comment provided',
  })
})

it('shows what a review has', () => {
  expect(shownReview({ name: 'Mei Tanabe', date: '2026-04-11', comment: 'Good.' })).toEqual({
    name: 'Mei Tanabe',
    date: 'April 11, 2026',
    comment: 'Good.',
  })
})

it('gives each number of stars its share, five first', () => {
  expect(
    starShares([2, 1, 1, 0, 0]).map(({ stars, count, percent }) => [stars, count, percent]),
  ).toEqual([
    [5, 2, 50],
    [4, 1, 25],
    [3, 1, 25],
    [2, 0, 0],
    [1, 0, 0],
  ])

  expect(starShares([0, 0, 0, 0, 0]).every(({ percent }) => percent === 0)).toBe(true)
})
