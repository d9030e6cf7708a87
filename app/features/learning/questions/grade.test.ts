import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gradeOf, scorePercent } from './grade'

it.each([
  [100, 100, 'excellent'],
  [9, 10, 'excellent'],
  [89, 100, 'good'],
  [8, 9, 'good'],
  [6, 8, 'good'],
  [74, 100, 'average'],
  [0, 10, 'average'],
] as const)('grades %i of %i as %s', (score, maxScore, grade) => {
  expect(gradeOf({ score, maxScore })).toBe(grade)
})

it('never grades a higher score worse', () => {
  const order = ['average', 'good', 'excellent']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (maxScore, score) => {
      const better = order.indexOf(gradeOf({ score: score + 1, maxScore }))
      expect(better).toBeGreaterThanOrEqual(order.indexOf(gradeOf({ score, maxScore })))
    }),
  )
})

it('says a score in whole percent, rounded down', () => {
  expect(scorePercent({ score: 2, maxScore: 3 })).toBe(66)
  expect(scorePercent({ score: 0, maxScore: 0 })).toBe(0)
})
