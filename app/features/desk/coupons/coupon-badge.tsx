import type { CouponStatus } from '~/features/orders/coupons/coupon-queries.server'
import { Badge } from '../desk-parts'

const badgeTexts: Record<CouponStatus, string> = {
  open: 'Can be used',
  early: 'Not yet',
  'used up': 'Used up',
  expired: 'Expired',
  ended: 'Ended',
  'other currency': 'In another currency',
}

const badgeVariants: Partial<Record<CouponStatus, 'good' | 'warn'>> = {
  open: 'good',
  early: 'warn',
  'other currency': 'warn',
}

export function CouponBadge({ status }: { status: CouponStatus }) {
  return <Badge variant={badgeVariants[status] ?? 'plain'}>{badgeTexts[status]}</Badge>
}
