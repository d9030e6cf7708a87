/** Coupons as staff see them. */
import { and, eq, gt, sql } from 'drizzle-orm'
import { formatMoney } from '~/features/school/money'
import type { Statements } from '~/server/database/client.server'
import { coupons } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { siteCurrency } from '~/server/site/site.server'
import { cleanCode } from '~/ui/form/clean-text'
import { formatNumber } from '~/ui/format-count'
import { holdsCouponUse } from './apply-coupon.server'
import type { CouponTerms } from './coupon-terms.server'

export type ListedCoupon = typeof coupons.$inferSelect & {
  /** How many orders use the coupon. */
  uses: number
}

const uses = sql<number>`(
  select count(*)::int from orders o
  where o.coupon_code = coupons.code and ${holdsCouponUse})`

/** @param submittedCode the code in any writing that learners may use */
export async function findCoupon(
  db: Pick<Statements, 'select'>,
  submittedCode: string,
): Promise<ListedCoupon | null> {
  const [row] = await db
    .select({ coupon: coupons, uses })
    .from(coupons)
    .where(eq(coupons.code, cleanCode(submittedCode)))

  return row ? { ...row.coupon, uses: row.uses } : null
}

/** Yields all coupons with a name by code, in parts of at most `partSize` rows. */
export async function* listCouponsByName(
  db: Pick<Statements, 'select'>,
  name: string,
  partSize: number,
): AsyncGenerator<ListedCoupon[]> {
  let lastCode = ''

  while (true) {
    const rows = await db
      .select({ coupon: coupons, uses })
      .from(coupons)
      .where(and(eq(coupons.name, name), sql`${name} <> ''`, gt(coupons.code, lastCode)))
      .orderBy(coupons.code)
      .limit(partSize)
    yield rows.map((row) => ({ ...row.coupon, uses: row.uses }))

    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < partSize) {
      return
    }

    lastCode = lastRow.coupon.code
  }
}

/** Formats what a coupon takes off: '25%' or '$10.00'. */
export function formatDiscount(
  coupon: Pick<CouponTerms, 'percent' | 'amountMinor' | 'currency'>,
): string {
  if (coupon.percent) {
    return `${coupon.percent}%`
  }

  return formatMoney(coupon.amountMinor ?? 0, coupon.currency ?? siteCurrency())
}

/** Formats how often a coupon was used: '3' or '3 of 10'. */
export function formatUses({ uses, maxUses }: Pick<ListedCoupon, 'uses' | 'maxUses'>): string {
  const used = formatNumber(uses)
  return maxUses === null ? used : `${used} of ${formatNumber(maxUses)}`
}

/** Returns the link that brings a coupon to the checkout of a course. */
export function couponUrl(code: string, courseId: string): string {
  return `${env.PUBLIC_URL}/Checkout/${courseId}?coupon=${code}`
}

/**
 * What the desk says about a coupon. With the status 'other currency', checkout refuses the coupon,
 * because its amount is not in the school's currency any more.
 */
export type CouponStatus = 'open' | 'early' | 'used up' | 'expired' | 'ended' | 'other currency'

export function getCouponStatus(
  coupon: Pick<ListedCoupon, 'endedAt' | 'startsAt' | 'endsAt' | 'maxUses' | 'uses' | 'currency'>,
  now: Date,
): CouponStatus {
  const { endedAt, startsAt, endsAt, maxUses, uses, currency } = coupon
  if (endedAt) {
    return 'ended'
  }

  if (currency !== null && currency !== siteCurrency()) {
    return 'other currency'
  }

  if (endsAt && endsAt <= now) {
    return 'expired'
  }

  if (startsAt && startsAt > now) {
    return 'early'
  }

  return maxUses !== null && uses >= maxUses ? 'used up' : 'open'
}
