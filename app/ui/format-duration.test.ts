import { expect, test } from 'vitest'
import { formatClock, formatHours, formatMinutes, formatSeconds } from './format-duration'

test.each([
  [-5, '0:00'],
  [0.9, '0:00'],
  [28, '0:28'],
  [740, '12:20'],
  [3600, '1:00:00'],
  [3723.9, '1:02:03'],
])('%d seconds are %s on a clock', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text)
})

test.each([
  [0, '0 s'],
  [45, '45 s'],
  [59.6, '1 min'],
  [150, '2 min 30 s'],
  [180, '3 min'],
])('%d seconds read %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})

test.each([
  [0, '0 min'],
  [50, '50 min'],
  [780, '13 h'],
  [810, '13 h 30 min'],
  [72_005, '1,200 h 5 min'],
])('%i minutes read %s', (minutes, text) => {
  expect(formatMinutes(minutes)).toBe(text)
})

test.each([
  [65, '65 hours'],
  [1, '1 hour'],
  [1.5, '1.5 hours'],
])('%d hours read %s', (hours, text) => {
  expect(formatHours(hours)).toBe(text)
})
