import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, currentStreak, fillDays, localDay, studyHours } from './study-time'

const anyDay = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('study hours have one decimal and are rounded down', () => {
  expect([0, 359, 360, 3599, 3600, 457_200].map(studyHours)).toEqual([0, 0, 0.1, 0.9, 1, 127])
})

describe('days', () => {
  test('pass month ends, leap days and clock changes', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
    expect(addDays('2026-11-01', 1)).toBe('2026-11-02')
  })

  test('there and back is where one started', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -5000, max: 5000 }), (day, count) => {
        expect(addDays(addDays(day, count), -count)).toBe(day)
      }),
    )
  })

  test("are those of the learner's time zone", () => {
    const now = new Date('2026-11-20T05:00:00Z')
    expect(localDay(now, 'America/Los_Angeles')).toBe('2026-11-19')
    expect(localDay(now, 'UTC')).toBe('2026-11-20')
  })

  test('are filled up to today, oldest first', () => {
    expect(fillDays([{ day: '2026-11-19', minutes: 0 }], '2026-11-20', 3)).toEqual([
      { day: '2026-11-18', minutes: 0, learned: false },
      { day: '2026-11-19', minutes: 0, learned: true },
      { day: '2026-11-20', minutes: 0, learned: false },
    ])
  })
})

describe('the current streak', () => {
  test('stands while it reached today or yesterday', () => {
    expect(currentStreak({ lastDay: '2026-11-20', days: 4 }, '2026-11-20')).toBe(4)
    expect(currentStreak({ lastDay: '2026-11-19', days: 4 }, '2026-11-20')).toBe(4)
  })

  test('is over after a whole day without learning', () => {
    expect(currentStreak({ lastDay: '2026-11-18', days: 4 }, '2026-11-20')).toBe(0)
    expect(currentStreak(null, '2026-11-20')).toBe(0)
  })
})
