import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getSmallestPaymentMinor } from '~/features/courses/smallest-payments'
import { getContainedTax } from '../receipts/tax'
import {
  type CouponConditions,
  type Discount,
  findCouponProblem,
  getDiscountedPrice,
} from './coupon'

const anyCurrency = fc.constantFrom('JPY', 'USD', 'ISK', 'HUF', 'KWD')
const anyPrice = fc.integer({ min: 0, max: 100_000_000 })
const anyDiscount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ amountMinor: fc.integer({ min: 1, max: 200_000_000 }) }),
)

it('a discounted price is a whole amount from 0 to the price, and never above the promised one', () => {
  fc.assert(
    fc.property(anyPrice, anyDiscount, anyCurrency, (priceMinor, discount, currency) => {
      const discountedMinor = getDiscountedPrice(priceMinor, discount, currency)
      const promisedMinor =
        'percent' in discount ? (priceMinor * discount.percent) / 100 : discount.amountMinor
      expect(
        Number.isInteger(discountedMinor) && discountedMinor >= 0 && discountedMinor <= priceMinor,
      ).toBe(true)
      expect(priceMinor - discountedMinor).toBeGreaterThanOrEqual(
        Math.min(priceMinor, promisedMinor),
      )
    }),
  )
})

it('the tax is computed from the discounted price', () => {
  fc.assert(
    fc.property(
      anyPrice,
      anyDiscount,
      anyCurrency,
      fc.nat(5_000),
      (priceMinor, discount, currency, taxBasisPoints) => {
        const discountedMinor = getDiscountedPrice(priceMinor, discount, currency)
        expect(getContainedTax(discountedMinor, taxBasisPoints)).toBeLessThanOrEqual(
          getContainedTax(priceMinor, taxBasisPoints),
        )
        expect(
          discountedMinor - getContainedTax(discountedMinor, taxBasisPoints),
        ).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})

it('a discounted price is 0 or an amount that the provider accepts', () => {
  const smallestPaymentMinor = getSmallestPaymentMinor('KWD')
  fc.assert(
    fc.property(anyPrice, anyDiscount, (priceMinor, discount) => {
      const discountedMinor = getDiscountedPrice(priceMinor, discount, 'KWD')
      expect(discountedMinor % 10).toBe(0)
      expect(discountedMinor === 0 || discountedMinor >= smallestPaymentMinor).toBe(true)
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
] as const)('%i less %o in %s is %i', (priceMinor, discount, currency, discountedMinor) => {
  expect(getDiscountedPrice(priceMinor, discount, currency)).toBe(discountedMinor)
})

const now = new Date('2026-11-26T12:00:00Z')
const usableCoupon: CouponConditions = {
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
const purchase = { courseId: 'python-from-zero', currency: 'USD', now }

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
])('a coupon with %o has the problem %s', (conditions, problem) => {
  expect(findCouponProblem({ ...usableCoupon, ...conditions }, purchase)).toBe(problem)
})
