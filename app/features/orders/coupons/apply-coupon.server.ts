import { eq, sql } from 'drizzle-orm'
import type { Statements, Transaction } from '~/server/database/client.server'
import { coupons } from '~/server/database/schema'
import {
  type AppliedCoupon,
  type CouponProblem,
  couponProblem,
  type Discount,
  discountedPrice,
} from './coupon'

/** What the coupon is wanted for. */
export type CouponUse = {
  code: string
  uid: string
  courseId: string
  isGift: boolean
  priceMinor: number
  currency: string
}

type Coupon = typeof coupons.$inferSelect

/** What a code would do now. Nothing is reserved. */
export async function applyCoupon(
  db: Pick<Statements, 'select' | 'execute'>,
  use: CouponUse,
): Promise<AppliedCoupon | { problem: CouponProblem }> {
  const [coupon] = await db.select().from(coupons).where(eq(coupons.code, use.code))
  return coupon ? decide(db, coupon, use) : { problem: 'unknown' }
}

/**
 * The same for the order that is written in this transaction. The coupon stays locked until its
 * end, so that of many learners who want its last use only one gets it.
 */
export async function reserveCoupon(
  transaction: Transaction,
  use: CouponUse,
): Promise<AppliedCoupon | { problem: CouponProblem }> {
  const [coupon] = await transaction
    .select()
    .from(coupons)
    .where(eq(coupons.code, use.code))
    .for('no key update')

  return coupon ? decide(transaction, coupon, use) : { problem: 'unknown' }
}

async function decide(
  db: Pick<Statements, 'execute'>,
  coupon: Coupon,
  use: CouponUse,
): Promise<AppliedCoupon | { problem: CouponProblem }> {
  const { courseId, priceMinor, currency } = use
  const counted = await countUses(db, use)
  const discount = discountOf(coupon)
  const problem = couponProblem(
    { ...coupon, ...counted, discount },
    { courseId, currency, now: counted.now },
  )

  return problem
    ? { problem }
    : { code: coupon.code, totalMinor: discountedPrice(priceMinor, discount, currency) }
}

function discountOf({ percent, amountMinor }: Pick<Coupon, 'percent' | 'amountMinor'>): Discount {
  return percent === null ? { amountMinor: amountMinor ?? 0 } : { percent }
}

/**
 * An order that holds one of a coupon's uses: while it can be paid, and for good once it is, also
 * after a refund. A use is given back when the page to pay on expires, because nothing is stored
 * for it.
 */
export const holdsCouponUse = sql`(o.state in ('processing', 'paid', 'refunded') or o.state = 'open' and exists (
  select from payments p where p.order_id = o.id and p.state in ('started', 'processing')))`

/**
 * Without the learner's own open order for the course, which the purchase in question goes on with.
 */
async function countUses(
  db: Pick<Statements, 'execute'>,
  { code, uid, courseId, isGift }: CouponUse,
) {
  const { rows } = await db.execute<{ uses: number; ownUses: number; now: string }>(sql`
    select count(*)::int as uses, count(*) filter (where o.uid = ${uid})::int as "ownUses", now()::text as now
    from orders o where o.coupon_code = ${code} and ${holdsCouponUse}
      and (o.uid is distinct from ${uid} or o.course_id <> ${courseId} or o.is_gift <> ${isGift}
        or o.state <> 'open')`)
  const { uses = 0, ownUses = 0, now = '' } = rows[0] ?? {}
  return { uses, ownUses, now: new Date(now) }
}

/**
 * Whether checkout has a field for codes: only where a coupon can be used, so that no learner hunts
 * for one in vain.
 */
export async function takesCoupons(
  db: Pick<Statements, 'execute'>,
  { courseId, currency }: Pick<CouponUse, 'courseId' | 'currency'>,
): Promise<boolean> {
  const { rows } = await db.execute<{ any: boolean }>(sql`
    select exists (select from coupons where ended_at is null and (ends_at is null or ends_at > now())
      and (currency is null or currency = ${currency})
      and (course_ids is null or ${courseId} = any(course_ids))) as any`)
  return rows[0]?.any ?? false
}
