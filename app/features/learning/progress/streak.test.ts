import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findReachedStreakStep,
  getCurrentStreakDays,
  getLongestStreakDays,
  streakSteps,
} from './streak'
import { addDays } from './study-time'

const today = '2026-11-20'
const row = (lastDay: string, length: number) =>
  Array.from({ length }, (_, day) => addDays(lastDay, day + 1 - length))

describe('the current streak', () => {
  it('stands while it reached today or yesterday', () => {
    expect(getCurrentStreakDays(row(today, 4), today)).toBe(4)
    expect(getCurrentStreakDays(row('2026-11-19', 4), today)).toBe(4)
  })

  it('is over after a whole day without learning', () => {
    expect(getCurrentStreakDays(row('2026-11-18', 4), today)).toBe(0)
    expect(getCurrentStreakDays([], today)).toBe(0)
  })

  it('passes the end of a month', () => {
    expect(getCurrentStreakDays(['2026-02-27', '2026-02-28', '2026-03-01'], '2026-03-01')).toBe(3)
  })
})

describe('the longest streak', () => {
  it('is the longest of several, and 0 before the first day', () => {
    expect(
      getLongestStreakDays([...row('2026-10-01', 3), ...row('2026-10-20', 5), ...row(today, 2)]),
    ).toBe(5)
    expect(getLongestStreakDays([])).toBe(0)
  })

  it('is as long as the longest row of days without a gap', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (learned) => {
        const days = learned.flatMap((yes, index) => (yes ? [addDays('2026-01-01', index)] : []))
        const rows = learned
          .map((yes) => (yes ? 'x' : ' '))
          .join('')
          .split(/ +/)
        expect(getLongestStreakDays(days)).toBe(Math.max(...rows.map(({ length }) => length)))
      }),
    )
  })
})

describe('a step of a streak', () => {
  it('is reached on its day, and is no news two days later', () => {
    expect(findReachedStreakStep(row(today, 2), today)).toBeNull()
    expect(findReachedStreakStep(row(today, 7), today)).toEqual({ days: 7, reachedOn: today })
    expect(findReachedStreakStep(row(today, 8), today)).toEqual({
      days: 7,
      reachedOn: addDays(today, -1),
    })
    expect(findReachedStreakStep(row(today, 9), today)).toBeNull()
  })

  it('is reached once by everyone who learns every day, however long', () => {
    const steps = Array.from({ length: 400 }, (_, index) =>
      findReachedStreakStep(row(today, index + 1), today),
    )
    const reachedStreaks = steps
      .filter((step) => step?.reachedOn === today)
      .map((step) => step?.days)

    expect(reachedStreaks).toEqual(streakSteps)
  })

  it('is none once a day was missed', () => {
    expect(findReachedStreakStep(row(addDays(today, -2), 7), today)).toBeNull()
    expect(findReachedStreakStep([], today)).toBeNull()
  })
})
