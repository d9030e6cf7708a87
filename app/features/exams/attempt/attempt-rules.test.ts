import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyMoveCommand, moveItem } from '~/features/courses/questions/kinds/positions'
import { describeAttemptRules } from '../exam-messages'
import {
  canSeeAnswers,
  computeAttemptAllowance,
  computeLostSeconds,
  isOverdue,
} from './attempt-rules'
import { getTimeAnnouncement } from './exam-clock'

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
/** Creates attempts that were submitted right after their start. */
const createAttempts = (...startTimes: Date[]) =>
  startTimes.map((startedAt) => ({ startedAt, submittedAt: startedAt }))
const weekly = { maxAttempts: 3, attemptsWithinDays: 7, minutesBetweenAttempts: 10 }

describe('the attempts of an exam', () => {
  it('are all available at first, and one less with each start', () => {
    expect(computeAttemptAllowance(weekly, [], now)).toEqual({
      remaining: 3,
      nextStartAt: null,
      isExhausted: false,
    })
    expect(
      computeAttemptAllowance(weekly, createAttempts(daysAgo(1), daysAgo(3)), now),
    ).toMatchObject({
      remaining: 1,
      nextStartAt: null,
    })
  })

  it('become available again one by one when the period since their start has passed', () => {
    const attempts = createAttempts(daysAgo(1), daysAgo(6), daysAgo(2))

    expect(computeAttemptAllowance(weekly, attempts, now)).toEqual({
      remaining: 0,
      nextStartAt: daysAgo(-1),
      isExhausted: false,
    })

    expect(computeAttemptAllowance(weekly, attempts, daysAgo(-1))).toEqual({
      remaining: 1,
      nextStartAt: null,
      isExhausted: false,
    })
  })

  it('never become available again if the exam has no period', () => {
    const rules = { maxAttempts: 2, attemptsWithinDays: null, minutesBetweenAttempts: 10 }
    const attempts = createAttempts(daysAgo(900), minutesAgo(1))

    expect(computeAttemptAllowance(rules, attempts, now)).toEqual({
      remaining: 0,
      nextStartAt: null,
      isExhausted: true,
    })
  })

  it('have a pause between them, from the end of one to the start of the next', () => {
    const attempts = [{ startedAt: minutesAgo(15), submittedAt: minutesAgo(4) }]

    expect(computeAttemptAllowance(weekly, attempts, now)).toEqual({
      remaining: 2,
      nextStartAt: minutesAgo(-6),
      isExhausted: false,
    })

    expect(computeAttemptAllowance(weekly, attempts, minutesAgo(-6)).nextStartAt).toBeNull()
    expect(
      computeAttemptAllowance({ ...weekly, minutesBetweenAttempts: 0 }, attempts, now).nextStartAt,
    ).toBeNull()
  })

  it('wait for the pause, too, when one comes back earlier', () => {
    const rules = { maxAttempts: 1, attemptsWithinDays: 1, minutesBetweenAttempts: 30 }
    const attempts = [{ startedAt: minutesAgo(24 * 60 - 5), submittedAt: minutesAgo(10) }]

    expect(computeAttemptAllowance(rules, attempts, now).nextStartAt).toEqual(minutesAgo(-20))
  })

  it('wait for the right one when the operator allows fewer than were taken', () => {
    const rules = { maxAttempts: 1, attemptsWithinDays: 7, minutesBetweenAttempts: 10 }
    expect(
      computeAttemptAllowance(rules, createAttempts(daysAgo(6), daysAgo(1)), now).nextStartAt,
    ).toEqual(daysAgo(-6))
  })

  it('are free at the promised moment, and not a moment before', () => {
    const days = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 12 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 10 }),
        days,
        (maxAttempts, within, ago) => {
          const rules = { maxAttempts, attemptsWithinDays: within, minutesBetweenAttempts: 10 }
          const attempts = createAttempts(
            ...ago.map((days) => new Date(Math.floor(daysAgo(days).getTime()))),
          )
          const mayStart = (at: Date) => {
            const { remaining, nextStartAt } = computeAttemptAllowance(rules, attempts, at)
            return remaining > 0 && nextStartAt === null
          }
          const { nextStartAt } = computeAttemptAllowance(rules, attempts, now)
          const justBefore = nextStartAt && new Date(nextStartAt.getTime() - 1)
          expect([mayStart(now), justBefore && mayStart(justBefore)]).toEqual(
            nextStartAt ? [false, false] : [true, null],
          )
          expect(mayStart(nextStartAt ?? now)).toBe(true)
        },
      ),
    )
  })

  it('are told as a sentence', () => {
    const text = (
      maxAttempts: number,
      attemptsWithinDays: number | null,
      minutesBetweenAttempts: number,
    ) => describeAttemptRules({ maxAttempts, attemptsWithinDays, minutesBetweenAttempts })

    expect(text(3, 7, 10)).toBe(
      'You get 3 attempts in 7 days. Wait at least 10 minutes between attempts.',
    )
    expect(text(1, 1, 0)).toBe('You get 1 attempt in 24 hours.')
    expect(text(1, null, 10)).toBe('You get 1 attempt in total.')
    expect(text(2, null, 1)).toBe(
      'You get 2 attempts in total. Wait at least 1 minute between attempts.',
    )
    expect(text(1, 7, 10)).toBe(
      'You get 1 attempt in 7 days. Wait at least 10 minutes between attempts.',
    )
  })
})

