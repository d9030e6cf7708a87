import { expect, it } from 'vitest'
import { getCouponStatus } from './coupon-queries.server'

const now = new Date('2026-11-26T12:00:00Z')
const usableCoupon = {
  currency: null,
  endedAt: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  uses: 3,
}

it.each([
  [{}, 'open'],
  [{ currency: 'USD' }, 'open'],
  [{ currency: 'JPY' }, 'other currency'],
  [{ currency: 'JPY', endedAt: now }, 'ended'],
  [{ endsAt: now }, 'expired'],
  [{ startsAt: new Date('2026-11-27') }, 'early'],
  [{ maxUses: 3 }, 'used up'],
])('a coupon with %o is %s', (columns, status) => {
  expect(getCouponStatus({ ...usableCoupon, ...columns }, now)).toBe(status)
})
