import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { selectLowestPriorPrice } from '~/features/courses/prices.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import type { Database } from '~/server/database/client.server'
import { type Buyer, courses, gifts, ledger, orders, payments } from '~/server/database/schema'
import { env } from '~/server/env.server'
import {
  applyCoupon,
  type CouponCodeAttemptContext,
  type CouponUse,
  consumeCouponCodeAttempt,
  hasUsableCoupon,
} from '../coupons/apply-coupon.server'
import { couponProblems, tooManyCodes } from '../coupons/coupon'
import type { Gift } from '../gifts/gift'
import type { OrderStatus } from '../order-statuses'
import type { Shop } from '../shop.server'
import { otherCountry } from './checkout-form'
import type { CheckoutOffer, CheckoutPrice } from './checkout-page'
import type { UnavailableCourse } from './no-checkout-pages'
import type { PaidOrder } from './paid-page'

type OpenOrderKey = { uid: string; courseId: string; isGift: boolean }

/**
 * The condition for the order that a learner has not finished paying. A learner has at most one
 * such order for each course, and another one to give the course away.
 */
export function whereOpenOrder({ uid, courseId, isGift }: OpenOrderKey): SQL | undefined {
  return and(
    eq(orders.uid, uid),
    eq(orders.courseId, courseId),
    eq(orders.isGift, isGift),
    inArray(orders.status, ['open', 'processing']),
  )
}

/** Returns a course with what checkout says about it, or null for a course that is not for sale. */
export async function findOffer(shop: Shop, courseId: string): Promise<CheckoutOffer | null> {
  const { db, currency, waiver, seller, taxRates } = shop
  const [course] = await db
    .select({
      id: courses.id,
      title: courses.title,
      instructorName: courses.instructorName,
      priceMinor: courses.priceMinor,
      fullPriceMinor: courses.originalPriceMinor,
      priceUntil: courses.priceUntil,
      lowestPriceMinor: env.SHOW_LOWEST_PRICE ? selectLowestPriorPrice() : sql<null>`null`,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))
  if (!course || course.priceMinor === 0) {
    return null
  }

  const { '*': otherCountriesBasisPoints = 0, ...ratesByCountry } = taxRates
  return {
    course,
    currency,
    waiver,
    seller: seller.name,
    countries: Object.entries(ratesByCountry).map(([code, basisPoints]) => ({ code, basisPoints })),
    otherCountriesBasisPoints,
    hasCoupons: await hasUsableCoupon(db, { courseId, currency }),
  }
}

type OpenOrder = {
  id: string
  status: OrderStatus
  couponCode: string | null
  /**
   * The prices of an order whose payment page is still open. They stay, even if the price of the
   * course rises. Null if there is no such page.
   */
  boundPrice: { priceMinor: number; totalMinor: number } | null
}

/** Returns the order for a course that a learner has not finished paying. */
export async function findOpenOrder(
  db: Database,
  openOrderKey: OpenOrderKey & { currency: string },
): Promise<OpenOrder | null> {
  const isBound = sql`
    exists (
      select from ${payments}
      where ${payments.orderId} = ${orders.id}
        and ${payments.status} in ('started', 'processing') and ${payments.expiresAt} > now())
    and ${orders.currency} = ${openOrderKey.currency}
    and ${orders.listMinor} <= ${courses.priceMinor}`

  const [order] = await db
    .select({
      id: orders.id,
      status: orders.status,
      couponCode: orders.couponCode,
      boundPrice: sql<OpenOrder['boundPrice']>`
        case when ${isBound} then json_build_object(
          'priceMinor', ${orders.listMinor},
          'totalMinor', ${orders.totalMinor}) end`,
    })
    .from(orders)
    .innerJoin(courses, eq(courses.id, orders.courseId))
    .where(whereOpenOrder(openOrderKey))

  return order ?? null
}

/** Returns what the learner has entered about a gift that is not paid yet. */
export async function findOpenGift(
  db: Database,
  uid: string,
  courseId: string,
): Promise<Gift | null> {
  const [gift] = await db
    .select({
      recipientEmail: gifts.recipientEmail,
      senderName: gifts.senderName,
      message: gifts.message,
    })
    .from(gifts)
    .innerJoin(orders, eq(orders.id, gifts.orderId))
    .where(whereOpenOrder({ uid, courseId, isGift: true }))

  return gift ? { ...gift, recipientEmail: gift.recipientEmail ?? '' } : null
}

