import { expect, it } from 'vitest'
import { consistentLearner } from './achievements'
import { type Celebration, firstToShow, milestoneText } from './celebration'

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

it.each([
  ['streak:7:2026-11-20', 'Studied 7 days in a row'],
  ['achievement:bookworm', 'Earned the achievement Bookworm'],
  ['goal:bookworm:100', '100 lessons finished'],
  ['goal:first-certificate:3', '3 certificates earned'],
])('%s is told as “%s”, whatever was stored', (id, text) => {
  expect(milestoneText(id)).toBe(text)
})

it.each(['lesson:python:names', 'achievement:gone', 'goal:gone:3', ''])('“%s” keeps the sentence of its time', (id) => {
  expect(milestoneText(id)).toBeNull()
})
