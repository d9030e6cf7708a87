import { expect, it } from 'vitest'
import { clockText, countText, dateText, hoursText, minutesText } from './quantity-text'

it.each([
  [0, '0 courses'],
  [1, '1 course'],
  [12, '12 courses'],
  [45230, '45,230 courses'],
])('counts %i as %s', (count, text) => {
  expect(countText(count, 'course')).toBe(text)
})

it.each([
  [65, '65 hours'],
  [1, '1 hour'],
  [1.5, '1.5 hours'],
])('shows %d hours as %s', (hours, text) => {
  expect(hoursText(hours)).toBe(text)
})

it.each([
  [50, '50 min'],
  [780, '13 h'],
  [810, '13 h 30 min'],
])('shows %i minutes as %s', (minutes, text) => {
  expect(minutesText(minutes)).toBe(text)
})

it.each([
  [28, '0:28'],
  [740, '12:20'],
  [3723, '1:02:03'],
])('shows %i seconds as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text)
})

it('shows a date as the same day everywhere', () => {
  expect(dateText('2026-10-12')).toBe('October 12, 2026')
})
