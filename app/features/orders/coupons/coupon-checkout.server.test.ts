import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { courses, ledger, orders, outbox, payments, receipts } from '~/server/database/schema'
import { operatorContext } from '../../../../tests/support/operator'
import {
  buyer,
  courseId,
  insertCoupon,
  insertLearner,
  insertRefund,
  openCheckout,
  payOrder,
  priceMinor,
} from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { findOpenOrder } from '../checkout/checkout-queries.server'
import { startCheckout } from '../checkout/start-checkout.server'
import { syncOrderWithProvider } from '../payments/sync-order.server'
import { endCoupons } from './coupon-actions.server'
import { findCoupon } from './coupon-queries.server'
import type { CouponTerms } from './coupon-terms.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

const createCoupon = (terms: Partial<CouponTerms> = {}) =>
  insertCoupon(db, { percent: 25, ...terms })

const checkOut = (uid: string, couponCode: string | null) =>
  startCheckout(sampleShop.shop, { uid, courseId, buyer, couponCode })

const countUses = async (code: string) => (await findCoupon(db, code))?.uses

it('a coupon lowers the payment, and the receipt names the coupon and the tax of the lower price', async () => {
  const code = await createCoupon({ percent: 25 })
  const checkout = await openCheckout(sampleShop.shop, await insertLearner(db), {
    couponCode: code,
  })
  expect(sampleShop.sample.findSession(checkout.sessionId)).toMatchObject({ amount: 6_675 })
  expect(await payOrder(sampleShop, checkout)).toMatchObject({
    status: 'paid',
    listMinor: priceMinor,
    totalMinor: 6_675,
    couponCode: code,
  })

  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, checkout.orderId))
  expect(receipt?.document).toMatchObject({
    totalMinor: 6_675,
    taxMinor: 1_066,
    discount: { code, amountMinor: 2_225 },
  })
})

it('a free order enrolls the learner without the provider and without a ledger entry', async () => {
  const uid = await insertLearner(db)
  const code = await createCoupon({ percent: 100 })
  const checkout = await checkOut(uid, code)
  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  expect(checkout).toEqual({ outcome: 'enrolled', orderId: order?.id })
  expect(order).toMatchObject({ status: 'paid', totalMinor: 0 })

  const { rows } = await db.execute(sql`select by_order from enrollments where uid = ${uid}`)
  expect(rows).toEqual([{ by_order: true }])

  const orderId = order?.id ?? ''
  expect(await db.$count(payments, eq(payments.orderId, orderId))).toBe(0)
  expect(await db.$count(ledger, eq(ledger.orderId, orderId))).toBe(0)
  expect(await db.$count(outbox, eq(outbox.orderId, orderId))).toBe(1)
  expect(await checkOut(uid, code)).toEqual({ outcome: 'owned' })
  expect(await checkOrders(db, sampleShop.shop)).toEqual([])
})

it('a checkout that is refused because the price has risen uses up no coupon', async () => {
  const uid = await insertLearner(db)
  const code = await createCoupon({ percent: 25, maxUses: 1 })
  const displayedPrice = { totalMinor: 6_000, currency: null }
  const purchase = { uid, courseId, buyer, couponCode: code, displayedPrice }

  expect(await startCheckout(sampleShop.shop, purchase)).toMatchObject({
    outcome: 'price changed',
    price: { coupon: { code, totalMinor: 6_675 } },
  })

  expect(await countUses(code)).toBe(0)
  expect(await checkOut(await insertLearner(db), code)).toMatchObject({ outcome: 'pay' })
})

it('of 50 learners who use the last coupon at once, one gets the discount', async () => {
  const code = await createCoupon({ maxUses: 1 })
  const uids = await Promise.all(Array.from({ length: 50 }, () => insertLearner(db)))
  const outcomes = await Promise.all(uids.map((uid) => checkOut(uid, code)))

  expect(outcomes.filter(({ outcome }) => outcome === 'pay')).toHaveLength(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'coupon refused')).toHaveLength(49)
  expect(await countUses(code)).toBe(1)
})

it('of 50 learners who use the last free coupon at once, one gets the course', async () => {
  const code = await createCoupon({ percent: 100, maxUses: 1 })
  const uids = await Promise.all(Array.from({ length: 50 }, () => insertLearner(db)))
  const outcomes = await Promise.all(uids.map((uid) => checkOut(uid, code)))
  expect(outcomes.filter(({ outcome }) => outcome === 'enrolled')).toHaveLength(1)

  const { rows } = await db.execute(
    sql`select uid from enrollments where uid = any(${sql.param(uids)}::text[])`,
  )
  expect(rows).toHaveLength(1)
})

