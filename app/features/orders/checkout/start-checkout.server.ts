import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { lockList } from '~/features/enrollment/course-work-lock.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { type Buyer, courses, orders, payments } from '~/server/database/schema'
import { reserveCoupon } from '../coupons/apply-coupon.server'
import type { CouponProblem } from '../coupons/coupon'
import type { Gift } from '../gifts/gift'
import { writeGift } from '../gifts/gift-orders.server'
import { fulfillOrder } from '../order-fulfillment.server'
import { syncOrderWithProvider } from '../payments/sync-order.server'
import { createRandomCode } from '../random-code.server'
import { taxRateOf } from '../receipts/tax'
import type { Order, Shop } from '../shop.server'

const minuteMs = 60_000
/** How long a learner may take at the provider's page, and has the price that was shown. */
const payWithinMs = 60 * minuteMs
const mostTries = 2

type Payment = typeof payments.$inferSelect

export type CheckoutStart =
  | { outcome: 'pay'; url: string }
  | { outcome: 'owned' | 'free' | 'not found' }
  /** A bank debit of an earlier attempt is on its way. */
  | { outcome: 'processing'; orderId: string }
  /** There is nothing to pay. */
  | { outcome: 'enrolled'; orderId: string }
  | { outcome: 'coupon'; problem: CouponProblem }
  /** It costs more than the learner was shown, or another currency. */
  | { outcome: 'changed' }

type Options = {
  /** As `normalizeCode` writes it; null for none. */
  couponCode?: string | null
  /** For whom it is bought, unless for the learner. */
  gift?: Gift | null
  /** The text by which the learner gave up the right of withdrawal. */
  waiver?: string | null
  /**
   * The total that the learner was shown; more, or another currency, is not charged. Null for a
   * form without it.
   */
  shown?: ShownPrice | null
}

/** `currency`: null for a form without it. */
type ShownPrice = { totalMinor: number; currency: string | null }

/**
 * Leads to the page where the course is paid. An open order is taken up again, so that two tabs, a
 * double click or the back button end at the same page of the provider.
 */
export async function startCheckout(
  shop: Shop,
  uid: string,
  courseId: string,
  buyer: Buyer,
  { couponCode = null, gift = null, waiver = null, shown = null }: Options = {},
): Promise<CheckoutStart> {
  const isOpen = openOrderOf({ uid, courseId, isGift: gift !== null })
  const [earlier] = await shop.db.select({ id: orders.id }).from(orders).where(isOpen)
  // An earlier page may have been paid or have expired meanwhile.
  if (earlier) {
    await syncOrderWithProvider(shop, earlier.id)
  }

  for (let tries = 1; ; tries++) {
    const opened = await shop.db.transaction(async (transaction) => {
      await lockList(transaction, 'orders', uid)
      return openPayment(transaction, shop, {
        uid,
        courseId,
        buyer,
        couponCode,
        gift,
        waiver,
        shown,
      })
    })

    if ('outcome' in opened) {
      shop.wakeEmailSender()
      return opened
    }

    const { order, payment, isNew, isReplaced } = opened
    if (isReplaced) {
      if (tries > mostTries) {
        throw new Error(`Order ${order.id} is paid for from two pages at once.`)
      }

      await closePaymentPage(shop, payment)
      continue
    }

    if (payment.url) {
      return { outcome: 'pay', url: payment.url }
    }

    try {
      return { outcome: 'pay', url: await openPaymentPage(shop, order, payment) }
    } catch (error) {
      await giveUpUnseen(shop.db, payment.id)
      // What an earlier process began may be refused now: its page would end too soon, or a setting
      // has changed.
      if (isNew || tries > mostTries) {
        throw error
      }
    }
  }
}

type OrderOf = { uid: string; courseId: string; isGift: boolean }

/** The order that a learner has not finished paying: one for themselves, and one to give. */
export const openOrderOf = ({ uid, courseId, isGift }: OrderOf) =>
  and(
    eq(orders.uid, uid),
    eq(orders.courseId, courseId),
    eq(orders.isGift, isGift),
    inArray(orders.state, ['open', 'processing']),
  )

/**
 * If starting the payment got no answer, its page was never shown, so it can't be paid. The
 * provider repeats an error for the same key; the next attempt has another one.
 */
async function giveUpUnseen(db: Pick<Database, 'update'>, paymentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ state: 'expired', settledAt: sql`now()` })
    .where(
      and(eq(payments.id, paymentId), eq(payments.state, 'started'), isNull(payments.sessionId)),
    )
}

/** At its provider, so that no learner can pay there what an order cost before. */
async function closePaymentPage(shop: Shop, { id, orderId, sessionId }: Payment): Promise<void> {
  if (!sessionId) {
    return giveUpUnseen(shop.db, id)
  }

  await shop.provider.close(sessionId)
  await syncOrderWithProvider(shop, orderId)
}

type Purchase = { uid: string; courseId: string; buyer: Buyer } & Required<Options>
/**
 * `isReplaced`: the payment's page has another price than the learner wants to pay, and has to be
 * closed first.
 */
type OpenedPayment = { order: Order; payment: Payment; isNew: boolean; isReplaced: boolean }
type Opened = OpenedPayment | Exclude<CheckoutStart, { outcome: 'pay' }>

/**
 * Finds or makes the open order and its open payment, which exist before the provider hears of
 * them.
 */
