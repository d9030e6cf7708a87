import { describe, expect, test } from 'vitest'
import { countText, dateText, dayText, minutesText, momentText, relativeText } from './moment-text'

const now = new Date('2026-11-20T12:00:00Z')

describe('moments', () => {
  test.each([
    ['2026-11-20T11:59:30Z', 'just now'],
    ['2026-11-20T12:00:30Z', 'just now'],
    ['2026-11-20T11:55:00Z', '5 minutes ago'],
    ['2026-11-20T09:00:00Z', '3 hours ago'],
    ['2026-11-19T12:00:00Z', 'yesterday'],
    ['2026-11-14T12:00:00Z', '6 days ago'],
    ['2026-11-13T12:00:00Z', 'Nov 13, 2026'],
  ])('%s reads %s', (iso, text) => {
    expect(relativeText(iso, now)).toBe(text)
  })

  test('a moment to wait for names the time zone', () => {
    expect(momentText('2026-11-27T14:05:00Z', 'America/New_York')).toBe('Nov 27, 2026, 9:05 AM EST')
    expect(momentText('2026-11-27T14:05:00Z', null)).toBe('Nov 27, 2026, 2:05 PM UTC')
  })

  test("dates are those of the learner's time zone", () => {
    expect(dateText('2026-11-20T02:00:00Z', 'America/New_York')).toBe('Nov 19, 2026')
    expect(dateText('2026-11-20T02:00:00Z')).toBe('Nov 20, 2026')
    expect(dayText('2026-11-20')).toBe('Nov 20')
  })
})

test('minutes read as hours and minutes', () => {
  expect([0, 45, 60, 125].map(minutesText)).toEqual(['0 min', '45 min', '1 h', '2 h 5 min'])
})

test('one is not many', () => {
  expect([0, 1, 1200].map((count) => countText(count, 'lesson'))).toEqual(['0 lessons', '1 lesson', '1,200 lessons'])
})
