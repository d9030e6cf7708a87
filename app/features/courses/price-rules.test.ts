import { expect, it } from 'vitest'
import { findPriceProblem, listUnpayablePrices } from './price-rules'

const today = '2026-11-26'

function findProblem(
  priceMinor: number | null,
  saleMinor: number | null = null,
  until = '',
  currency = 'USD',
) {
  return findPriceProblem({ priceMinor, saleMinor, until }, currency, today)
}

it.each([
  ['a price', 4900, null, ''],
  ['0, which is free', 0, null, ''],
  ['a sale without an end', 4900, 3900, ''],
  ['a sale until today', 4900, 3900, today],
  ['a sale price of 0', 4900, 0, '2026-12-24'],
])('accepts %s', (_case, priceMinor, saleMinor, until) => {
  expect(findProblem(priceMinor, saleMinor, until)).toBeNull()
})

it.each([
  ['an empty price', null, null, '', 'Give a price'],
  ['a price below the smallest payment', 49, null, '', 'small amounts'],
  ['a sale price below the smallest payment', 4900, 20, '', 'small amounts'],
  ['a price above the maximum', 1_000_000_001, null, '', 'a lower price'],
  ['a sale price that is not below the price', 4900, 4900, '', 'below the full price'],
  ['a last day without a sale', 4900, null, today, 'Only a sale price'],
  ['a last day in the past', 4900, 3900, '2026-11-25', 'already passed'],
  ['a day that does not exist', 4900, 3900, '2026-02-31', 'like 2026-12-24'],
  ['a text that is no day', 4900, 3900, 'soon', 'like 2026-12-24'],
])('refuses %s', (_case, priceMinor, saleMinor, until, expected) => {
  expect(findProblem(priceMinor, saleMinor, until)).toContain(expected)
})

it.each([
  ['KWD', 490, 500],
  ['JPY', 49, 50],
  ['HUF', 174, 175],
  ['GBP', 29, 30],
])('knows the smallest payment in %s', (currency, tooSmall, smallest) => {
  expect(findProblem(tooSmall, null, '', currency)).toContain('small amounts')
  expect(findProblem(smallest, null, '', currency)).toBeNull()
})

it('accepts only two decimals in currencies with three, as payment providers do', () => {
  expect(findProblem(10_505, null, '', 'KWD')).toContain('two decimals only')
  expect(findProblem(10_500, 9_995, '', 'KWD')).toContain('two decimals only')
  expect(findProblem(10_500, 9_990, '', 'KWD')).toBeNull()
})

it('names the files of courses whose full or reduced price can’t be paid', () => {
  function createCourse(id: string, priceMinor: number, originalPriceMinor = priceMinor) {
    return { id, priceMinor, originalPriceMinor }
  }
  const courses = [
    createCourse('good', 4900, 6900),
    createCourse('free', 0),
    createCourse('small', 20),
    createCourse('small-sale', 20, 6900),
  ]

  const problem = 'Payment providers refuse such small amounts. Give a higher price, or 0.'

  expect(listUnpayablePrices(courses, 'USD')).toEqual([
    `courses/small/course.yaml: ${problem}`,
    `courses/small-sale/course.yaml: ${problem}`,
  ])
  expect(listUnpayablePrices([createCourse('three-decimals', 10_505)], 'KWD')).toEqual([
    expect.stringContaining('KWD with two decimals only'),
  ])
})
