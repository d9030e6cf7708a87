import { expect, it } from 'vitest'
import { formatReview } from './review-card'

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
