import { expect, test } from 'vitest'
import { formatCount, formatNumber } from './format-count'

test.each([
  [0, '0 courses'],
  [1, '1 course'],
  [45_230, '45,230 courses'],
])('%i counts as %s', (count, text) => {
  expect(formatCount(count, 'course', 'courses')).toBe(text)
})

test('a plural of its own is used', () => {
  expect([1, 2].map((count) => formatCount(count, 'category', 'categories'))).toEqual([
    '1 category',
    '2 categories',
  ])
})

test('a number has its thousands grouped', () => {
  expect(formatNumber(1_234_567)).toBe('1,234,567')
})