/** This SQL condition is true if money has moved for an order, even if it went back. */
const isCharged = sql<boolean>`exists (select from ${ledger} where ${ledger.orderId} = ${orders.id})`

/**
 * Returns the learner's unpaid order for a course that has since been taken off sale. Returns null
 * for a learner who has the course.
 */
export async function findOrderForUnavailableCourse(
  db: Database,
  uid: string,
  courseId: string,
): Promise<UnavailableCourse | null> {
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
        inArray(orders.status, ['open', 'canceled']),
        eq(courses.published, false),
        sql`not ${isCharged}`,
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1)

  return order ?? null
}

/** Returns the title of a course that the learner has and that has since been taken off sale. */
export async function findOwnedUnavailableCourse(
  db: Database,
  uid: string,
  courseId: string,
): Promise<string | null> {
  const [course] = await db
    .select({ title: courses.title })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, false)))
  if (!course || !(await hasAccess(db, uid, courseId))) {
    return null
  }

  return course.title
}

/**
 * Returns what the learner has entered for the last receipt, so that it is entered only once. The
 * country is a choice of the checkout form.
 */
export async function findLastBuyer(db: Database, uid: string): Promise<Buyer | null> {
  const [order] = await db
    .select({ buyer: orders.buyer, status: orders.status, totalMinor: orders.totalMinor })
    .from(orders)
    .where(eq(orders.uid, uid))
    .orderBy(desc(orders.createdAt))
    .limit(1)
  if (!order) {
    return null
  }

  // An empty country says what the learner chose only in an order that is still being paid.
  const hasChosenOtherCountry =
    order.buyer.country === '' && order.status === 'open' && order.totalMinor > 0
  return hasChosenOtherCountry ? { ...order.buyer, country: otherCountry } : order.buyer
}

/** Returns a learner's own order for the page after paying. */
export async function findPaidOrder(
  db: Database,
  uid: string,
  orderId: string,
): Promise<PaidOrder | null> {
  const hasFailed = sql<boolean>`coalesce((
    select ${payments.status} = 'failed' from ${payments}
    where ${payments.orderId} = ${orders.id}
    order by ${payments.attempt} desc
    limit 1), false)`

  const [order] = await db
    .select({
      id: orders.id,
      courseId: orders.courseId,
      courseTitle: orders.courseTitle,
      status: orders.status,
      totalMinor: orders.totalMinor,
      isCharged,
      hasFailed,
      giftRecipient: gifts.recipientEmail,
    })
    .from(orders)
    .leftJoin(gifts, eq(gifts.orderId, orders.id))
    .where(and(eq(orders.id, orderId), eq(orders.uid, uid)))

  return order ?? null
}

/**
 * Returns what checkout shows as the price, with a coupon if there is a code.
 *
 * @param couponUse.code empty for no coupon
 * @param openOrder the order that is open at the payment provider; its price and coupon stay as
 *   they were shown
 */
export async function getCheckoutPrice(
  db: Database,
  attemptContext: CouponCodeAttemptContext,
  couponUse: CouponUse,
  openOrder: OpenOrder | null,
): Promise<CheckoutPrice> {
  const { code, priceMinor } = couponUse
  const boundPrice = openOrder?.boundPrice
  if (boundPrice && (openOrder.couponCode ?? '') === code) {
    const coupon = code === '' ? null : { code, totalMinor: boundPrice.totalMinor }
    return { priceMinor: boundPrice.priceMinor, code, coupon, problem: null }
  }

  if (code === '') {
    return { priceMinor, code, coupon: null, problem: null }
  }

  const attempt = await consumeCouponCodeAttempt(attemptContext, couponUse.uid)
  if (attempt === null) {
    return { priceMinor, code, coupon: null, problem: tooManyCodes }
  }

  const couponResult = await applyCoupon(db, couponUse)
  const isUnknown = 'problem' in couponResult && couponResult.problem === 'unknown'
  if (!isUnknown) {
    await attempt.giveBack()
  }

  if ('problem' in couponResult) {
    return { priceMinor, code, coupon: null, problem: couponProblems[couponResult.problem] }
  }

  return { priceMinor, code, coupon: couponResult, problem: null }
}
