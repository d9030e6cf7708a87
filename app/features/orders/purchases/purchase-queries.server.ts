import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { hasAccess, sellsCourses } from '~/features/enrollment/course-access.server'
import { lowestPriceBefore } from '~/server/content/prices.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import {
  type Buyer,
  courses,
  gifts,
  ledger,
  orders,
  payments,
  receipts,
} from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { CheckoutOffer } from '../checkout/checkout-page'
import type { PaidOrder, UnsoldCourse } from '../checkout/paid-page'
import { openOrderOf } from '../checkout/start-checkout.server'
import { takesCoupons } from '../coupons/apply-coupon.server'
import type { Gift as TypedGift } from '../gifts/gift'
import type { OrderState, RefundRequestState } from '../order-states'
import type { IssuedReceipt } from '../receipts/issue-receipt.server'
import { listRefundOptions, type RefundDays, type RefundKind } from '../refunds/refund-options'
import { remainingToRefund } from '../refunds/remaining-amount.server'
import type { Shop } from '../shop.server'
import type { Purchase } from './purchases-page'

/** @returns null for a course that is not sold. */
export async function findOffer(
  { db, ...shop }: Shop,
  courseId: string,
): Promise<CheckoutOffer | null> {
  const [course] = await db
    .select({
      id: courses.id,
      title: courses.title,
      instructorName: courses.instructorName,
      priceMinor: courses.priceCents,
      originalMinor: courses.originalPriceCents,
      priceUntil: courses.priceUntil,
      lowestMinor: env.SHOW_LOWEST_PRICE ? lowestPriceBefore() : sql<null>`null`,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))

  if (!course || course.priceMinor === 0) {
    return null
  }

  const { '*': otherBasisPoints = 0, ...byCountry } = shop.taxRates
  const countries = Object.entries(byCountry).map(([code, basisPoints]) => ({ code, basisPoints }))
  const { currency, waiver } = shop
  const hasCoupons = await takesCoupons(db, { courseId, currency })

  return {
    course,
    currency,
    seller: shop.seller.name,
    countries,
    otherBasisPoints,
    hasCoupons,
    waiver,
  }
}

/** Money has moved for the order, even if it went back. */
const isCharged = sql<boolean>`exists (select from ${ledger} where ${ledger.orderId} = ${orders.id})`

/** The last try to pay. */
const hasFailed = sql<boolean>`coalesce((select ${payments.state} = 'failed' from ${payments}
  where ${payments.orderId} = ${orders.id} order by ${payments.attempt} desc limit 1), false)`

export type BegunOrder = {
  id: string
  state: OrderState
  couponCode: string | null
  /**
   * The prices of an order whose payment page is still open. They stay even if the course's price
   * changes.
   */
  bound: { listMinor: number; totalMinor: number } | null
}

/** The order for a course that a learner has not finished paying. */
export async function findBegunOrder(
  db: Database,
  {
    currency,
    isGift = false,
    ...of
  }: { uid: string; courseId: string; currency: string; isGift?: boolean },
): Promise<BegunOrder | null> {
  const isBound = sql`exists (select from ${payments} where ${payments.orderId} = ${orders.id}
    and ${payments.state} in ('started', 'processing') and ${payments.expiresAt} > now())
    and ${orders.currency} = ${currency} and ${orders.listMinor} <= ${courses.priceCents}`
  const [order] = await db
    .select({
      id: orders.id,
      state: orders.state,
      couponCode: orders.couponCode,
      bound: sql<BegunOrder['bound']>`case when ${isBound}
        then json_build_object('listMinor', ${orders.listMinor}, 'totalMinor', ${orders.totalMinor}) end`,
    })
    .from(orders)
    .innerJoin(courses, eq(courses.id, orders.courseId))
    .where(openOrderOf({ ...of, isGift }))

  return order ?? null
}

/** What the learner typed about a gift that is not paid yet. */
export async function findBegunGift(
  db: Database,
  uid: string,
  courseId: string,
): Promise<TypedGift | null> {
  const [gift] = await db
    .select({
      recipientEmail: gifts.recipientEmail,
      senderName: gifts.senderName,
      message: gifts.message,
    })
    .from(gifts)
    .innerJoin(orders, eq(orders.id, gifts.orderId))
    .where(openOrderOf({ uid, courseId, isGift: true }))

  return gift ? { ...gift, recipientEmail: gift.recipientEmail ?? '' } : null
}

/** The order of a learner without the course, which was withdrawn before they paid anything. */
export async function findUnsold(
  db: Database,
  uid: string,
  courseId: string,
): Promise<UnsoldCourse | null> {
  if (await hasAccess(db, uid, courseId)) {
    return null
  }

  const [order] = await db
    .select({ orderId: orders.id, title: orders.courseTitle })
    .from(orders)
    .innerJoin(courses, eq(courses.id, orders.courseId))
    .where(
      and(
        eq(orders.uid, uid),
        eq(orders.courseId, courseId),
        inArray(orders.state, ['open', 'canceled']),
        eq(courses.published, false),
        sql`not ${isCharged}`,
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1)

  return order ?? null
}

/** @returns the title of a withdrawn course, if the learner has it. */
export async function findOwnedWithdrawn(
  db: Database,
  uid: string,
  courseId: string,
): Promise<string | null> {
  const [course] = await db
    .select({ title: courses.title })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, false)))
  return course && (await hasAccess(db, uid, courseId)) ? course.title : null
}

