import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowestPercent } from './exam-score-chart'
import { niceMinutes } from './study-chart'

test('a scale of minutes holds every bar and has a whole half', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1440 }), (minutes) => {
      const top = niceMinutes(minutes)
      expect(top).toBeGreaterThanOrEqual(minutes)
      expect(top % 2).toBe(0)
    }),
  )
})

test('a scale of scores begins below the lowest', () => {
  expect(lowestPercent([80, 100])).toBe(50)
  expect(lowestPercent([42])).toBe(30)
  expect(lowestPercent([0])).toBe(0)
})
