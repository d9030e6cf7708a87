import { describe, expect, it } from 'vitest'
import { nextStepNotice } from './lesson-messages'
import type { LessonEntry } from './lesson-page-data'
import { findNeighborLesson, findNextStep, nextStepUrl } from './next-step'

const entry = (id: string, part: Partial<LessonEntry> = {}): LessonEntry => ({
  id,
  title: id,
  kind: 'video',
  durationSeconds: 60,
  done: true,
  bookmarked: false,
  downloads: { count: 0, bytes: 0 },
  ...part,
})
const lessons = [
  entry('a', { done: false }),
  entry('b', { kind: 'announced', done: false }),
  entry('c'),
  entry('d'),
]
const course = { certificate: null, certificateWaits: false }
const finished = lessons.map((lesson) => ({ ...lesson, done: lesson.kind !== 'announced' }))

describe('what comes after a lesson', () => {
  it('is the next lesson that has material', () => {
    expect(findNextStep(lessons, 'a', course)).toEqual({ kind: 'lesson', lesson: lessons[2] })
    expect(findNeighborLesson(lessons, 'c', -1)).toBe(lessons[0])
    expect(findNeighborLesson(lessons, 'a', -1)).toBeNull()
  })

  it('is, after the last one, what was left out, then the exam, then the certificate', () => {
    expect(findNextStep(lessons, 'd', course)).toEqual({
      kind: 'open-lesson',
      lesson: lessons[0],
      open: 1,
    })

    expect(findNextStep(finished, 'd', course)).toEqual({ kind: 'exam' })
    expect(findNextStep(finished, 'd', { ...course, certificateWaits: true })).toEqual({
      kind: 'confirm-email',
    })
    const certificate = findNextStep(finished, 'd', {
      ...course,
      certificate: { id: 'x1', revoked: false },
    })
    expect(nextStepUrl(certificate, 'python')).toBe('/Certificate/x1')
  })

  it('is never a certificate that was revoked as if it were earned', () => {
    const step = findNextStep(finished, 'd', {
      ...course,
      certificate: { id: 'x1', revoked: true },
    })
    expect(step).toEqual({ kind: 'revoked-certificate', certificateId: 'x1' })
    expect(nextStepNotice(step).text).toBe('Your certificate was revoked.')
    expect(nextStepUrl(step, 'python')).toBe('/Certificate/x1')
  })

  it('does not send anybody back to the lesson that is open', () => {
    const onlyThisOpen = finished.map((lesson) => ({
      ...lesson,
      done: lesson.done && lesson.id !== 'd',
    }))
    expect(findNextStep(onlyThisOpen, 'd', course)).toEqual({ kind: 'exam' })
  })
})
