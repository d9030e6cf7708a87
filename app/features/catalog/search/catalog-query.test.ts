import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getApproximateDollarMinor } from '~/features/courses/smallest-payments'
import { formatPrice } from '~/features/school/money'
import {
  type CatalogQuery,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
  isNarrowed,
} from './catalog-query'
import { parseCatalogQuery } from './catalog-query-schema'
import { getCourseRanges } from './facet-columns'
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

it('puts every length and price in a range', () => {
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

it.each([
  ['USD', 'Under $50', '$50 to $100', 4_999, 5_000],
  ['JPY', 'Under ¥5,000', '¥5,000 to ¥10,000', 4_999, 5_000],
  ['HUF', 'Under HUF 17,500', 'HUF 17,500 to HUF 35,000', 17_499, 17_500],
  ['KWD', 'Under KWD 20', 'KWD 20 to KWD 40', 19_999, 20_000],
  ['INR', 'Under ₹5,000', '₹5,000 to ₹10,000', 499_999, 500_000],
  ['IDR', 'Under IDR 1,000,000', 'IDR 1,000,000 to IDR 2,000,000', 999_999, 1_000_000],
])(
  'the steps of prices in %s have the size of usual prices',
  (currency, first, second, below, at) => {
    const dollarMinor = getApproximateDollarMinor(currency)
    const formatStep = (range: string) =>
      formatFacetOption('price', range, (bound) => formatPrice(bound * dollarMinor, currency))
    const getPriceRange = (priceMinor: number) =>
      getCourseRanges({ rating: 5, durationHours: 1, priceMinor }, dollarMinor).priceRange

    expect(formatStep('0-50').replaceAll('\u00a0', ' ')).toBe(first)
    expect(formatStep('50-100').replaceAll('\u00a0', ' ')).toBe(second)
    expect([0, below, at].map(getPriceRange)).toEqual(['free', '0-50', '50-100'])
  },
)

it('names an option as it reads', () => {
  const euros = (bound: number) => `€${bound}`

  expect(priceRanges.map((range) => formatFacetOption('price', range, euros))).toEqual([
    'Free',
    'Under €50',
    '€50 to €100',
    '€100 to €150',
    '€150 or more',
  ])

  expect(formatFacetOption('skill', 'constructor', euros)).toBe('constructor')
})
