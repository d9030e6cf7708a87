import { expect, it } from 'vitest'
import { addressOfTab, courseTabs, parseCourseTab, tabForKey } from './course-tabs'

it('has the tabs overview, curriculum, instructor and reviews', () => {
  expect(courseTabs).toEqual(['overview', 'curriculum', 'instructor', 'reviews'])
})

it('shows the overview unless the address names another tab', () => {
  expect(parseCourseTab(new URLSearchParams('tab=reviews'))).toBe('reviews')
  expect(parseCourseTab(new URLSearchParams('tab=lessons'))).toBe('overview')
  expect(parseCourseTab(new URLSearchParams())).toBe('overview')
})

it('gives each tab an address, the overview the plain one', () => {
  expect(courseTabs.map(addressOfTab)).toEqual(['.', '?tab=curriculum', '?tab=instructor', '?tab=reviews'])
})

it.each([
  ['overview', 'ArrowRight', 'curriculum'],
  ['reviews', 'ArrowRight', 'overview'],
  ['overview', 'ArrowLeft', 'reviews'],
  ['instructor', 'Home', 'overview'],
  ['overview', 'End', 'reviews'],
  ['curriculum', ' ', 'curriculum'],
  ['curriculum', 'Tab', null],
] as const)('leads from %s by %j to %s', (from, key, to) => {
  expect(tabForKey(from, key)).toBe(to)
})
