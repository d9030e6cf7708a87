import { describe, expect, test } from 'vitest'
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatLongDate,
  formatMonth,
  formatRelativeTime,
  formatWeekday,
} from './format-date'

const now = new Date('2026-11-20T12:00:00Z')

describe('how long ago something was', () => {
  test.each([
    ['2026-11-20T11:59:30Z', 'just now'],
    ['2026-11-20T12:00:30Z', 'just now'],
    ['2026-11-20T11:59:01Z', 'just now'],
    ['2026-11-20T11:59:00Z', '1 minute ago'],
    ['2026-11-20T11:55:00Z', '5 minutes ago'],
    ['2026-11-20T11:00:00Z', '1 hour ago'],
    ['2026-11-20T09:00:00Z', '3 hours ago'],
    ['2026-11-19T12:00:00Z', 'yesterday'],
    ['2026-11-14T12:00:00Z', '6 days ago'],
    ['2026-11-13T12:00:00Z', 'Nov 13, 2026'],
  ])('%s reads %s', (iso, text) => {
    expect(formatRelativeTime(iso, now, 'UTC')).toBe(text)
  })
})

test.each([
  ['America/New_York', 'Nov 27, 2026, 9:05 AM EST'],
  ['UTC', 'Nov 27, 2026, 2:05 PM UTC'],
])('a moment to wait for names the time zone %s', (timeZone, text) => {
  expect(formatDateTime('2026-11-27T14:05:00Z', timeZone)).toBe(text)
})

test.each([
  ['America/New_York', 'Nov 30, 2026', 'Nov 2026'],
  ['UTC', 'Dec 1, 2026', 'Dec 2026'],
])('a date is that of the time zone %s', (timeZone, date, month) => {
  const iso = '2026-12-01T02:00:00Z'
  expect([formatDate(iso, timeZone), formatMonth(iso, timeZone)]).toEqual([date, month])
})

test('in a time zone that the engine does not know, a moment is that of UTC', () => {
  const iso = '2026-12-01T02:00:00Z'
  const texts = (zone: string) => [
    formatDate(iso, zone),
    formatDateTime(iso, zone),
    formatMonth(iso, zone),
  ]

  expect(texts('Factory')).toEqual(texts('UTC'))
})

test('a day without a time is the same everywhere', () => {
  const day = '2026-10-12'
  expect([formatLongDate(day), formatDay(day), formatWeekday(day)]).toEqual([
    'October 12, 2026',
    'Oct 12',
    'Monday',
  ])
})
