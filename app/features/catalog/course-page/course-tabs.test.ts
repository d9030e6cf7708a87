import { expect, it } from 'vitest'
import { courseTabs, courseTabUrl, getTabForKey, parseCourseTab } from './course-tabs'

it('has the tabs overview, curriculum, instructor and reviews', () => {
  expect(courseTabs).toEqual(['overview', 'curriculum', 'instructor', 'reviews'])
})

it('shows the first tab unless the address names another one', () => {
  expect(parseCourseTab(new URLSearchParams('tab=reviews'), 'overview')).toBe('reviews')
  expect(parseCourseTab(new URLSearchParams('tab=lessons'), 'overview')).toBe('overview')
  expect(parseCourseTab(new URLSearchParams(), 'overview')).toBe('overview')
  expect(parseCourseTab(new URLSearchParams(), 'curriculum')).toBe('curriculum')
  expect(parseCourseTab(new URLSearchParams('tab=overview'), 'curriculum')).toBe('overview')
})

it('gives each tab an address, the first one the plain one', () => {
  const listTabUrls = (first: (typeof courseTabs)[number]) =>
    courseTabs.map((tab) => courseTabUrl(tab, first))

  expect(listTabUrls('overview')).toEqual([
    '.',
    '?tab=curriculum',
    '?tab=instructor',
    '?tab=reviews',
  ])
  expect(listTabUrls('curriculum')).toEqual([
    '?tab=overview',
    '.',
    '?tab=instructor',
    '?tab=reviews',
  ])
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
  expect(getTabForKey(from, key)).toBe(to)
})