it('a coupon can be used again when the payment page expires, but not after a payment or its refund', async () => {
  const code = await createCoupon({ maxUses: 1 })
  const firstCheckout = await openCheckout(sampleShop.shop, await insertLearner(db), {
    couponCode: code,
  })
  const secondUid = await insertLearner(db)
  const thirdUid = await insertLearner(db)
  expect(await checkOut(secondUid, code)).toEqual({ outcome: 'coupon refused', problem: 'used-up' })

  await sampleShop.shop.provider.closePaymentPage(firstCheckout.sessionId)
  await syncOrderWithProvider(sampleShop.shop, firstCheckout.orderId)
  expect(await countUses(code)).toBe(0)

  const paidCheckout = await openCheckout(sampleShop.shop, secondUid, { couponCode: code })
  await payOrder(sampleShop, paidCheckout)
  await insertRefund(db, paidCheckout.orderId)
  expect(await syncOrderWithProvider(sampleShop.shop, paidCheckout.orderId)).toMatchObject({
    status: 'paid',
  })
  expect(await syncOrderWithProvider(sampleShop.shop, paidCheckout.orderId)).toMatchObject({
    status: 'refunded',
  })
  expect(await checkOut(thirdUid, code)).toEqual({ outcome: 'coupon refused', problem: 'used-up' })
})

it('a learner can use a coupon up to its limit, and an open order is not counted twice', async () => {
  const code = await createCoupon({ maxUsesPerLearner: 1 })
  const uid = await insertLearner(db)
  const checkout = await openCheckout(sampleShop.shop, uid, { couponCode: code })
  expect((await openCheckout(sampleShop.shop, uid, { couponCode: code })).sessionId).toBe(
    checkout.sessionId,
  )

  await payOrder(sampleShop, checkout)
  expect(
    await startCheckout(sampleShop.shop, {
      uid,
      courseId: 'typography-for-screens',
      buyer,
      couponCode: code,
    }),
  ).toEqual({
    outcome: 'coupon refused',
    problem: 'used-by-learner',
  })
})

it('a coupon that is added after going back closes the payment page with the previous price', async () => {
  const uid = await insertLearner(db)
  const firstCheckout = await openCheckout(sampleShop.shop, uid)
  const code = await createCoupon()
  const secondCheckout = await openCheckout(sampleShop.shop, uid, { couponCode: code })
  expect(secondCheckout).toMatchObject({ orderId: firstCheckout.orderId, amountMinor: 6_675 })
  expect(sampleShop.sample.findSession(firstCheckout.sessionId)).toMatchObject({ state: 'expired' })
  expect(await db.$count(orders, eq(orders.uid, uid))).toBe(1)

  const thirdCheckout = await openCheckout(sampleShop.shop, uid)
  expect(thirdCheckout.amountMinor).toBe(priceMinor)
  expect(await countUses(code)).toBe(0)
  expect(await payOrder(sampleShop, thirdCheckout)).toMatchObject({
    status: 'paid',
    couponCode: null,
    totalMinor: priceMinor,
  })
})

it('a coupon that is added after the payment does not change the paid order', async () => {
  const uid = await insertLearner(db)
  const firstCheckout = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(firstCheckout.sessionId, 'paid')
  expect(await checkOut(uid, await createCoupon())).toEqual({ outcome: 'owned' })

  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  expect(order).toMatchObject({ status: 'paid', couponCode: null, totalMinor: priceMinor })
})

it('an open payment page keeps its price after the coupon has ended', async () => {
  const uid = await insertLearner(db)
  const code = await createCoupon()
  const checkout = await openCheckout(sampleShop.shop, uid, { couponCode: code })
  await endCoupons(operatorContext(db), { code })

  expect((await openCheckout(sampleShop.shop, uid, { couponCode: code })).sessionId).toBe(
    checkout.sessionId,
  )
  expect(await checkOut(await insertLearner(db), code)).toEqual({
    outcome: 'coupon refused',
    problem: 'ended',
  })
  expect(await payOrder(sampleShop, checkout)).toMatchObject({ status: 'paid', totalMinor: 6_675 })
})

it('a coupon applies to a price that was lowered in the meantime', async () => {
  const uid = await insertLearner(db)
  const code = await createCoupon({ percent: 25 })
  const firstCheckout = await openCheckout(sampleShop.shop, uid, { couponCode: code })
  const isCourse = eq(courses.id, courseId)
  await db.update(courses).set({ priceMinor: 8_000 }).where(isCourse)
  try {
    expect(
      (await findOpenOrder(db, { uid, courseId, currency: 'USD', isGift: false }))?.boundPrice,
    ).toBeNull()
    expect(await openCheckout(sampleShop.shop, uid, { couponCode: code })).toMatchObject({
      orderId: firstCheckout.orderId,
      amountMinor: 6_000,
    })
  } finally {
    await db.update(courses).set({ priceMinor }).where(isCourse)
  }
})

it('two tabs with and without the coupon leave one payment page open', async () => {
  const uid = await insertLearner(db)
  const code = await createCoupon()
  await Promise.allSettled([
    checkOut(uid, code),
    checkOut(uid, null),
    checkOut(uid, code),
    checkOut(uid, null),
  ])
  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  if (!order) {
    throw new Error('No order was stored.')
  }

  await syncOrderWithProvider(sampleShop.shop, order.id)
  const orderPayments = await db.select().from(payments).where(eq(payments.orderId, order.id))
  const openPages = orderPayments.filter(
    ({ sessionId }) => sessionId && sampleShop.sample.findSession(sessionId)?.state === 'open',
  )

  expect(openPages.length).toBeLessThanOrEqual(1)
})
