import fc from 'fast-check'
import { expect, it } from 'vitest'
import { containedTax } from '../receipts/tax'
import { type CouponTerms, type Discount, findCouponProblem, getDiscountedPrice } from './coupon'

const currency = fc.constantFrom('JPY', 'USD', 'ISK', 'HUF', 'KWD')
const price = fc.integer({ min: 0, max: 100_000_000 })
const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ amountMinor: fc.integer({ min: 1, max: 200_000_000 }) }),
)

it('a discounted price is a whole amount from 0 to the price, and never above the promised one', () => {
  fc.assert(
    fc.property(price, discount, currency, (priceMinor, off, code) => {
      const left = getDiscountedPrice(priceMinor, off, code)
      const promised = 'percent' in off ? (priceMinor * off.percent) / 100 : off.amountMinor
      expect(Number.isInteger(left) && left >= 0 && left <= priceMinor).toBe(true)
      expect(priceMinor - left).toBeGreaterThanOrEqual(Math.min(priceMinor, promised))
    }),
  )
})

it('the tax is computed from the discounted price', () => {
  fc.assert(
    fc.property(price, discount, currency, fc.nat(5_000), (priceMinor, off, code, rate) => {
      const left = getDiscountedPrice(priceMinor, off, code)
      expect(containedTax(left, rate)).toBeLessThanOrEqual(containedTax(priceMinor, rate))
      expect(left - containedTax(left, rate)).toBeGreaterThanOrEqual(0)
    }),
  )
})

it('a discounted price is 0 or an amount that the provider accepts', () => {
  fc.assert(
    fc.property(price, discount, (priceMinor, off) => {
      const left = getDiscountedPrice(priceMinor, off, 'KWD')
      expect(left % 10).toBe(0)
      expect(left === 0 || left >= 500).toBe(true)
    }),
  )
})

it.each([
  [8_900, { percent: 25 }, 'USD', 6_675],
  [4_999, { percent: 33 }, 'USD', 3_349],
  [6_900, { percent: 15 }, 'JPY', 5_865],
  [4_990, { percent: 33 }, 'KWD', 3_340],
  [8_900, { amountMinor: 1_000 }, 'USD', 7_900],
  [8_900, { amountMinor: 9_000 }, 'USD', 0],
  [8_900, { percent: 100 }, 'USD', 0],
  [2_000, { percent: 98 }, 'USD', 0],
  [20_000, { percent: 20 }, 'HUF', 16_000],
  [800, { percent: 80 }, 'HUF', 0],
] as const)('%i less %o in %s is %i', (priceMinor, off, code, left) => {
  expect(getDiscountedPrice(priceMinor, off, code)).toBe(left)
})

const now = new Date('2026-11-26T12:00:00Z')
const open: CouponTerms = {
  discount: { percent: 10 },
  currency: null,
  courseIds: null,
  startsAt: null,
  endsAt: null,
  endedAt: null,
  maxUses: null,
  maxUsesPerLearner: null,
  uses: 0,
  ownUses: 0,
}
const wanted = { courseId: 'python-from-zero', currency: 'USD', now }

it.each([
  [{}, null],
  [{ startsAt: now, endsAt: new Date(now.getTime() + 1) }, null],
  [{ startsAt: new Date(now.getTime() + 1) }, 'early'],
  [{ endsAt: now }, 'late'],
  [{ endedAt: now }, 'ended'],
  [{ currency: 'EUR' }, 'ended'],
  [{ courseIds: ['python-from-zero'] }, null],
  [{ courseIds: ['chess'] }, 'other-course'],
  [{ maxUses: 2, uses: 1 }, null],
  [{ maxUses: 2, uses: 2 }, 'used-up'],
  [{ maxUsesPerLearner: 1, ownUses: 1, uses: 1 }, 'used-by-learner'],
])('a coupon with %o has the problem %s', (terms, problem) => {
  expect(findCouponProblem({ ...open, ...terms }, wanted)).toBe(problem)
})
