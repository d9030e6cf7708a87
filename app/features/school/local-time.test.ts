import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  findDayEndingAt,
  findDayStartingAt,
  getEndOfDay,
  getStartOfDay,
  parseLocalTime,
} from './local-time'

it.each([
  ['2026-11-27T10:00', 'UTC', '2026-11-27T10:00:00.000Z'],
  ['2026-11-27T10:00', 'Europe/Berlin', '2026-11-27T09:00:00.000Z'],
  ['2026-07-01T10:00', 'America/New_York', '2026-07-01T14:00:00.000Z'],
  ['2026-11-27T10:00', 'Asia/Kathmandu', '2026-11-27T04:15:00.000Z'],
  ['2026-11-27T23:30', 'Pacific/Kiritimati', '2026-11-27T09:30:00.000Z'],
  // Clocks go back from 3 to 2, so 2:30 happens twice.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  // Clocks go forward from 2 to 3, so 2:30 doesn't exist.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s in %s is %s', (localTime, timeZone, expected) => {
  expect(parseLocalTime(localTime, timeZone)?.toISOString()).toBe(expected)
})

it.each([
  '',
  'soon',
  '2026-02-30T10:00',
  '2026-11-27T25:00',
  '2026-11-27',
  '2026-11-27T10:00:00Z',
  '9999-12-31T10:00',
  '0001-01-01T00:00',
])('%j is no valid time', (text) => {
  expect(parseLocalTime(text, 'UTC')).toBeNull()
})

it('returns a time at which clocks in the zone show the local time', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Pacific/Apia',
  ]

  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
      fc.constantFrom(...zones),
      (time, timeZone) => {
        const localTime = formatLocalTime(new Date(time), timeZone)
        const parsedTime = parseLocalTime(localTime, timeZone)
        expect(parsedTime && formatLocalTime(parsedTime, timeZone)).toBe(localTime)
      },
    ),
  )
})

it.each([
  ['2026-12-31', 'UTC', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2026-12-31', 'America/New_York', '2026-12-31T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
  ['2026-12-31', 'Pacific/Kiritimati', '2026-12-30T10:00:00.000Z', '2026-12-31T10:00:00.000Z'],
  // This day has 23 hours, and the next one has 25.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  // Clocks in Cairo go forward at midnight, so this day begins at 1:00.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  // Clocks in Havana go back from 1:00 to 0:00, so midnight happens twice.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
])('%s in %s begins at %s and ends at %s', (day, timeZone, start, end) => {
  expect(getStartOfDay(day, timeZone)?.toISOString()).toBe(start)
  expect(getEndOfDay(day, timeZone)?.toISOString()).toBe(end)
})

it.each(['', '2026-02-30', '2026-1-1', '2026-12-24T18:00', '9999-12-31'])(
  '%j is no valid day',
  (day) => {
    expect(getStartOfDay(day, 'UTC')).toBeNull()
    expect(getEndOfDay(day, 'UTC')).toBeNull()
  },
)

it('a day begins and ends when its date does, also when clocks change', () => {
  // Clocks change at midnight in the last three zones.
  const zones = [
    'UTC',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Cairo',
    'America/Havana',
    'Asia/Beirut',
  ]

  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
      fc.constantFrom(...zones),
      (time, timeZone) => {
        const day = formatLocalTime(new Date(time), timeZone).slice(0, 10)
        const start = getStartOfDay(day, timeZone) ?? new Date(Number.NaN)
        const end = getEndOfDay(day, timeZone) ?? new Date(Number.NaN)
        const formatDayAt = (timeMs: number) =>
          formatLocalTime(new Date(timeMs), timeZone).slice(0, 10)

        expect(start.getTime()).toBeLessThanOrEqual(time)
        expect(end.getTime()).toBeGreaterThan(time)
        expect(formatDayAt(start.getTime())).toBe(day)
        expect(formatDayAt(start.getTime() - 1) < day).toBe(true)
        expect(formatDayAt(end.getTime() - 1)).toBe(day)
        expect(formatDayAt(end.getTime()) > day).toBe(true)
        expect(findDayStartingAt(start, timeZone)).toBe(day)
        expect(findDayEndingAt(end, timeZone)).toBe(day)
      },
    ),
  )
})

it('a time in the middle of a day is neither its start nor its end', () => {
  const noon = new Date('2026-12-31T12:00:00Z')

  expect(findDayStartingAt(noon, 'Europe/Berlin')).toBeNull()
  expect(findDayEndingAt(noon, 'Europe/Berlin')).toBeNull()
  // Midnight in UTC is an hour after midnight in Berlin.
  expect(findDayEndingAt(new Date('2027-01-01'), 'Europe/Berlin')).toBeNull()
})

function formatLocalTime(time: Date, timeZone: string): string {
  // Swedish dates and times look like ISO 8601.
  return time.toLocaleString('sv-SE', { timeZone }).slice(0, 16).replace(' ', 'T')
}
