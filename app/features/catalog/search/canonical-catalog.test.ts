import { expect, it } from 'vitest'
import { getCanonicalCatalogUrl, getCatalogTitle, isIndexable } from './canonical-catalog'
import type { CatalogResult } from './catalog-query'
import { parseCatalogQuery } from './catalog-query-schema'

const facets = {
  category: [{ value: 'design', name: 'Design', count: 1 }],
  level: [{ value: 'beginner', name: 'Beginner', count: 1 }],
} as CatalogResult['facets']

const parse = (query: string) => parseCatalogQuery(new URLSearchParams(query))

it('a list of courses has one address for search engines, whatever its order', () => {
  const canonical = (query: string, isFirstPage = false) =>
    getCanonicalCatalogUrl(parse(query), { isFirstPage })

  expect(canonical('level=beginner&sort=newest&category=design&utm_source=x')).toBe(
    '/AllCourses?category=design&level=beginner',
  )
  expect(canonical('sort=price-up')).toBe('/AllCourses')
  expect(canonical('sort=price-up&after=python-from-zero')).toBe('/AllCourses')
  expect(canonical('after=python-from-zero')).toBe('/AllCourses?after=python-from-zero')
  expect(canonical('after=nothing-before-this', true)).toBe('/AllCourses')
  expect(canonical('mentions=1&exact=1')).toBe('/AllCourses')
})

it.each([
  ['category=design', { total: 3, isFirstPage: true }, true],
  ['after=python-from-zero', { total: 30, isFirstPage: false }, true],
  ['before=python-from-zero', { total: 30, isFirstPage: false }, false],
  ['before=python-from-zero', { total: 30, isFirstPage: true }, true],
  ['skill=buy+cheap+pills', { total: 0, isFirstPage: true }, false],
  ['q=python', { total: 2, isFirstPage: true }, false],
  ['q=Amara+Okafor&instructor=Amara+Okafor', { total: 1, isFirstPage: true }, true],
])('whether search engines may show %j of %j: %j', (query, list, may) => {
  expect(isIndexable(parse(query), list)).toBe(may)
})

it.each([
  ['', 'All courses'],
  ['price=free', 'All courses'],
  ['category=design', 'Design courses'],
  ['level=beginner&category=design', 'Beginner Design courses'],
  ['skill=Git', 'Git courses'],
  ['instructor=Amara+Okafor', 'Courses by Amara Okafor'],
  ['q=Amara+Okafor&instructor=Amara+Okafor', 'Courses by Amara Okafor'],
  ['q=python&category=design', 'python courses'],
])('the page of %j is called %j', (query, title) => {
  expect(getCatalogTitle(parse(query), facets)).toBe(title)
})
