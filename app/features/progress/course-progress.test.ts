import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { courseProgressPercent } from './course-progress'

describe('progress in a course', () => {
  test('is weighted by length and rounded down', () => {
    expect(courseProgressPercent({ doneSeconds: 199, totalSeconds: 200 })).toBe(99)
  })

  test('is 100 for a finished course only', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.boolean()), { minLength: 1 }),
        (lessons) => {
          const sum = (chosen: typeof lessons) => chosen.reduce((seconds, [length]) => seconds + length, 0)
          const done = lessons.filter(([, finished]) => finished)
          const percent = courseProgressPercent({ doneSeconds: sum(done), totalSeconds: sum(lessons) })
          expect(Number.isInteger(percent)).toBe(true)
          expect(percent).toBeGreaterThanOrEqual(0)
          expect(percent === 100).toBe(done.length === lessons.length)
        },
      ),
    )
  })

  test('of a course without material is 0', () => {
    expect(courseProgressPercent({ doneSeconds: 0, totalSeconds: 0 })).toBe(0)
  })
})
