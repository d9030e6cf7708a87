import { expect, test } from 'vitest'
import { countText, numberText } from './format-count'

test.each([
  [0, '0 courses'],
  [1, '1 course'],
  [45_230, '45,230 courses'],
])('%i counts as %s', (count, text) => {
  expect(countText(count, 'course', 'courses')).toBe(text)
})

test('a plural of its own is used', () => {
  expect([1, 2].map((count) => countText(count, 'category', 'categories'))).toEqual(['1 category', '2 categories'])
})

test('a number has its thousands grouped', () => {
  expect(numberText(1_234_567)).toBe('1,234,567')
})