describe('right answers and explanations', () => {
  it.each([
    ['after a pass', { isPassed: true, hasOpenAttempt: false, isExhausted: false }, true],
    [
      'after the last attempt that there ever is',
      { isPassed: false, hasOpenAttempt: false, isExhausted: true },
      true,
    ],
    [
      'while more attempts are left, or come back',
      { isPassed: false, hasOpenAttempt: false, isExhausted: false },
      false,
    ],
    [
      'while an attempt is under way, also after a pass',
      { isPassed: true, hasOpenAttempt: true, isExhausted: true },
      false,
    ],
  ])('%s', (_when, exam, shown) => expect(canSeeAnswers(exam)).toBe(shown))
})

describe('the time of an exam', () => {
  it('is over some seconds after the deadline, for what was on its way', () => {
    const deadlineAt = new Date('2026-11-20T12:00:00Z')

    expect(isOverdue({ deadlineAt }, new Date('2026-11-20T12:00:05Z'))).toBe(false)
    expect(isOverdue({ deadlineAt }, new Date('2026-11-20T12:00:05.001Z'))).toBe(true)
    expect(isOverdue({ deadlineAt: null }, new Date('2030-01-01'))).toBe(false)
  })

  it('stands still during maintenance: as much is left when it ends as when it began', () => {
    const ms = fc.integer({ min: 0, max: 7_200_000 })
    fc.assert(
      fc.property(ms, ms, ms, ms, (startedMs, limitMs, sinceMs, lastsMs) => {
        const interruptedMs = Math.max(startedMs, sinceMs)
        const deadlineMs = startedMs + limitMs
        const attempt = { startedAt: new Date(startedMs), deadlineAt: new Date(deadlineMs) }
        const maintenance = {
          startedAt: new Date(sinceMs),
          endedAt: new Date(interruptedMs + lastsMs),
        }
        fc.pre(!isOverdue(attempt, maintenance.startedAt))

        const extendedDeadlineMs = deadlineMs + computeLostSeconds(attempt, maintenance) * 1000
        const leftMs = extendedDeadlineMs - maintenance.endedAt.getTime()
        const leftBeforeMs = deadlineMs - interruptedMs
        expect(leftMs).toBeGreaterThanOrEqual(leftBeforeMs)
        expect(leftMs).toBeLessThan(leftBeforeMs + 1_000)
      }),
    )
  })

  it('loses nothing to maintenance that ends before it began, as after setting a clock back', () => {
    const attempt = { startedAt: new Date(5_000), deadlineAt: new Date(60_000) }
    const maintenance = { startedAt: new Date(9_000), endedAt: new Date(1_000) }

    expect(computeLostSeconds(attempt, maintenance)).toBe(0)
  })

  it('that was over before maintenance began stays over', () => {
    const attempt = { startedAt: new Date(0), deadlineAt: new Date(60_000) }
    const computeLost = (startedMs: number) =>
      computeLostSeconds(attempt, { startedAt: new Date(startedMs), endedAt: new Date(90_000) })

    expect(computeLost(65_001)).toBe(0)
    expect(computeLost(65_000)).toBe(25)
  })

  it('is announced at 5 minutes, at 1 minute and at its end, once each', () => {
    const announcements: string[] = []
    for (let secondsLeft = 400; secondsLeft > 0; secondsLeft -= 1) {
      const announcement = getTimeAnnouncement(secondsLeft, secondsLeft - 1)
      if (announcement) {
        announcements.push(announcement)
      }
    }

    expect(announcements).toEqual([
      '5 minutes left.',
      '1 minute left.',
      'Time’s up. Your answers are being submitted.',
    ])
  })

  it('is announced once after a browser was suspended', () => {
    expect(getTimeAnnouncement(400, 30)).toBe('1 minute left.')
    expect(getTimeAnnouncement(30, 29)).toBeNull()
  })
})

describe('bringing items into order', () => {
  it('moves one item up or down and nothing beyond the ends', () => {
    expect(applyMoveCommand([2, 0, 1], '1:up')).toEqual([0, 2, 1])
    expect(applyMoveCommand([2, 0, 1], '1:down')).toEqual([2, 1, 0])
    expect(applyMoveCommand([2, 0, 1], '0:up')).toEqual([2, 0, 1])
    expect(applyMoveCommand([2, 0, 1], '2:down')).toEqual([2, 0, 1])
    expect(applyMoveCommand([2, 0, 1], 'keep')).toEqual([2, 0, 1])
    expect(applyMoveCommand([2, 0, 1], '9:up')).toEqual([2, 0, 1])
  })

  it('puts a dragged item where it is dropped', () => {
    expect(moveItem([0, 1, 2, 3], 3, 0)).toEqual([3, 0, 1, 2])
    expect(moveItem([0, 1, 2, 3], 0, 2)).toEqual([1, 2, 0, 3])
  })
})
