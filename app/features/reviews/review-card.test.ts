import { expect, it } from 'vitest'
import { formatReview } from './review-card'
import { calculateStarShares } from './star-chart'

it('stands in for what a review lacks', () => {
  expect(formatReview({ name: null, date: null, comment: null })).toEqual({
    name: 'Anonymous',
    date: 'Recently',
    comment: 'No comment provided',
  })
})

it('shows what a review has', () => {
  expect(formatReview({ name: 'Mei Tanabe', date: '2026-04-11', comment: 'Good.' })).toEqual({
    name: 'Mei Tanabe',
    date: 'April 11, 2026',
    comment: 'Good.',
  })
})

it('gives each number of stars its share, five first', () => {
  expect(
    calculateStarShares([2, 1, 1, 0, 0]).map(({ stars, count, percent }) => [
      stars,
      count,
      percent,
    ]),
  ).toEqual([
    [5, 2, 50],
    [4, 1, 25],
    [3, 1, 25],
    [2, 0, 0],
    [1, 0, 0],
  ])

  expect(calculateStarShares([0, 0, 0, 0, 0]).every(({ percent }) => percent === 0)).toBe(true)
})