async function openPayment(
  transaction: Transaction,
  shop: Shop,
  purchase: Purchase,
): Promise<Opened> {
  const { uid, courseId, buyer, couponCode, gift, waiver, shown } = purchase
  const of = { uid, courseId, isGift: gift !== null }
  const [course] = await transaction
    .select({ title: courses.title, priceMinor: courses.priceCents })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))
  if (!course) {
    return { outcome: 'not found' }
  }

  // Locked, so that a payment that arrives meanwhile is seen.
  const [open] = await transaction.select().from(orders).where(openOrderOf(of)).for('update')
  if (!gift && (await hasAccess(transaction, uid, courseId))) {
    return { outcome: 'owned' }
  }

  if (course.priceMinor === 0) {
    return { outcome: 'free' }
  }

  if (open?.state === 'processing') {
    return { outcome: 'processing', orderId: open.id }
  }

  const [unpaid] = open ? await transaction.select().from(payments).where(isUnsettled(open.id)) : []
  const waivedAt = waiver === null ? null : sql`now()`
  const receipt = {
    buyer,
    taxBasisPoints: taxRateOf(shop.taxRates, buyer.country),
    waiver,
    waivedAt,
  }

  if (open && unpaid) {
    const isOutdated = open.currency !== shop.currency || open.listMinor > course.priceMinor
    if (open.couponCode !== couponCode || isOutdated) {
      return { order: open, payment: unpaid, isNew: false, isReplaced: true }
    }

    if (costsMoreThanDisplayed(open, shown)) {
      return { outcome: 'changed' }
    }

    // The price stays, but a company or country may have been added after going back.
    await transaction.update(orders).set(receipt).where(eq(orders.id, open.id))
    if (gift) {
      await writeGift(transaction, open, gift)
    }

    return { order: open, payment: unpaid, isNew: false, isReplaced: false }
  }

  const use = { ...of, priceMinor: course.priceMinor, currency: shop.currency }
  const coupon =
    couponCode === null ? null : await reserveCoupon(transaction, { ...use, code: couponCode })
  if (coupon && 'problem' in coupon) {
    return { outcome: 'coupon', problem: coupon.problem }
  }

  const totalMinor = coupon ? coupon.totalMinor : course.priceMinor
  if (costsMoreThanDisplayed({ totalMinor, currency: shop.currency }, shown)) {
    return { outcome: 'changed' }
  }

  // Without an open payment nothing binds the order to its old price.
  const terms = {
    courseTitle: course.title,
    currency: shop.currency,
    listMinor: course.priceMinor,
    totalMinor,
    couponCode,
    ...receipt,
  }
  const [order] = open
    ? await transaction.update(orders).set(terms).where(eq(orders.id, open.id)).returning()
    : await transaction
        .insert(orders)
        // Random: counted numbers would tell how much a school sells.
        .values({ id: createRandomCode(10), ...of, ...terms })
        .returning()

  if (!order) {
    throw new Error('An order was not stored.')
  }

  if (gift) {
    await writeGift(transaction, order, gift)
  }

  if (order.totalMinor === 0) {
    await fulfillOrder(transaction, order, 'learner')
    return { outcome: 'enrolled', orderId: order.id }
  }

  const payment = await addPayment(transaction, shop.provider.name, order)

  return { order, payment, isNew: true, isReplaced: false }
}

function costsMoreThanDisplayed(
  { totalMinor, currency }: Pick<Order, 'totalMinor' | 'currency'>,
  shown: ShownPrice | null,
): boolean {
  if (shown === null) {
    return false
  }

  return totalMinor > shown.totalMinor || (shown.currency !== null && shown.currency !== currency)
}

const isUnsettled = (orderId: string) =>
  and(eq(payments.orderId, orderId), inArray(payments.state, ['started', 'processing']))

async function addPayment(
  transaction: Transaction,
  provider: Payment['provider'],
  order: Order,
): Promise<Payment> {
  const [last] = await transaction
    .select({ attempt: payments.attempt })
    .from(payments)
    .where(eq(payments.orderId, order.id))
    .orderBy(desc(payments.attempt))
    .limit(1)
  const [payment] = await transaction
    .insert(payments)
    .values({
      id: randomId(),
      orderId: order.id,
      attempt: (last?.attempt ?? 0) + 1,
      provider,
      amountMinor: order.totalMinor,
      expiresAt: sql`date_trunc('second', now()) + make_interval(secs => ${payWithinMs / 1000}::float8)`,
    })
    .returning()

  if (!payment) {
    throw new Error('A payment was not stored.')
  }

  return payment
}

/**
 * Asks the provider for its page. After a kill it is asked again, with the same key and the same
 * words.
 */
async function openPaymentPage(
  { db, provider, publicUrl }: Shop,
  order: Order,
  payment: Payment,
): Promise<string> {
  const { sessionId, url } = await provider.start({
    paymentId: payment.id,
    orderId: order.id,
    courseTitle: order.courseTitle,
    amountMinor: payment.amountMinor,
    currency: order.currency,
    email: order.buyer.email,
    returnUrl: `${publicUrl}/Checkout/${order.courseId}/paid?order=${order.id}`,
    cancelUrl: `${publicUrl}/Checkout/${order.courseId}?${new URLSearchParams({
      canceled: '1',
      ...(order.couponCode && { coupon: order.couponCode }),
      ...(order.isGift && { gift: '1' }),
    })}`,
    expiresAt: payment.expiresAt,
  })
  const { rowCount } = await db
    .update(payments)
    .set({ sessionId, url })
    .where(and(eq(payments.id, payment.id), eq(payments.state, 'started')))
  if (rowCount === 0) {
    throw new Error(`Payment ${payment.id} was given up while its page was opened.`)
  }

  return url
}
