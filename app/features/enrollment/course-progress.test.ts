import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { courseProgressPercent, summarizeProgress } from './course-progress'

describe('the percentage of a course', () => {
  test('is weighted by length and rounded down', () => {
    expect(courseProgressPercent({ doneSeconds: 199, totalSeconds: 200 })).toBe(99)
  })

  test('is 100 for a finished course only', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.boolean()), { minLength: 1 }),
        (lessons) => {
          const sum = (chosen: typeof lessons) =>
            chosen.reduce((seconds, [length]) => seconds + length, 0)
          const done = lessons.filter(([, finished]) => finished)
          const percent = courseProgressPercent({
            doneSeconds: sum(done),
            totalSeconds: sum(lessons),
          })
          expect(Number.isInteger(percent)).toBe(true)
          expect(percent).toBeGreaterThanOrEqual(0)
          expect(percent === 100).toBe(done.length === lessons.length)
        },
      ),
    )
  })

  test('is 0 for a course without material', () => {
    expect(courseProgressPercent({ doneSeconds: 0, totalSeconds: 0 })).toBe(0)
  })
})

const lesson = fc.record({
  kind: fc.constantFrom('video', 'article', 'quiz', 'announced'),
  durationSeconds: fc.integer({ min: 1, max: 5000 }),
  done: fc.boolean(),
})

describe('the progress figures of a course', () => {
  it('is weighted by length and rounded down', () => {
    const figures = summarizeProgress([
      { kind: 'video', durationSeconds: 620, done: true },
      { kind: 'quiz', durationSeconds: 375, done: false },
      { kind: 'article', durationSeconds: 5, done: false },
      { kind: 'announced', durationSeconds: 9000, done: false },
    ])

    expect(figures).toEqual({
      percent: 62,
      doneSeconds: 620,
      totalSeconds: 1000,
      doneLessons: 1,
      totalLessons: 3,
    })
  })

  it('show 100 percent exactly when every lesson with material is done', () => {
    fc.assert(
      fc.property(fc.array(lesson, { maxLength: 30 }), (lessons) => {
        const { percent, totalLessons } = summarizeProgress(lessons)
        const finished =
          totalLessons > 0 && lessons.every(({ kind, done }) => kind === 'announced' || done)
        expect(percent === 100).toBe(finished)
        expect(percent).toBeGreaterThanOrEqual(0)
        expect(percent).toBeLessThanOrEqual(100)
      }),
    )
  })

  it('never decrease when one more lesson is done', () => {
    fc.assert(
      fc.property(fc.array(lesson, { minLength: 1, maxLength: 12 }), fc.nat(), (lessons, pick) => {
        const more = lessons.map((entry, index) =>
          index === pick % lessons.length ? { ...entry, done: true } : entry,
        )
        expect(summarizeProgress(more).percent).toBeGreaterThanOrEqual(
          summarizeProgress(lessons).percent,
        )
      }),
    )
  })
})
