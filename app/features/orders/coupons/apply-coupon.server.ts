import { eq, sql } from 'drizzle-orm'
import type { AccountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import {
  createClientAttempt,
  type RequestContext,
} from '~/features/accounts/session/request-context.server'
import type { Statements, Transaction } from '~/server/database/client.server'
import { coupons } from '~/server/database/schema'
import {
  type AppliedCoupon,
  type CouponProblem,
  codePattern,
  type Discount,
  findCouponProblem,
  getDiscountedPrice,
} from './coupon'

/** A coupon's code, and the purchase for which it was submitted. */
export type CouponUse = {
  /** The normalized code. */
  code: string
  uid: string
  courseId: string
  isGift: boolean
  /** The price of the course without the coupon. */
  priceMinor: number
  currency: string
}

type Coupon = typeof coupons.$inferSelect
type CouponResult = AppliedCoupon | { problem: CouponProblem }

/** Returns what a coupon would do for a purchase now. Nothing is reserved. */
export async function applyCoupon(
  db: Pick<Statements, 'select' | 'execute'>,
  couponUse: CouponUse,
): Promise<CouponResult> {
  if (!codePattern.test(couponUse.code)) {
    return { problem: 'unknown' }
  }

  const [coupon] = await db.select().from(coupons).where(eq(coupons.code, couponUse.code))
  return coupon ? evaluateCoupon(db, coupon, couponUse) : { problem: 'unknown' }
}

/**
 * Returns what a coupon does for the order that is written in this transaction. The coupon stays
 * locked until the transaction ends, so that only one of many learners gets its last use. Nothing
 * is written: only an order that is saved with the code uses the coupon.
 */
export async function reserveCoupon(tx: Transaction, couponUse: CouponUse): Promise<CouponResult> {
  if (!codePattern.test(couponUse.code)) {
    return { problem: 'unknown' }
  }

  const [coupon] = await tx
    .select()
    .from(coupons)
    .where(eq(coupons.code, couponUse.code))
    .for('no key update')

  return coupon ? evaluateCoupon(tx, coupon, couponUse) : { problem: 'unknown' }
}

async function evaluateCoupon(
  db: Pick<Statements, 'execute'>,
  coupon: Coupon,
  couponUse: CouponUse,
): Promise<CouponResult> {
  const { courseId, priceMinor, currency } = couponUse
  const { uses, ownUses, now } = await countUses(db, couponUse)
  const discount = getDiscount(coupon)

  const problem = findCouponProblem(
    { ...coupon, uses, ownUses, discount },
    { courseId, currency, now },
  )
  if (problem) {
    return { problem }
  }

  return { code: coupon.code, totalMinor: getDiscountedPrice(priceMinor, discount, currency) }
}

function getDiscount({ code, percent, amountMinor }: Coupon): Discount {
  if (percent !== null) {
    return { percent }
  }

  if (amountMinor === null) {
    throw new Error(`Coupon ${code} takes nothing off.`)
  }

  return { amountMinor }
}

/**
 * SQL that tells whether an order `o` uses up its coupon: as long as it can be paid, and forever
 * once it was paid, even after a refund. The use is free again when the payment page expires.
 */
export const holdsCouponUse = sql`(
  o.state in ('processing', 'paid', 'refunded')
  or o.state = 'open' and exists (
    select from payments p where p.order_id = o.id and p.state in ('started', 'processing')))`

/** Counts the uses of a coupon, without the open order that this purchase continues. */
async function countUses(
  db: Pick<Statements, 'execute'>,
  { code, uid, courseId, isGift }: CouponUse,
): Promise<{ uses: number; ownUses: number; now: Date }> {
  const { rows } = await db.execute<{ uses: number; ownUses: number; now: string }>(sql`
    select count(*)::int as uses,
      count(*) filter (where o.uid = ${uid})::int as "ownUses",
      now()::text as now
    from orders o
    where o.coupon_code = ${code} and ${holdsCouponUse}
      and (o.uid is distinct from ${uid} or o.course_id <> ${courseId} or o.is_gift <> ${isGift}
        or o.state <> 'open')`)

  const [row] = rows
  if (!row) {
    throw new Error('A count without a group always has one row.')
  }

  return { uses: row.uses, ownUses: row.ownUses, now: new Date(row.now) }
}

/**
 * Returns whether checkout needs a field for coupons, because the course has a coupon that can be
 * used.
 */
export async function hasUsableCoupon(
  db: Pick<Statements, 'execute'>,
  { courseId, currency }: Pick<CouponUse, 'courseId' | 'currency'>,
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from coupons
    where ended_at is null
      and (ends_at is null or ends_at > now())
      and (currency is null or currency = ${currency})
      and (course_ids is null or ${courseId} = any(course_ids))
    limit 1`)
  return rows.length > 0
}

export type CouponCodeAttemptContext = {
  attempts: AccountService['attempts']
  requestContext: RequestContext
}

type CodeAttempt = { giveBack(): Promise<void> }

/**
 * Counts an attempt to guess a code. Guessing is limited per account and per client. An attempt is
 * counted before the code is read, and given back if the code exists, so that parallel requests
 * can't guess more.
 *
 * @returns null if there were too many attempts
 */
export async function consumeCouponCodeAttempt(
  { attempts, requestContext }: CouponCodeAttemptContext,
  uid: string,
): Promise<CodeAttempt | null> {
  const counters = [
    { limit: attemptLimits.couponCodeByAccount, subject: uid },
    createClientAttempt(requestContext, attemptLimits.couponCodeByClient),
  ]
  if (!(await attempts.consumeAll(counters))) {
    return null
  }

  return {
    async giveBack() {
      for (const { limit, subject } of counters) {
        await attempts.giveBack(limit, subject)
      }
    },
  }
}
