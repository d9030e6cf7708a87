import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, fillDays, localDay, splitByDay, studyHours } from './study-time'
import { type Interval, uniteIntervals } from './watched-intervals'

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
      { day: '2026-11-18', minutes: 0, hasStudied: false },
      { day: '2026-11-19', minutes: 0, hasStudied: true },
      { day: '2026-11-20', minutes: 0, hasStudied: false },
    ])
  })
})

const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Africa/Cairo',
  'America/Havana',
]
const anyInterval = fc
  .tuple(
    fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
    fc.integer({ min: 1, max: 60 * 3_600_000 }),
  )
  .map(([start, length]): Interval => [start, start + length])

describe('times of learning', () => {
  test('are split at midnight of the time zone without a gap', () => {
    const midnight = Date.UTC(2026, 10, 21)
    expect(splitByDay([[midnight - 2, midnight]], 'UTC')).toEqual([
      { day: '2026-11-20', studied: [[midnight - 2, midnight]] },
    ])
    expect(splitByDay([[midnight - 1, midnight + 1]], 'UTC')).toHaveLength(2)

    fc.assert(
      fc.property(
        fc.array(anyInterval, { maxLength: 3 }),
        fc.constantFrom(...zones),
        (studied, zone) => {
          const days = splitByDay(studied, zone)
          expect(uniteIntervals(days.flatMap((day) => day.studied))).toEqual(
            uniteIntervals(studied),
          )
          for (const { day, studied: times } of days) {
            for (const [start, end] of times) {
              expect([localDay(start, zone), localDay(end - 1, zone)]).toEqual([day, day])
            }
          }
        },
      ),
    )
  })
})
