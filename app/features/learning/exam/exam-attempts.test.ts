import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attemptAllowance, attemptRuleText } from './exam-attempts'

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const weekly = { maxAttempts: 3, attemptsWithinDays: 7 }

describe('the attempts of an exam', () => {
  it('are all free at first, and one less with each start', () => {
    expect(attemptAllowance(weekly, [], now)).toEqual({ left: 3, nextAt: null })
    expect(attemptAllowance(weekly, [daysAgo(0), daysAgo(3)], now)).toEqual({ left: 1, nextAt: null })
  })

  it('come back one by one when the oldest is old enough', () => {
    const startedAt = [daysAgo(1), daysAgo(6), daysAgo(2)]
    expect(attemptAllowance(weekly, startedAt, now)).toEqual({ left: 0, nextAt: daysAgo(-1) })
    expect(attemptAllowance(weekly, startedAt, daysAgo(-1))).toEqual({ left: 1, nextAt: null })
  })

  it('never come back where the exam has no period', () => {
    const rules = { maxAttempts: 2, attemptsWithinDays: null }
    expect(attemptAllowance(rules, [daysAgo(900), daysAgo(800)], now)).toEqual({ left: 0, nextAt: null })
  })

  it('wait for the right one when the operator allows fewer than were taken', () => {
    const rules = { maxAttempts: 1, attemptsWithinDays: 7 }
    expect(attemptAllowance(rules, [daysAgo(6), daysAgo(1)], now).nextAt).toEqual(daysAgo(-6))
  })

  it('are free at the promised moment, and not a moment before', () => {
    const days = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 12 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 10 }), days, (maxAttempts, within, ago) => {
        const rules = { maxAttempts, attemptsWithinDays: within }
        const startedAt = ago.map((days) => new Date(Math.floor(daysAgo(days).getTime())))
        const { left, nextAt } = attemptAllowance(rules, startedAt, now)
        if (left > 0) return nextAt === null
        const at = (ms: number) => attemptAllowance(rules, startedAt, new Date((nextAt as Date).getTime() + ms)).left
        return at(-1) === 0 && at(0) > 0
      }),
    )
  })

  it('are told as a sentence', () => {
    expect(attemptRuleText(weekly)).toBe('There are 3 attempts within 7 days.')
    expect(attemptRuleText({ maxAttempts: 1, attemptsWithinDays: 1 })).toBe('There is one attempt within 24 hours.')
    expect(attemptRuleText({ maxAttempts: 1, attemptsWithinDays: null })).toBe('There is one attempt in all.')
  })
})
