import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lessonReason } from './lesson-reason'
import { isLessonDone, type LessonKind, type LessonWork, noWork } from './lesson-work'
import { uniteIntervals } from './watched-intervals'

const video = { kind: 'video' as const, durationSeconds: 100, questionIds: [], retired: false }
const article = { ...video, kind: 'article' as const }
const quiz = { ...video, kind: 'quiz' as const, questionIds: ['a', 'b'] }
const day = new Date('2026-11-20T12:00:00Z')
const marked = (value: 'done' | 'undone') => ({ mark: { value, at: day.getTime() } })

describe('the reason why a lesson is done or not', () => {
  it.each([
    ['not started', video, {}, null, false],
    ['watched 42%, 90% needed', video, { watched: [[0, 42_000]] }, null, false],
    ['watched 95%; finished by that on 2026-11-20', video, { watched: [[0, 95_000]] }, day, true],
    [
      'the learner took the mark back on 2026-11-20; watched 95%; finished by that on 2026-11-20',
      video,
      { watched: [[0, 95_000]], ...marked('undone') },
      day,
      false,
    ],
    ['answered 1 of 2 questions', quiz, { answered: ['b', 'gone'] }, null, false],
    ['read to the end', article, { readToEnd: true }, null, false],
    [
      'marked as done by the learner on 2026-11-20; read to the end',
      article,
      { readToEnd: true, ...marked('done') },
      null,
      true,
    ],
    ['announced: it has no material yet', { ...video, kind: 'announced' as const }, {}, null, false],
    ['not started; no longer in the course', { ...video, retired: true }, {}, null, false],
  ])('is “%s”', (reason, lesson, work, earnedAt, done) => {
    const told = lessonReason(lesson, { ...noWork, ...(work as Partial<LessonWork>) }, earnedAt)
    expect(told).toMatchObject({ reason, done })
  })

  it('agrees with the rule for every work on every lesson', () => {
    const interval = fc
      .tuple(fc.nat(120_000), fc.nat(120_000))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
    const work = fc.record({
      watched: fc.array(interval).map((intervals) => uniteIntervals(intervals)),
      position: fc.constant(null),
      mark: fc.option(fc.record({ value: fc.constantFrom('done' as const, 'undone' as const), at: fc.nat() })),
      answered: fc.subarray(['a', 'b', 'c']),
      readToEnd: fc.boolean(),
    })
    const kind = fc.constantFrom<LessonKind>('video', 'article', 'quiz', 'announced')
    fc.assert(
      fc.property(work, kind, fc.boolean(), fc.boolean(), (done, kind, retired, earned) => {
        const lesson = { kind, durationSeconds: 100, questionIds: kind === 'quiz' ? ['a', 'b'] : [], retired }
        const told = lessonReason(lesson, done, earned ? day : null)
        expect(told.done).toBe(isLessonDone(lesson, done, earned))
        expect(told.counts).toBe(kind !== 'announced' && !retired)
        expect(told.reason).not.toMatch(/undefined|NaN|null/)
      }),
    )
  })
})
