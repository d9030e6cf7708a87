import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answersAreShown, attemptAllowance } from './exam-attempts'
import { attemptRule } from './exam-messages'

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
/** Attempts that were started then, and took no time. */
const taken = (...startedAt: Date[]) => startedAt.map((moment) => ({ startedAt: moment, submittedAt: moment }))
const weekly = { maxAttempts: 3, attemptsWithinDays: 7, minutesBetweenAttempts: 10 }

describe('the attempts of an exam', () => {
  it('are all free at first, and one less with each start', () => {
    expect(attemptAllowance(weekly, [], now)).toEqual({ left: 3, nextAt: null, usedUp: false })
    expect(attemptAllowance(weekly, taken(daysAgo(1), daysAgo(3)), now)).toMatchObject({ left: 1, nextAt: null })
  })

  it('come back one by one when the oldest is old enough', () => {
    const attempts = taken(daysAgo(1), daysAgo(6), daysAgo(2))
    expect(attemptAllowance(weekly, attempts, now)).toEqual({ left: 0, nextAt: daysAgo(-1), usedUp: false })
    expect(attemptAllowance(weekly, attempts, daysAgo(-1))).toEqual({ left: 1, nextAt: null, usedUp: false })
  })

  it('never come back where the exam has no period', () => {
    const rules = { maxAttempts: 2, attemptsWithinDays: null, minutesBetweenAttempts: 10 }
    const attempts = taken(daysAgo(900), minutesAgo(1))
    expect(attemptAllowance(rules, attempts, now)).toEqual({ left: 0, nextAt: null, usedUp: true })
  })

  it('have a pause between them, from the end of one to the start of the next', () => {
    const attempts = [{ startedAt: minutesAgo(15), submittedAt: minutesAgo(4) }]
    expect(attemptAllowance(weekly, attempts, now)).toEqual({ left: 2, nextAt: minutesAgo(-6), usedUp: false })
    expect(attemptAllowance(weekly, attempts, minutesAgo(-6)).nextAt).toBeNull()
    expect(attemptAllowance({ ...weekly, minutesBetweenAttempts: 0 }, attempts, now).nextAt).toBeNull()
  })

  it('wait for the pause, too, when one comes back earlier', () => {
    const rules = { maxAttempts: 1, attemptsWithinDays: 1, minutesBetweenAttempts: 30 }
    const attempts = [{ startedAt: minutesAgo(24 * 60 - 5), submittedAt: minutesAgo(10) }]
    expect(attemptAllowance(rules, attempts, now).nextAt).toEqual(minutesAgo(-20))
  })

  it('wait for the right one when the operator allows fewer than were taken', () => {
    const rules = { maxAttempts: 1, attemptsWithinDays: 7, minutesBetweenAttempts: 10 }
    expect(attemptAllowance(rules, taken(daysAgo(6), daysAgo(1)), now).nextAt).toEqual(daysAgo(-6))
  })

  it('are free at the promised moment, and not a moment before', () => {
    const days = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 12 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 10 }), days, (maxAttempts, within, ago) => {
        const rules = { maxAttempts, attemptsWithinDays: within, minutesBetweenAttempts: 10 }
        const attempts = taken(...ago.map((days) => new Date(Math.floor(daysAgo(days).getTime()))))
        const mayStart = (at: Date) => {
          const { left, nextAt } = attemptAllowance(rules, attempts, at)
          return left > 0 && nextAt === null
        }
        const { nextAt } = attemptAllowance(rules, attempts, now)
        const justBefore = nextAt && new Date(nextAt.getTime() - 1)
        expect([mayStart(now), justBefore && mayStart(justBefore)]).toEqual(nextAt ? [false, false] : [true, null])
        expect(mayStart(nextAt ?? now)).toBe(true)
      }),
    )
  })

  it('are told as a sentence', () => {
    const text = (maxAttempts: number, attemptsWithinDays: number | null, minutesBetweenAttempts: number) =>
      attemptRule({ maxAttempts, attemptsWithinDays, minutesBetweenAttempts })
    expect(text(3, 7, 10)).toBe('You get 3 attempts in 7 days. Wait at least 10 minutes between attempts.')
    expect(text(1, 1, 0)).toBe('You get 1 attempt in 24 hours.')
    expect(text(1, null, 10)).toBe('You get 1 attempt in total.')
    expect(text(2, null, 1)).toBe('You get 2 attempts in total. Wait at least 1 minute between attempts.')
    expect(text(1, 7, 10)).toBe('You get 1 attempt in 7 days. Wait at least 10 minutes between attempts.')
  })
})

describe('right answers and explanations', () => {
  it.each([
    ['after a pass', { passed: true, underWay: false, usedUp: false }, true],
    ['after the last attempt that there ever is', { passed: false, underWay: false, usedUp: true }, true],
    ['while more attempts are left, or come back', { passed: false, underWay: false, usedUp: false }, false],
    ['while an attempt is under way, also after a pass', { passed: true, underWay: true, usedUp: true }, false],
  ])('%s', (_when, exam, shown) => expect(answersAreShown(exam)).toBe(shown))
})
