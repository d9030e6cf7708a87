import { expect, it } from 'vitest'
import { priceProblem } from './price-form'

const today = '2026-11-26'
const problem = (price: number | null, sale: number | null = null, until = '', decimals = 2) =>
  priceProblem({ price, sale, until }, decimals, today)

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
  ['a last day without a sale', 4900, null, today, 'for a sale price'],
  ['a last day that is over', 4900, 3900, '2026-11-25', 'over already'],
  ['a day that isn’t there', 4900, 3900, '2026-02-31', 'like 2026-12-24'],
  ['what is no day', 4900, 3900, 'soon', 'like 2026-12-24'],
])('refuses %s', (_, price, sale, until, sentence) => {
  expect(problem(price, sale, until)).toContain(sentence)
})

it('wants half a dinar, of three decimals, and 50 yen, of none', () => {
  expect([problem(499, null, '', 3), problem(500, null, '', 3)]).toEqual([expect.any(String), null])
  expect([problem(49, null, '', 0), problem(50, null, '', 0)]).toEqual([expect.any(String), null])
})
