import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resultsByCourse } from './course-curves'
import type { ExamResult } from './learner-record'

it('every result is in the curve of its course, in the order in which the exams were taken', () => {
  const course = fc.constantFrom('a', 'b', 'c')
  fc.assert(
    fc.property(fc.array(course, { maxLength: 30 }), (courses) => {
      const newestFirst = courses.map(
        (courseId, index): ExamResult => ({
          id: `${index}`,
          courseId,
          name: courseId,
          score: 1,
          maxScore: 1,
          date: new Date(Date.UTC(2026, 0, 40 - index)).toISOString(),
          grade: 'good',
        }),
      )
      const curves = resultsByCourse(newestFirst)
      expect(curves.flat().length).toBe(courses.length)
      expect(curves.map(([one]) => one?.courseId)).toEqual([...new Set(courses)])
      for (const curve of curves) {
        expect(new Set(curve.map(({ courseId }) => courseId)).size).toBe(1)
        const dates = curve.map(({ date }) => date)
        expect(dates).toEqual(dates.toSorted())
      }
    }),
  )
})
