import { expect, it } from 'vitest'
import { getContinueLink, type ProgressSummary } from './progress-summary'

const fresh: ProgressSummary = {
  courseId: 'python-from-zero',
  percent: 0,
  doneLessons: 0,
  totalLessons: 2,
  done: [],
  next: { id: 'names', title: 'Names and Values', positionMs: 0 },
  completed: false,
  exam: 'open',
  certificateId: null,
  certificateWaits: false,
}
const allDone = { ...fresh, doneLessons: 2, completed: true }

it.each([
  ['a new course starts', fresh, '/Learn/python-from-zero/names', 'Start'],
  [
    'a lesson that was begun continues',
    { ...fresh, next: { id: 'names', title: 'Names and Values', positionMs: 1 } },
    '/Learn/python-from-zero/names',
    'Continue: Names and Values',
  ],
  [
    'the next lesson continues',
    { ...fresh, doneLessons: 1 },
    '/Learn/python-from-zero/names',
    'Continue: Names and Values',
  ],
  [
    'new lessons of a completed course come first',
    { ...allDone, totalLessons: 3 },
    '/Learn/python-from-zero/names',
    'Continue: Names and Values',
  ],
  ['after the lessons comes the exam', allDone, '/Exam/python-from-zero', 'Take the final exam'],
  [
    'after the exam comes the certificate',
    { ...allDone, exam: 'passed', certificateId: 'c1' },
    '/Certificate/c1',
    'See your certificate',
  ],
  [
    'a course without an exam can be reviewed',
    { ...allDone, exam: 'none' },
    '/Learn/python-from-zero',
    'Review the lessons',
  ],
] as const)('%s', (_, progress, to, text) => {
  expect(getContinueLink(progress as ProgressSummary)).toEqual({ to, text })
})

it('a course without material leads nowhere', () => {
  expect(getContinueLink({ ...fresh, next: null, totalLessons: 0 })).toBeNull()
})
