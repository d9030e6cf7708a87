import { describe, expect, it } from 'vitest'
import {
  addWaitingCourse,
  applyOtherTab,
  applyServerResponse,
  applySession,
  isEnrolled,
  parseEnrollments,
  removeLeftCourse,
} from './browser-enrollments'

const nothing = { uid: null, stored: [], waiting: [] }
const visitor = { uid: null, stored: [], waiting: ['python-from-zero'] }
const ada = { uid: 'ada', stored: ['typography-for-screens'], waiting: [] }

describe('what the browser stored', () => {
  it.each([null, '', 'no json', '[]', '7', '{"waiting":"x","stored":{}}'])(
    'counts %j as nothing',
    (text) => {
      expect(parseEnrollments(text)).toEqual(nothing)
    },
  )

  it('keeps only what can be a course, each once', () => {
    const text = JSON.stringify({
      uid: 5,
      stored: [],
      waiting: ['a-course', 'a-course', '<b>', 3, null, 'A'],
    })

    expect(parseEnrollments(text)).toEqual({ ...nothing, waiting: ['a-course'] })
  })

  it('is read as it was written', () => {
    expect(parseEnrollments(JSON.stringify(ada))).toEqual(ada)
  })
})

it('enrolls at once, and once', () => {
  const chosen = addWaitingCourse(nothing, 'python-from-zero')
  expect(isEnrolled(chosen, 'python-from-zero')).toBe(true)
  expect(addWaitingCourse(chosen, 'python-from-zero')).toBe(chosen)
})

it('forgets a course that was left, and a new choice ends the undo', () => {
  const left = removeLeftCourse(
    { ...ada, waiting: ['typography-for-screens', 'a'] },
    'typography-for-screens',
  )
  expect(left).toEqual({ uid: 'ada', stored: [], waiting: ['a'], left: 'typography-for-screens' })
  expect(isEnrolled(left, 'typography-for-screens')).toBe(false)
  expect(addWaitingCourse(left, 'typography-for-screens').left).toBeUndefined()
})

it('what another tab chose holds here, and the refusal that this tab shows stays', () => {
  const refused = { ...ada, refusal: 'Your account is full.' }
  const kept = { ...ada, waiting: ['python-from-zero'] }
  expect(applyOtherTab(refused, kept)).toEqual({ ...kept, refusal: 'Your account is full.' })
  expect(applyOtherTab(null, kept)).toEqual(kept)
})

describe('a session', () => {
  it('hands what a visitor chose to the learner who signs in', () => {
    expect(applySession(visitor, 'ada', ['a'])).toEqual({ ...visitor, uid: 'ada', stored: ['a'] })
  })

  it('forgets the courses of a learner who signs out', () => {
    expect(applySession(ada, null, [])).toEqual(nothing)
  })

  it('never gives one learner the courses of another', () => {
    expect(applySession({ ...ada, waiting: ['python-from-zero'] }, 'grace', [])).toEqual({
      ...nothing,
      uid: 'grace',
    })
  })

  it('keeps for its learner what could not be stored yet, while nobody is signed in', () => {
    const offline = applySession({ ...ada, waiting: ['python-from-zero'] }, null, [])
    expect(offline).toEqual({ uid: 'ada', stored: [], waiting: ['python-from-zero'] })
    expect(applySession(offline, 'ada', [])).toEqual(offline)
  })
})

describe('an answer of the account', () => {
  const known = { uid: 'ada', stored: [], waiting: ['a', 'b'] }

  it('stops the waiting for what it has, and what was chosen meanwhile goes on to wait', () => {
    const answered = applyServerResponse(known, 'a')
    expect(answered).toEqual({ uid: 'ada', stored: ['a'], waiting: ['b'] })
    expect(applyServerResponse(answered, 'a')).toEqual(answered)
  })

  it('that refuses is told until the next choice', () => {
    const refused = applyServerResponse(known, 'a', 'Your account is full.')
    expect(refused).toEqual({
      uid: 'ada',
      stored: [],
      waiting: ['b'],
      refusal: 'Your account is full.',
    })

    expect(addWaitingCourse(refused, 'c')).toEqual({ uid: 'ada', stored: [], waiting: ['b', 'c'] })
  })
})
