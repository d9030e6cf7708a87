import { expect, it } from 'vitest'
import { priceProblem, unpayablePrices } from './price-form'

const today = '2026-11-26'
const problem = (price: number | null, sale: number | null = null, until = '', currency = 'USD') =>
  priceProblem({ price, sale, until }, currency, today)

it.each([
  ['a price', 4900, null, ''],
  ['no price at all: free', 0, null, ''],
  ['a sale without an end', 4900, 3900, ''],
  ['a sale until today', 4900, 3900, today],
  ['a sale for nothing', 4900, 0, '2026-12-24'],
])('takes %s', (_, price, sale, until) => {
  expect(problem(price, sale, until)).toBeNull()
})

it.each([
  ['nothing', null, null, '', 'Give a price'],
  ['what providers refuse', 49, null, '', 'small amounts'],
  ['a sale that providers refuse', 4900, 20, '', 'small amounts'],
  ['what no column holds', 1_000_000_001, null, '', 'a lower price'],
  ['a sale that is no lower', 4900, 4900, '', 'below the full price'],
  ['a last day without a sale', 4900, null, today, 'Only a sale price'],
  ['a last day that is over', 4900, 3900, '2026-11-25', 'already passed'],
  ['a day that isn’t there', 4900, 3900, '2026-02-31', 'like 2026-12-24'],
  ['what is no day', 4900, 3900, 'soon', 'like 2026-12-24'],
])('refuses %s', (_, price, sale, until, sentence) => {
  expect(problem(price, sale, until)).toContain(sentence)
})

it.each([
  ['KWD', 490, 500],
  ['JPY', 49, 50],
  ['HUF', 17_499, 17_500],
  ['GBP', 29, 30],
])('wants in %s what providers take', (currency, refused, taken) => {
  expect([problem(refused, null, '', currency), problem(taken, null, '', currency)]).toEqual([
    expect.any(String),
    null,
  ])
})

it('takes dinars in tens of their smallest unit, as providers do', () => {
  expect(problem(10_505, null, '', 'KWD')).toContain('two decimals only')
  expect(problem(10_500, 9_995, '', 'KWD')).toContain('two decimals only')
  expect(problem(10_500, 9_990, '', 'KWD')).toBeNull()
})

it('names the files of courses whose prices providers refuse, full and reduced', () => {
  const course = (id: string, priceCents: number, originalPriceCents = priceCents) => ({
    id,
    priceCents,
    originalPriceCents,
  })
  const courses = [
    course('good', 4900, 6900),
    course('free', 0),
    course('small', 20),
    course('small-sale', 20, 6900),
  ]
  const small = 'Payment providers refuse such small amounts. Give a higher price, or 0.'
  expect(unpayablePrices(courses, 'USD')).toEqual([
    `courses/small/course.yaml: ${small}`,
    `courses/small-sale/course.yaml: ${small}`,
  ])
  expect(unpayablePrices([course('three-decimals', 10_505)], 'KWD')).toEqual([
    expect.stringContaining('KWD with two decimals only'),
  ])
})
