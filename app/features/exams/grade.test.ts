import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getGrade, getPointsToPass, getScorePercent, isPassed } from './grade'

it.each([
  [100, 100, 'excellent'],
  [9, 10, 'excellent'],
  [89, 100, 'good'],
  [8, 9, 'good'],
  [6, 8, 'good'],
  [74, 100, 'average'],
  [0, 10, 'average'],
] as const)('grades %i of %i as %s', (score, maxScore, grade) => {
  expect(getGrade({ score, maxScore })).toBe(grade)
})

it('never grades a higher score worse', () => {
  const order = ['average', 'good', 'excellent']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (maxScore, score) => {
      const better = order.indexOf(getGrade({ score: score + 1, maxScore }))
      expect(better).toBeGreaterThanOrEqual(order.indexOf(getGrade({ score, maxScore })))
    }),
  )
})

it('says a score in whole percent, rounded down', () => {
  expect(getScorePercent({ score: 2, maxScore: 3 })).toBe(66)
  expect(getScorePercent({ score: 0, maxScore: 0 })).toBe(0)
})

it('an exam is passed from its percentage on, in whole points', () => {
  expect(isPassed({ score: 6, maxScore: 10 }, 60)).toBe(true)
  expect(isPassed({ score: 4, maxScore: 8 }, 60)).toBe(false)

  const maxScores = fc.integer({ min: 1, max: 50 })
  const passPercents = fc.integer({ min: 1, max: 100 })
  fc.assert(
    fc.property(maxScores, passPercents, (maxScore, passPercent) => {
      const pointsToPass = getPointsToPass(maxScore, passPercent)
      expect(isPassed({ score: pointsToPass, maxScore }, passPercent)).toBe(true)
      expect(isPassed({ score: pointsToPass - 1, maxScore }, passPercent)).toBe(false)
    }),
  )
})
