import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getAxisMinimum } from './chart-positions'
import { groupResultsByCourse } from './course-score-list'
import type { ExamResult } from './learner-record'
import { roundUpMinutes } from './study-chart'

test('the axis of minutes has room for every bar and a whole number in the middle', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1440 }), (minutes) => {
      const axisMaximum = roundUpMinutes(minutes)
      expect(axisMaximum).toBeGreaterThanOrEqual(minutes)
      expect(axisMaximum % 2).toBe(0)
    }),
  )
})

test('the axis of scores begins below the lowest score', () => {
  expect(getAxisMinimum([80, 100])).toBe(50)
  expect(getAxisMinimum([42])).toBe(30)
  expect(getAxisMinimum([0])).toBe(0)
})

test('groups results by course, in the order in which the exams were taken', () => {
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
      const groups = groupResultsByCourse(newestFirst)
      expect(groups.flat().length).toBe(courses.length)
      expect(groups.map(([one]) => one?.courseId)).toEqual([...new Set(courses)])
      for (const group of groups) {
        expect(new Set(group.map(({ courseId }) => courseId)).size).toBe(1)
        const dates = group.map(({ date }) => date)
        expect(dates).toEqual(dates.toSorted())
      }
    }),
  )
})
