import { expect, it } from 'vitest'
import { gradeOf } from './grade'

it.each([
  [100, 100, 'excellent'],
  [9, 10, 'excellent'],
  [89, 100, 'good'],
  [6, 8, 'good'],
  [74, 100, 'average'],
  [0, 10, 'average'],
] as const)('grades %i of %i as %s', (score, maxScore, grade) => {
  expect(gradeOf({ score, maxScore })).toBe(grade)
})
