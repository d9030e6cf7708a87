import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { emptyProgress } from './lesson-progress'
import {
  applyOpenedLength,
  findProgressRefusal,
  fitProgressToLesson,
  mergeWithinLimit,
} from './reported-progress'
import { coveredMs, type Interval, uniteIntervals } from './watched-intervals'

const video = { kind: 'video', durationSeconds: 30, questionIds: [] } as const
const quiz = { kind: 'quiz', durationSeconds: 60, questionIds: ['a', 'b'] } as const
const article = { kind: 'article', durationSeconds: 60, questionIds: [] } as const
const now = new Date('2026-11-20T12:00:00Z')
const everything = {
  ...emptyProgress,
  watched: [[0, 40_000]],
  answered: ['a', 'c'],
  readToEnd: true,
} as const

describe('what of a report fits the lesson as it is now', () => {
  it('is of a video what lies within its length', () => {
    const position = { ms: 35_000, at: 1 }
    expect(fitProgressToLesson(video, { ...everything, position })).toEqual({
      ...emptyProgress,
      watched: [[0, 30_000]],
      position: { ms: 30_000, at: 1 },
    })
  })

  it('never reaches beyond a video, and is all that lies within it', () => {
    const pieces = fc.array(fc.tuple(fc.nat(60_000), fc.nat(9_000)), { maxLength: 5 })
    fc.assert(
      fc.property(pieces, (list) => {
        const watched = uniteIntervals(
          list.map(([start, length]): Interval => [start, start + length]),
        )
        const fit = fitProgressToLesson(video, { ...emptyProgress, watched }).watched
        expect(fit.every(([start, end]) => start < end && end <= 30_000)).toBe(true)
        expect(coveredMs(fit)).toBe(coveredMs(watched, [0, 30_000]))
      }),
    )
  })

  it('is nothing of what begins where the video ends', () => {
    expect(
      fitProgressToLesson(video, { ...emptyProgress, watched: [[30_000, 40_000]] }).watched,
    ).toEqual([])
  })

  it('is of a quiz the answers to its own questions', () => {
    expect(fitProgressToLesson(quiz, everything)).toEqual({ ...emptyProgress, answered: ['a'] })
  })

  it('is of an article that it was read to the end', () => {
    expect(fitProgressToLesson(article, everything)).toEqual({ ...emptyProgress, readToEnd: true })
  })
})

describe('a video that was replaced since it was opened', () => {
  it('counts by the shorter of both lengths', () => {
    expect(applyOpenedLength(video, 20_000).durationSeconds).toBe(20)
    expect(applyOpenedLength(video, 40_000).durationSeconds).toBe(30)
    expect(applyOpenedLength(video).durationSeconds).toBe(30)
  })
})

describe('a video in more pieces than an account keeps', () => {
  const pieces = (count: number) =>
    Array.from({ length: count }, (_, index): Interval => [index * 4, index * 4 + 1])

  it('stays as it was', () => {
    const stored = { ...emptyProgress, watched: [[10, 20]] as const }
    const added = mergeWithinLimit(stored, {
      ...emptyProgress,
      watched: pieces(learnerLimits.watchedIntervals + 9),
      readToEnd: true,
    })

    expect(added).toEqual({ ...stored, readToEnd: true })
  })

  it('is taken up to that many', () => {
    const most = pieces(learnerLimits.watchedIntervals)
    expect(mergeWithinLimit(emptyProgress, { ...emptyProgress, watched: most }).watched).toEqual(
      most,
    )
  })

  it('is taken once it was watched through', () => {
    const stored = { ...emptyProgress, watched: pieces(learnerLimits.watchedIntervals) }
    expect(mergeWithinLimit(stored, { ...emptyProgress, watched: [[0, 30_000]] }).watched).toEqual([
      [0, 30_000],
    ])
  })
})

describe('a report is refused', () => {
  const reporter = { session: 'own', isEnrolled: true } as const
  const report = { progress: emptyProgress, studyIntervals: [], receivedAt: now }

  it('without a session, with another learner’s, and without an enrollment', () => {
    expect(findProgressRefusal({ ...reporter, session: 'none' }, video, report)).toBe('signed-out')
    expect(findProgressRefusal({ ...reporter, session: 'other' }, video, report)).toBe(
      'other-learner',
    )
    expect(findProgressRefusal({ ...reporter, isEnrolled: false }, video, report)).toBe(
      'not-enrolled',
    )
  })

  it('for a lesson without material', () => {
    expect(findProgressRefusal(reporter, { ...video, kind: 'announced' }, report)).toBe('announced')
  })

  it('beyond the length that the lesson had when it was opened', () => {
    const progress = { ...emptyProgress, watched: [[0, 30_001]] as const }

    expect(findProgressRefusal(reporter, video, { ...report, progress })).toBe('beyond-length')
    expect(
      findProgressRefusal(reporter, video, { ...report, progress, openedLengthMs: 40_000 }),
    ).toBeNull()
    expect(
      findProgressRefusal(reporter, video, {
        ...report,
        progress: { ...emptyProgress, watched: [[0, 30_000]] },
      }),
    ).toBeNull()
    expect(
      findProgressRefusal(reporter, video, {
        ...report,
        progress: { ...emptyProgress, position: { ms: 30_001, at: 1 } },
      }),
    ).toBe('beyond-length')
  })

  it('that marks an article which was not read to its end', () => {
    const progress = { ...emptyProgress, mark: { value: 'done', at: 1 } as const }

    expect(findProgressRefusal(reporter, article, { ...report, progress })).toBe('unread')
    expect(
      findProgressRefusal(reporter, article, {
        ...report,
        progress: { ...progress, readToEnd: true },
      }),
    ).toBeNull()
    expect(findProgressRefusal(reporter, video, { ...report, progress })).toBeNull()
    expect(
      findProgressRefusal(reporter, article, {
        ...report,
        progress: { ...emptyProgress, mark: { value: 'undone', at: 1 } },
      }),
    ).toBeNull()

    expect(findProgressRefusal(reporter, article, report)).toBeNull()
  })
})
