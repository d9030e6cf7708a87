import { describe, expect, it } from 'vitest'
import { getNextStepNotice } from './lesson-messages'
import type { LessonEntry } from './lesson-page-data'
import {
  autoplayState,
  findNextStep,
  findPreviousLesson,
  nextStepUrl,
  shouldAutoplay,
} from './next-step'

const createLesson = (id: string, fields: Partial<LessonEntry> = {}): LessonEntry => ({
  id,
  title: id,
  kind: 'video',
  durationSeconds: 60,
  done: true,
  bookmarked: false,
  downloads: { count: 0, bytes: 0 },
  ...fields,
})
const lessons = [
  createLesson('a', { done: false }),
  createLesson('b', { kind: 'announced', done: false }),
  createLesson('c'),
  createLesson('d'),
]
const course = { certificate: null, certificateWaits: false }
const finishedLessons = lessons.map((lesson) => ({ ...lesson, done: lesson.kind !== 'announced' }))

describe('the step after a lesson', () => {
  it('is the next lesson that has material', () => {
    expect(findNextStep(lessons, 'a', course)).toEqual({ kind: 'lesson', lesson: lessons[2] })
    expect(findPreviousLesson(lessons, 'c')).toBe(lessons[0])
    expect(findPreviousLesson(lessons, 'a')).toBeNull()
  })

  it('is an open lesson after the last one, then the exam, then the certificate', () => {
    expect(findNextStep(lessons, 'd', course)).toEqual({
      kind: 'open-lesson',
      lesson: lessons[0],
      openLessonCount: 1,
    })

    expect(findNextStep(finishedLessons, 'd', course)).toEqual({ kind: 'exam' })
    expect(findNextStep(finishedLessons, 'd', { ...course, certificateWaits: true })).toEqual({
      kind: 'confirm-email',
    })

    const certificate = findNextStep(finishedLessons, 'd', {
      ...course,
      certificate: { id: 'x1', revoked: false },
    })
    expect(nextStepUrl(certificate, 'python')).toBe('/Certificate/x1')
  })

  it('says that a certificate was revoked', () => {
    const step = findNextStep(finishedLessons, 'd', {
      ...course,
      certificate: { id: 'x1', revoked: true },
    })

    expect(step).toEqual({ kind: 'revoked-certificate', certificateId: 'x1' })
    expect(getNextStepNotice(step).text).toBe('Your certificate was revoked.')
    expect(nextStepUrl(step, 'python')).toBe('/Certificate/x1')
  })

  it('is never the open lesson itself', () => {
    const lessonsWithoutLast = finishedLessons.map((lesson) => ({
      ...lesson,
      done: lesson.done && lesson.id !== 'd',
    }))
    expect(findNextStep(lessonsWithoutLast, 'd', course)).toEqual({ kind: 'exam' })
  })
})

it.each([
  ['plays', 'the previous lesson led to it', autoplayState, 'PUSH', true],
  ['does not play', 'the learner went back to it', autoplayState, 'POP', false],
  ['does not play', 'another link led to it', null, 'PUSH', false],
  ['does not play', 'its history entry has another state', { from: 'search' }, 'PUSH', false],
])('a video %s by itself if %s', (_effect, _cause, state, navigationType, shouldPlay) => {
  expect(shouldAutoplay(state, navigationType)).toBe(shouldPlay)
})
