import { Badge } from '~/features/desk/desk-parts'
import type { CouponState } from '~/features/orders/coupons/coupon-queries.server'

const stateTexts: Record<CouponState, string> = {
  open: 'Can be used',
  early: 'Not yet',
  'used up': 'Used up',
  expired: 'Expired',
  ended: 'Ended',
  'other currency': 'In another currency',
}

const variants: Partial<Record<CouponState, 'good' | 'warn'>> = {
  open: 'good',
  early: 'warn',
  'other currency': 'warn',
}

export function CouponBadge({ state }: { state: CouponState }) {
  return <Badge variant={variants[state] ?? 'plain'}>{stateTexts[state]}</Badge>
}
