import { expect, it } from 'vitest'
import { catalogUrl } from '../search/catalog-query'
import { parseCatalogQuery } from '../search/catalog-query-schema'
import { listChips } from './chosen-filters'

const none = { level: [], length: [], language: [], skill: [], instructor: [] }
const facets = {
  ...none,
  category: [{ value: 'design', name: 'Design', count: 1 }],
  rating: [{ value: '4.5', name: '4.5 and up', count: 1 }],
  price: [
    { value: 'free', name: 'Free', count: 1 },
    { value: '0-50', name: 'Under €50', count: 1 },
  ],
}

const parse = (query: string) => parseCatalogQuery(new URLSearchParams(query))

it('each chosen filter has a chip that takes away just that one, from the first page on', () => {
  const query = parse(
    'q=web&category=design&rating=4.5&price=free&price=0-50&skill=Git&mentions=1&sort=newest&after=chess',
  )
  const chips = listChips(query, facets).map(({ name, without }) => [
    name,
    catalogUrl(without).split('?')[1],
  ])
  const rest = (...left: string[]) => ['q=web', ...left, 'sort=newest'].join('&')
  expect(Object.fromEntries(chips)).toEqual({
    Design: rest('mentions=1', 'rating=4.5', 'price=0-50', 'price=free', 'skill=Git'),
    'Rated 4.5 and up': rest(
      'mentions=1',
      'category=design',
      'price=0-50',
      'price=free',
      'skill=Git',
    ),
    'Under €50': rest('mentions=1', 'category=design', 'rating=4.5', 'price=free', 'skill=Git'),
    Free: rest('mentions=1', 'category=design', 'rating=4.5', 'price=0-50', 'skill=Git'),
    Git: rest('mentions=1', 'category=design', 'rating=4.5', 'price=0-50', 'price=free'),
    'Including mentions': rest(
      'category=design',
      'rating=4.5',
      'price=0-50',
      'price=free',
      'skill=Git',
    ),
  })
})

it('the whole catalog has no chips', () => {
  expect(listChips(parse('q=web&sort=newest'), facets)).toEqual([])
})
