import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isLessonDone,
  type LessonWithProgress,
  sumCertifiedLessons,
} from '../lessons/kinds/lesson-rules'
import { emptyProgress, type LessonProgress, mergeProgress } from './lesson-progress'
import { uniteIntervals } from './watched-intervals'

const anyTime = fc.integer({ min: 1, max: 5 })
const anyProgress: fc.Arbitrary<LessonProgress> = fc.record({
  watched: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 9_000 })), {
      maxLength: 4,
    })
    .map((list) => uniteIntervals(list.map(([start, length]) => [start, start + length]))),
  position: fc.option(fc.record({ ms: fc.integer({ min: 0, max: 30_000 }), at: anyTime })),
  mark: fc.option(fc.record({ value: fc.constantFrom('done', 'undone'), at: anyTime })),
  answered: fc.subarray(['a', 'b', 'c']),
  readToEnd: fc.boolean(),
})

const video = { kind: 'video', durationSeconds: 30, questionIds: [] } as const
const quiz = { kind: 'quiz', durationSeconds: 60, questionIds: ['a', 'b'] } as const
const article = { kind: 'article', durationSeconds: 60, questionIds: [] } as const

describe('merging reports', () => {
  it('has the same result for every order of the reports, even with repeated reports', () => {
    fc.assert(
      fc.property(
        fc.array(anyProgress, { maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (reports, numbers) => {
          const sequential = reports.reduce(mergeProgress, emptyProgress)
          const order = [...reports, ...reports.filter(() => (numbers.next().value ?? 0) % 2 === 0)]
            .map((report) => ({ report, rank: numbers.next().value ?? 0 }))
            .sort((one, other) => one.rank - other.rank)
            .map(({ report }) => report)
          expect(order.reduce(mergeProgress, emptyProgress)).toEqual(sequential)
          expect(order.reduceRight(mergeProgress, emptyProgress)).toEqual(sequential)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('loses nothing when a later, cumulative report arrives and an earlier one does not', () => {
    fc.assert(
      fc.property(fc.array(anyProgress, { minLength: 1, maxLength: 6 }), (steps) => {
        const cumulative = steps.map((_, index) =>
          steps.slice(0, index + 1).reduce(mergeProgress, emptyProgress),
        )
        expect(cumulative.at(-1)).toEqual(cumulative.reduce(mergeProgress, emptyProgress))
      }),
    )
  })

  it('keeps the mark that was made last, wherever it arrives', () => {
    const done: LessonProgress = { ...emptyProgress, mark: { value: 'done', at: 1 } }
    const undone: LessonProgress = { ...emptyProgress, mark: { value: 'undone', at: 2 } }

    expect(mergeProgress(undone, done).mark?.value).toBe('undone')
  })

  it('keeps the mark of a done lesson when both were made at the same moment', () => {
    const done: LessonProgress = { ...emptyProgress, mark: { value: 'done', at: 1 } }
    const undone: LessonProgress = { ...emptyProgress, mark: { value: 'undone', at: 1 } }

    expect([mergeProgress(done, undone), mergeProgress(undone, done)]).toEqual([done, done])
  })

  it('reads an article to its end only if one of them did', () => {
    const read = { ...emptyProgress, readToEnd: true }
    expect(
      [mergeProgress(emptyProgress, emptyProgress), mergeProgress(read, emptyProgress)].map(
        ({ readToEnd }) => readToEnd,
      ),
    ).toEqual([false, true])
  })
})

describe('a done lesson', () => {
  it('is a video of which 90% was really played, and not less', () => {
    expect(isLessonDone(video, { ...emptyProgress, watched: [[0, 27_000]] })).toBe(true)
    expect(isLessonDone(video, { ...emptyProgress, watched: [[0, 26_999]] })).toBe(false)
  })

  it('is not a video whose end was sought', () => {
    expect(
      isLessonDone(video, {
        ...emptyProgress,
        watched: [[29_000, 30_000]],
        position: { ms: 30_000, at: 1 },
      }),
    ).toBe(false)
  })

  it('is a quiz of which every question was answered', () => {
    expect(isLessonDone(quiz, { ...emptyProgress, answered: ['a'] })).toBe(false)
    expect(isLessonDone(quiz, { ...emptyProgress, answered: ['a', 'b'] })).toBe(true)
  })

  it('is an article that was marked, not one that was only scrolled', () => {
    expect(isLessonDone(article, { ...emptyProgress, readToEnd: true })).toBe(false)
    expect(
      isLessonDone(article, { ...emptyProgress, readToEnd: true, mark: { value: 'done', at: 1 } }),
    ).toBe(true)
  })

  it('follows the learner, who may unmark what was watched', () => {
    expect(
      isLessonDone(video, {
        ...emptyProgress,
        watched: [[0, 30_000]],
        mark: { value: 'undone', at: 1 },
      }),
    ).toBe(false)
  })
})

describe('a certificate', () => {
  const fact = fc.boolean()
  const kind = fc.constantFrom('video', 'article', 'quiz', 'announced')
  const lesson: fc.Arbitrary<LessonWithProgress> = fc.record({
    kind,
    durationSeconds: fc.integer({ min: 1, max: 900 }),
    earned: fact,
    done: fact,
    readToEnd: fact,
  })

  it('names a video or quiz that was watched or answered, never one that was only marked as done', () => {
    const marked = {
      kind: 'video',
      durationSeconds: 60,
      earned: false,
      done: true,
      readToEnd: false,
    } as const

    expect(sumCertifiedLessons([marked, { ...marked, kind: 'quiz' }])).toEqual({
      lessons: 0,
      materialSeconds: 0,
    })
    expect(sumCertifiedLessons([marked, { ...marked, earned: true }])).toEqual({
      lessons: 1,
      materialSeconds: 60,
    })
    expect(sumCertifiedLessons([{ ...marked, earned: true, done: false }]).lessons).toBe(1)
  })

  it('names an article that was read to its end and marked as done', () => {
    const read = {
      kind: 'article',
      durationSeconds: 60,
      earned: false,
      done: true,
      readToEnd: true,
    } as const

    expect(sumCertifiedLessons([read]).lessons).toBe(1)
    expect(sumCertifiedLessons([{ ...read, done: false }]).lessons).toBe(0)
    expect(sumCertifiedLessons([{ ...read, readToEnd: false }]).lessons).toBe(0)
  })

  it('counts each lesson by itself, and no lesson that was only announced', () => {
    fc.assert(
      fc.property(fc.array(lesson), fc.array(lesson), (some, others) => {
        const all = sumCertifiedLessons([...some, ...others])
        const apart = [sumCertifiedLessons(some), sumCertifiedLessons(others)]
        expect(all.lessons).toBe(apart.reduce((sum, { lessons }) => sum + lessons, 0))
        expect(all.materialSeconds).toBe(
          apart.reduce((sum, { materialSeconds }) => sum + materialSeconds, 0),
        )
        const announced = some.map((one) => ({ ...one, kind: 'announced' as const }))
        expect(sumCertifiedLessons(announced).lessons).toBe(0)
      }),
    )
  })
})
