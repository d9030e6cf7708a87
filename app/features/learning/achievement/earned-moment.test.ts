import { expect, it } from 'vitest'
import { type EarnedMoment, momentsToShow } from './earned-moment'

const course: EarnedMoment = { kind: 'course', courseId: 'a', title: 'A', next: 'exam' }
const week: EarnedMoment = { kind: 'streak', days: 7 }
const consistent: EarnedMoment = { kind: 'achievement', id: 'consistent-learner' }
const bookworm: EarnedMoment = { kind: 'achievement', id: 'bookworm' }

it('a finished course comes first, then achievements, then a streak', () => {
  expect(momentsToShow([week, bookworm, course])).toEqual([course, bookworm, week])
})

it('seven days in a row are celebrated once, not as a streak and as an achievement', () => {
  expect(momentsToShow([week, consistent])).toEqual([consistent])
  expect(momentsToShow([{ kind: 'streak', days: 3 }, consistent])).toHaveLength(2)
})
