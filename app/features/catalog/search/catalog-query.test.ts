import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CatalogQuery,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
  isNarrowed,
} from './catalog-query'
import { parseCatalogQuery } from './catalog-query-schema'
import { findRange, formatFacetOption, lengthRanges, priceRanges } from './facets'

const parse = (query: string) => parseCatalogQuery(new URLSearchParams(query))

describe('the address of a catalog page', () => {
  it('is short for the whole catalog', () => {
    expect(catalogUrl(emptyCatalogQuery)).toBe('/AllCourses')
    expect(parse('')).toEqual(emptyCatalogQuery)
    expect(isNarrowed(emptyCatalogQuery)).toBe(false)
  })

  it('says everything that was chosen', () => {
    const query = parse(
      'q=+web+&level=beginner&price=free&price=0-50&skill=Unit+tests&sort=newest&after=chess',
    )
    expect(query).toEqual({
      ...emptyCatalogQuery,
      q: 'web',
      level: 'beginner',
      price: ['0-50', 'free'],
      skill: ['Unit tests'],
      sort: 'newest',
      after: 'chess',
    })

    expect(isNarrowed(query)).toBe(true)
  })

  it.each([
    'category=Music&level=expert&rating=9&length=long&price=-1&sort=up&after=%00&before=A/B',
    'category=__proto__&level=toString&rating=constructor&sort=valueOf',
    'q=&language=&skill=+&exact=true&mentions=yes',
    `skill=${'x'.repeat(81)}`,
  ])('takes unknown values (%s) as not chosen', (query) => {
    expect(parse(query)).toEqual(emptyCatalogQuery)
  })

  it('keeps how words are searched for as long as a form sends the same words', () => {
    expect(parse('q=+pyton&exact=pyton+&mentions=pyton')).toMatchObject({
      q: 'pyton',
      exact: true,
      mentions: true,
    })

    expect(parse('q=python&exact=pyton&mentions=pyton')).toMatchObject({
      q: 'python',
      exact: false,
      mentions: false,
    })

    expect(parse('q=&exact=pyton&mentions=')).toEqual(emptyCatalogQuery)
  })

  it('keeps at most twenty options of a group, each once', () => {
    const names = Array.from({ length: 50 }, (_, number) => `s${number % 30}`)
    expect(
      parse(new URLSearchParams(names.map((name) => ['skill', name])).toString()).skill,
    ).toHaveLength(20)
  })

  it('goes on after a course or ends before one, not both', () => {
    expect(parse('after=a&before=b')).toMatchObject({ after: 'a', before: null })
  })

  it('reads every query that it writes', () => {
    const query = fc.record({
      q: fc.string({ unit: 'grapheme' }),
      exact: fc.boolean(),
      category: fc.constantFrom('all', 'design'),
      price: fc.subarray(['0-50', 'free']),
      skill: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
        maxLength: 5,
      }),
      sort: fc.constantFrom('best', 'price-down'),
      after: fc.option(fc.constantFrom('chess', 'go-2')),
    })

    fc.assert(
      fc.property(query, (change) => {
        const clean = parse(
          catalogUrl({ ...emptyCatalogQuery, ...(change as Partial<CatalogQuery>) }).split(
            '?',
          )[1] ?? '',
        )
        expect(parse(catalogUrl(clean).split('?')[1] ?? '')).toEqual(clean)
      }),
    )
  })
})

it('starts from the first page when something else is chosen, and with new words anew', () => {
  const query = parse('q=pyton&exact=1&after=chess')
  expect(changeQuery(query, { level: 'beginner' })).toEqual({
    ...query,
    level: 'beginner',
    after: null,
  })

  expect(changeQuery(query, { q: 'python' })).toEqual({ ...emptyCatalogQuery, q: 'python' })
})

it('puts every length and price on exactly one step', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (value) => {
      expect(findRange(lengthRanges, value)).not.toBeNull()
      expect(findRange(priceRanges, value)).not.toBeNull()
    }),
  )

  expect(['0', '4.99', '5', '40'].map((hours) => findRange(lengthRanges, Number(hours)))).toEqual([
    '0-5',
    '0-5',
    '5-20',
    '40',
  ])

  expect([0, 1, 49.99, 50, 149, 150].map((dollars) => findRange(priceRanges, dollars))).toEqual([
    'free',
    '0-50',
    '0-50',
    '50-100',
    '100-150',
    '150',
  ])
})

it('names an option as it reads', () => {
  const euros = (cents: number) => `€${cents / 100}`
  expect(priceRanges.map((step) => formatFacetOption('price', step, euros))).toEqual([
    'Free',
    'Under €50',
    '€50 to €100',
    '€100 to €150',
    '€150 or more',
  ])

  expect(formatFacetOption('skill', 'constructor', euros)).toBe('constructor')
})
