import { describe, expect, it } from 'vitest'
import {
  addWaitingCourse,
  applyOtherTab,
  applyServerResponse,
  applySession,
  findRefusal,
  isEnrolled,
  parseEnrollments,
  removeLeftCourse,
} from './browser-enrollments'
import { enrollmentMessages } from './enrollment-messages'

const noEnrollments = { uid: null, accountCourseIds: [], waitingCourseIds: [] }
const visitor = { uid: null, accountCourseIds: [], waitingCourseIds: ['python-from-zero'] }
const ada = { uid: 'ada', accountCourseIds: ['typography-for-screens'], waitingCourseIds: [] }

describe('enrollments in the browser’s storage', () => {
  it.each([null, '', 'no json', '[]', '7', '{"waiting":"x","stored":{}}'])(
    'are empty if the stored text is %j',
    (text) => {
      expect(parseEnrollments(text)).toEqual(noEnrollments)
    },
  )

  it('keep only valid course ids, each once', () => {
    const text = JSON.stringify({
      uid: 5,
      stored: [],
      waiting: ['a-course', 'a-course', '<b>', 3, null, 'A'],
    })

    expect(parseEnrollments(text)).toEqual({ ...noEnrollments, waitingCourseIds: ['a-course'] })
  })

  it('are read as they were written', () => {
    const text = JSON.stringify({ uid: 'ada', stored: ada.accountCourseIds, waiting: [] })
    expect(parseEnrollments(text)).toEqual(ada)
  })
})

it('a choice enrolls at once, and a repeated choice changes nothing', () => {
  const chosen = addWaitingCourse(noEnrollments, 'python-from-zero')

  expect(isEnrolled(chosen, 'python-from-zero')).toBe(true)
  expect(addWaitingCourse(chosen, 'python-from-zero')).toBe(chosen)
})

it('leaving removes the course, and the next choice ends the offer to undo it', () => {
  const left = removeLeftCourse(
    { ...ada, waitingCourseIds: ['typography-for-screens', 'a'] },
    'typography-for-screens',
  )

  expect(left).toEqual({
    uid: 'ada',
    accountCourseIds: [],
    waitingCourseIds: ['a'],
    leftCourseId: 'typography-for-screens',
  })
  expect(isEnrolled(left, 'typography-for-screens')).toBe(false)
  expect(addWaitingCourse(left, 'typography-for-screens').leftCourseId).toBeUndefined()
})

it('enrollments of another tab apply here, and the message of this tab stays', () => {
  const refusal = { courseId: 'sql', message: 'Your account is full.' }
  const refused = { ...ada, refusal }
  const kept = { ...ada, waitingCourseIds: ['python-from-zero'] }

  expect(applyOtherTab(refused, kept)).toEqual({ ...kept, refusal })
  expect(applyOtherTab(null, kept)).toEqual(kept)
})

describe('when the session becomes known,', () => {
  it('the courses of a visitor wait for the learner who signs in', () => {
    expect(applySession(visitor, 'ada', ['a'])).toEqual({
      ...visitor,
      uid: 'ada',
      accountCourseIds: ['a'],
    })
  })

  it('the courses of a learner who signed out are removed', () => {
    expect(applySession(ada, null, [])).toEqual(noEnrollments)
  })

  it('a learner never gets the waiting courses of another learner', () => {
    expect(applySession({ ...ada, waitingCourseIds: ['python-from-zero'] }, 'grace', [])).toEqual({
      ...noEnrollments,
      uid: 'grace',
    })
  })

  it('the waiting courses of a learner are kept while nobody is signed in', () => {
    const offline = applySession({ ...ada, waitingCourseIds: ['python-from-zero'] }, null, [])

    expect(offline).toEqual({
      uid: 'ada',
      accountCourseIds: [],
      waitingCourseIds: ['python-from-zero'],
    })
    expect(applySession(offline, 'ada', [])).toEqual(offline)
  })
})

describe('the server’s response', () => {
  const waitingForTwo = { uid: 'ada', accountCourseIds: [], waitingCourseIds: ['a', 'b'] }

  it('stores an accepted course, and courses chosen in the meantime keep waiting', () => {
    const accepted = applyServerResponse(waitingForTwo, 'a')

    expect(accepted).toEqual({ uid: 'ada', accountCourseIds: ['a'], waitingCourseIds: ['b'] })
    expect(applyServerResponse(accepted, 'a')).toEqual(accepted)
  })

  it('explains a refusal until the next choice', () => {
    const refused = applyServerResponse(waitingForTwo, 'a', 'Your account is full.')

    expect(refused).toEqual({
      uid: 'ada',
      accountCourseIds: [],
      waitingCourseIds: ['b'],
      refusal: { courseId: 'a', message: 'Your account is full.' },
    })

    expect(addWaitingCourse(refused, 'c')).toEqual({
      uid: 'ada',
      accountCourseIds: [],
      waitingCourseIds: ['b', 'c'],
    })
  })

  it('is explained on the page of its course only', () => {
    const message = enrollmentMessages.courseIsSold
    const refused = applyServerResponse(waitingForTwo, 'a', message)

    expect(findRefusal(refused, 'a')).toBe(message)
    expect(findRefusal(refused, 'b')).toBeUndefined()
  })

  it('is explained on the page of any course if the course itself is gone', () => {
    const message = enrollmentMessages.courseGone
    const refused = applyServerResponse(waitingForTwo, 'a', message)

    expect(findRefusal(refused, 'b')).toBe(message)
  })
})
