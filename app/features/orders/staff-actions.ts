import type { StaffActionDefinition } from '~/features/staff/permissions'

/** What staff can do to orders, refunds, gifts and coupons. */
export const orderStaffActions = {
  refund: { name: 'orders refund', permission: 'give money back', isSensitive: true },
  grantRefund: { name: 'orders grant', permission: 'give money back', isSensitive: true },
  declineRefund: { name: 'orders decline', permission: 'give money back', isSensitive: true },
  markPaid: { name: 'orders mark-paid', permission: 'give money back', isSensitive: true },
  end: { name: 'orders end', permission: 'give money back', isSensitive: true },
  resendGift: { name: 'orders resend-gift', permission: 'send gifts again', isSensitive: true },
  createCoupon: { name: 'coupons create', permission: 'run coupons', isSensitive: true },
  createCoupons: { name: 'coupons bulk', permission: 'run coupons', isSensitive: true },
  endCoupons: { name: 'coupons end', permission: 'run coupons', isSensitive: true },
} as const satisfies Record<string, StaffActionDefinition>
