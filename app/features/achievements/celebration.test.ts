import { expect, it } from 'vitest'
import { consistentLearner } from './achievements'
import { type Celebration, firstToShow } from './celebration'

const course: Celebration = { kind: 'course', courseId: 'a', title: 'A', next: 'exam' }
const week: Celebration = { kind: 'streak', days: consistentLearner.days }
const consistent: Celebration = { kind: 'achievement', id: consistentLearner.id }
const bookworm: Celebration = { kind: 'achievement', id: 'bookworm' }

it('a finished course comes first, then achievements, then a streak', () => {
  expect(firstToShow([week, bookworm, course])?.first).toBe(course)
  expect(firstToShow([week, bookworm])).toEqual({ first: bookworm, covered: [] })
  expect(firstToShow([week])?.first).toBe(week)
  expect(firstToShow([])).toBeNull()
})

it('seven days in a row are celebrated once, not as a streak and as an achievement', () => {
  expect(firstToShow([week, consistent])).toEqual({ first: consistent, covered: [week] })
  expect(firstToShow([{ kind: 'streak', days: 3 }, consistent])?.covered).toEqual([])
})
