import { expect, it } from 'vitest'
import { consistentLearner } from './achievements'
import { type EarnedMoment, firstToShow } from './earned-moment'

const course: EarnedMoment = { kind: 'course', courseId: 'a', title: 'A', next: 'exam' }
const week: EarnedMoment = { kind: 'streak', days: consistentLearner.days }
const consistent: EarnedMoment = { kind: 'achievement', id: consistentLearner.id }
const bookworm: EarnedMoment = { kind: 'achievement', id: 'bookworm' }

it('a finished course comes first, then achievements, then a streak', () => {
  expect(firstToShow([week, bookworm, course])?.first).toBe(course)
  expect(firstToShow([week, bookworm])).toEqual({ first: bookworm, said: [] })
  expect(firstToShow([week])?.first).toBe(week)
  expect(firstToShow([])).toBeNull()
})

it('seven days in a row are celebrated once, not as a streak and as an achievement', () => {
  expect(firstToShow([week, consistent])).toEqual({ first: consistent, said: [week] })
  expect(firstToShow([{ kind: 'streak', days: 3 }, consistent])?.said).toEqual([])
})
