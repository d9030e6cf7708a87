import { describe, expect, it } from 'vitest'
import { findImplausibility, isAheadOfClock, progressReportSchema } from './lesson-report.server'

const openedAt = Date.UTC(2026, 10, 20, 12)
const base = { uid: 'ada', openedAt, signature: 'signed' }
const report = (part: object) => progressReportSchema.parse({ ...base, ...part })

describe('a progress report', () => {
  it.each([
    ['negative', { watched: [[-5, 1000]] }],
    ['backwards', { watched: [[2000, 1000]] }],
    ['fractional', { watched: [[0.5, 1000]] }],
    ['endless', { watched: [[0, Number.POSITIVE_INFINITY]] }],
    ['beyond what a video can last', { watched: [[0, 3_000_000_000]] }],
    ['positioned where no video is', { position: { ms: Number.MAX_SAFE_INTEGER, at: openedAt } }],
    ['misspelt', { watchd: [[0, 1000]] }],
    ['a foreign mark', { mark: { value: 'passed', at: openedAt } }],
    ['a foreign answer', { answered: ["'; drop table users"] }],
  ])('is unreadable when it is %s', (_, part) => {
    expect(progressReportSchema.safeParse({ ...base, ...part }).success).toBe(false)
  })

  it('may count the content of double speed', () => {
    expect(findImplausibility(report({ watched: [[0, 60_000]] }), openedAt + 30_000)).toBeNull()
  })

  it('is refused when it is faster than real time allows', () => {
    const tooFast = 'This is faster than anyone can watch.'

    expect(findImplausibility(report({ watched: [[0, 63_000]] }), openedAt + 30_000)).toBe(tooFast)
    expect(findImplausibility(report({ watched: [[0, 2_500]] }), openedAt)).toBe(tooFast)
    // The clock of the server that receives the report may be behind that of the server that sent
    // the page.
    expect(findImplausibility(report({ watched: [[0, 2_500]] }), openedAt - 4_000)).toBe(tooFast)
  })

  it('is refused when it goes beyond the length that the lesson had when it was opened', () => {
    const beyond = 'This goes past the end of the lesson.'
    const at = openedAt + 60_000

    expect(findImplausibility(report({ lengthMs: 28_000, watched: [[0, 28_000]] }), at)).toBeNull()
    expect(findImplausibility(report({ lengthMs: 28_000, watched: [[0, 28_001]] }), at)).toBe(
      beyond,
    )
    expect(
      findImplausibility(report({ lengthMs: 28_000, position: { ms: 28_001, at: openedAt } }), at),
    ).toBe(beyond)
  })

  it('cannot be made plausible by overlapping intervals, nor refused for them', () => {
    const watched = Array.from({ length: 20 }, () => [0, 30_000])
    expect(findImplausibility(report({ watched }), openedAt + 20_000)).toBeNull()
  })

  it.each([
    ['studied before the page was opened', { studied: [[openedAt - 60_000, openedAt]] }],
    ['studied in the future', { studied: [[openedAt, openedAt + 90_000]] }],
    ['marked in the future', { mark: { value: 'done', at: openedAt + 90_000 } }],
    ['positioned in the past', { position: { ms: 0, at: openedAt - 90_000 } }],
  ])('is refused when it was %s', (_, part) => {
    expect(findImplausibility(report(part), openedAt + 30_000)).toBe(
      'This time is outside the visit.',
    )
  })

  it('is accepted late, because a queue may wait for days', () => {
    const late = openedAt + 5 * 86_400_000
    expect(
      findImplausibility(
        report({ watched: [[0, 10_000]], studied: [[openedAt, openedAt + 10_000]] }),
        late,
      ),
    ).toBeNull()
  })

  it.each([
    ['was opened', {}],
    ['was marked', { openedAt: openedAt - 7_200_000, mark: { value: 'done', at: openedAt } }],
    ['was studied', { openedAt: openedAt - 7_200_000, studied: [[openedAt - 60_000, openedAt]] }],
    ['was watched', { openedAt: openedAt - 7_200_000, position: { ms: 0, at: openedAt } }],
  ])('waits after it %s before the clock was set back an hour', (_, part) => {
    const ownReport = report(part)

    expect(isAheadOfClock(ownReport, openedAt - 3_600_000)).toBe(true)
    expect([isAheadOfClock(ownReport, openedAt), findImplausibility(ownReport, openedAt)]).toEqual([
      false,
      null,
    ])
    // The clock was wrong by a year before: nothing waits that long.
    expect(isAheadOfClock(ownReport, openedAt - 365 * 86_400_000)).toBe(false)
  })
})
