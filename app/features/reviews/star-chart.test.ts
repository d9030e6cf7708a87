import { expect, it } from 'vitest'
import { calculateStarShares } from './star-chart'

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