/** What the learner typed for the last receipt, so that it is typed once. */
export async function findLastBuyer(db: Database, uid: string): Promise<Buyer | null> {
  const [last] = await db
    .select({ buyer: orders.buyer })
    .from(orders)
    .where(eq(orders.uid, uid))
    .orderBy(desc(orders.createdAt))
    .limit(1)

  return last?.buyer ?? null
}

/** A learner's own order. */
export async function findPaidOrder(
  db: Database,
  uid: string,
  orderId: string,
): Promise<PaidOrder | null> {
  const shown = {
    id: orders.id,
    courseId: orders.courseId,
    courseTitle: orders.courseTitle,
    state: orders.state,
    totalMinor: orders.totalMinor,
    isCharged,
    hasFailed,
    giftFor: gifts.recipientEmail,
  }
  const [order] = await db
    .select(shown)
    .from(orders)
    .leftJoin(gifts, eq(gifts.orderId, orders.id))
    .where(and(eq(orders.id, orderId), eq(orders.uid, uid)))

  return order ?? null
}

/**
 * Whether links lead to a learner's purchases: where courses are sold, and after a school has
 * stopped selling.
 */
export async function showsPurchases(db: Pick<Database, 'execute'>, uid: string): Promise<boolean> {
  if (sellsCourses) {
    return true
  }

  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select from orders where uid = ${uid} and state <> 'canceled') as any`,
  )
  return rows[0]?.any ?? false
}

const mostPurchases = 200

type PurchaseRow = Omit<Purchase, 'chances' | 'request'> & {
  paidAt: string | null
  isWithdrawalWaived: boolean
  remainingMinor: number
  requests: { kind: RefundKind; state: RefundRequestState; at: string }[]
}

/**
 * A learner's orders, the newest first. Orders that were given up without a payment are left out.
 *
 * @param refundDays null where nothing is sold any more.
 */
export async function listPurchases(
  db: Database,
  uid: string,
  refundDays: RefundDays | null,
): Promise<Purchase[]> {
  const { rows } = await db.execute<PurchaseRow>(sql`
    select o.id, o.course_id as "courseId", exists (select from courses c where c.id = o.course_id and c.published) as "isOffered", o.course_title as "courseTitle", o.state, o.total_minor as "totalMinor", o.currency,
      ${isoText(sql`o.created_at`)} as "orderedAt", ${isoText(sql`o.paid_at`)} as "paidAt",
      o.waived_at is not null as "isWithdrawalWaived", ${remainingToRefund} as "remainingMinor",
      coalesce((select json_agg(json_build_object('number', r.number, 'kind', r.document ->> 'kind') order by r.number)
        from receipts r where r.order_id = o.id), '[]') as documents,
      coalesce((select json_agg(json_build_object('kind', q.kind, 'state', q.state, 'at', ${isoText(sql`q.stated_at`)})
        order by q.stated_at) from refund_requests q where q.order_id = o.id), '[]') as requests,
      (select json_build_object('code', g.code, 'recipientEmail', g.recipient_email,
        'redeemedAt', ${isoText(sql`g.redeemed_at`)}) from gifts g where g.order_id = o.id) as gift
    from orders o where o.uid = ${uid} and o.state <> 'canceled'
    order by o.created_at desc limit ${mostPurchases}`)
  const now = new Date()

  return rows.map(({ paidAt, isWithdrawalWaived, remainingMinor, requests, ...purchase }) => {
    const facts = {
      state: purchase.state,
      paidAt: paidAt ? new Date(paidAt) : null,
      isWithdrawalWaived,
      remainingMinor,
      requests,
    }
    const chances = refundDays
      ? listRefundOptions(facts, refundDays, now).map(({ kind }) => kind)
      : []
    const asked = requests.findLast(({ state }) => state !== 'stated')

    return {
      ...purchase,
      chances,
      request: asked ? { ...asked, state: asked.state as AnswerState } : null,
    }
  })
}

type AnswerState = Exclude<RefundRequestState, 'stated'>

/** A receipt or credit note of a learner's own order. @param number as in an address. */
export async function findReceipt(
  db: Database,
  uid: string,
  number: string,
): Promise<IssuedReceipt | null> {
  if (!/^\d{1,9}$/.test(number)) {
    return null
  }

  const [receipt] = await db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(and(eq(receipts.number, Number(number)), eq(orders.uid, uid)))
    .orderBy(desc(receipts.number))

  return receipt ?? null
}
