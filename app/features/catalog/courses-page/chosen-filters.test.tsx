import { expect, it } from 'vitest'
import { catalogUrl } from '../search/catalog-query'
import { parseCatalogQuery } from '../search/catalog-query-schema'
import { listFilterChips } from './chosen-filters'

const emptyGroups = { level: [], length: [], language: [], skill: [], instructor: [] }
const facets = {
  ...emptyGroups,
  category: [{ value: 'design', name: 'Design', count: 1 }],
  rating: [{ value: '4.5', name: '4.5 and up', count: 1 }],
  price: [
    { value: 'free', name: 'Free', count: 1 },
    { value: '0-50', name: 'Under €50', count: 1 },
  ],
}

const parse = (query: string) => parseCatalogQuery(new URLSearchParams(query))

it('each chosen filter has a chip that removes only this filter and leads to the first page', () => {
  const query = parse(
    'q=web&category=design&rating=4.5&price=free&price=0-50&skill=Git&mentions=1&sort=newest&after=chess',
  )
  const chips = listFilterChips(query, facets).map(({ name, remainingQuery }) => [
    name,
    catalogUrl(remainingQuery).split('?')[1],
  ])
  const withFilters = (...filters: string[]) => ['q=web', ...filters, 'sort=newest'].join('&')

  expect(Object.fromEntries(chips)).toEqual({
    Design: withFilters('mentions=1', 'rating=4.5', 'price=0-50', 'price=free', 'skill=Git'),
    'Rated 4.5 and up': withFilters(
      'mentions=1',
      'category=design',
      'price=0-50',
      'price=free',
      'skill=Git',
    ),
    'Under €50': withFilters(
      'mentions=1',
      'category=design',
      'rating=4.5',
      'price=free',
      'skill=Git',
    ),
    Free: withFilters('mentions=1', 'category=design', 'rating=4.5', 'price=0-50', 'skill=Git'),
    Git: withFilters('mentions=1', 'category=design', 'rating=4.5', 'price=0-50', 'price=free'),
    'Including mentions': withFilters(
      'category=design',
      'rating=4.5',
      'price=0-50',
      'price=free',
      'skill=Git',
    ),
  })
})

it('a search without filters has no chips', () => {
  expect(listFilterChips(parse('q=web&sort=newest'), facets)).toEqual([])
})
