import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { isLessonDone } from '~/features/learning/lessons/kinds/lesson-rules'
import { emptyProgress, type LessonProgress } from '~/features/learning/progress/lesson-progress'
import { uniteIntervals } from '~/features/learning/progress/watched-intervals'
import { explainLesson } from './progress-report.server'

const video = { kind: 'video' as const, durationSeconds: 100, questionIds: [], retired: false }
const article = { ...video, kind: 'article' as const }
const quiz = { ...video, kind: 'quiz' as const, questionIds: ['a', 'b'] }
const day = new Date('2026-11-20T12:00:00Z')
const marked = (value: 'done' | 'undone') => ({ mark: { value, at: day.getTime() } })

describe('the reason why a lesson is done or not', () => {
  it.each([
    ['not started', video, {}, null],
    ['watched 42%, 90% needed', video, { watched: [[0, 42_000]] }, null],
    ['watched 29%, 90% needed', video, { watched: [[0, 29_000]] }, null],
    ['watched 95%; finished on 2026-11-20', video, { watched: [[0, 95_000]] }, day],
    [
      'the learner took the mark back on 2026-11-20; watched 95%; finished on 2026-11-20',
      video,
      { watched: [[0, 95_000]], ...marked('undone') },
      day,
    ],
    ['answered 1 of 2 questions', quiz, { answered: ['b', 'gone'] }, null],
    [
      'watched 95%; that’s enough since the lesson changed: done at the next visit',
      video,
      { watched: [[0, 95_000]] },
      null,
    ],
    ['read to the end', article, { readToEnd: true }, null],
    [
      'marked as done by the learner on 2026-11-20; read to the end',
      article,
      { readToEnd: true, ...marked('done') },
      null,
    ],
    ['announced: it has no material yet', { ...video, kind: 'announced' as const }, {}, null],
    ['not started; no longer in the course', { ...video, retired: true }, {}, null],
  ])('is “%s”', (reason, lesson, changes, earnedAt) => {
    const progress = { ...emptyProgress, ...(changes as Partial<LessonProgress>) }

    expect(explainLesson(lesson, progress, earnedAt).reason).toBe(reason)
  })

  it('says whether the lesson will be done at the next visit, for any progress in any lesson', () => {
    const anyInterval = fc
      .tuple(fc.nat(120_000), fc.nat(120_000))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
    const anyProgress = fc.record({
      watched: fc.array(anyInterval).map((intervals) => uniteIntervals(intervals)),
      position: fc.constant(null),
      mark: fc.option(
        fc.record({ value: fc.constantFrom('done' as const, 'undone' as const), at: fc.nat() }),
      ),
      answered: fc.subarray(['a', 'b', 'c']),
      readToEnd: fc.boolean(),
    })
    const anyKind = fc.constantFrom<LessonKind>('video', 'article', 'quiz', 'announced')

    fc.assert(
      fc.property(
        anyProgress,
        anyKind,
        fc.boolean(),
        fc.boolean(),
        (progress, kind, retired, isEarned) => {
          const questionIds = kind === 'quiz' ? ['a', 'b'] : []
          const lesson = { kind, durationSeconds: 100, questionIds, retired }

          const explanation = explainLesson(lesson, progress, isEarned ? day : null)

          const becomesDone =
            isLessonDone(lesson, progress, isEarned) && !progress.mark && !isEarned
          expect(explanation.reason.includes('done at the next visit')).toBe(
            becomesDone && (retired || kind !== 'announced'),
          )
          expect(explanation.counts).toBe(kind !== 'announced' && !retired)
          expect(explanation.reason).not.toMatch(/undefined|NaN|null/)
        },
      ),
    )
  })
})
