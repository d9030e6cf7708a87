import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf, localTime } from './local-time'

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
])('%s in %s is %s', (local, timeZone, instant) => {
  expect(instantOf(local, timeZone)?.toISOString()).toBe(instant)
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
])('%j is no time', (local) => {
  expect(instantOf(local, 'UTC')).toBeNull()
})

it('is an instant at which clocks in the zone show that time', () => {
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
      (time, zone) => {
        const shown = localTime(time, zone)
        expect(localTime(instantOf(shown, zone) ?? 0, zone)).toBe(shown)
      },
    ),
  )
})
