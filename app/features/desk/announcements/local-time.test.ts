import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseLocalTime } from './local-time'

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

function formatLocalTime(time: Date, timeZone: string): string {
  // Swedish dates and times look like ISO 8601.
  return time.toLocaleString('sv-SE', { timeZone }).slice(0, 16).replace(' ', 'T')
}
