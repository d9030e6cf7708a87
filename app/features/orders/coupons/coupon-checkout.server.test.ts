import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
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
import type { NewCoupon } from './coupon-terms.server'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

const { db } = await createTestDatabase()
const open = await openSampleShop(db)
afterAll(() => open.close())

const newCoupon = (terms: Partial<NewCoupon> = {}) => insertCoupon(db, { percent: 25, ...terms })

const start = (uid: string, couponCode: string | null) =>
  startCheckout(open.shop, { uid, courseId, buyer, couponCode })

const usesOf = async (code: string) => (await findCoupon(db, code))?.uses

it('a coupon lowers the payment, and the receipt names the coupon and the tax of the lower price', async () => {
  const code = await newCoupon({ percent: 25 })
  const started = await openCheckout(open.shop, await insertLearner(db), { couponCode: code })
  expect(open.sample.find(started.sessionId)).toMatchObject({ amount: 6_675 })
  expect(await payOrder(open, started)).toMatchObject({
    state: 'paid',
    listMinor: priceMinor,
    totalMinor: 6_675,
    couponCode: code,
  })
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, started.orderId))
  expect(receipt?.document).toMatchObject({
    totalMinor: 6_675,
    taxMinor: 1_066,
    discount: { code, amountMinor: 2_225 },
  })
})

it('a free order enrolls the learner without the provider and without a ledger entry', async () => {
  const uid = await insertLearner(db)
  const code = await newCoupon({ percent: 100 })
  const started = await start(uid, code)
  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  expect(started).toEqual({ outcome: 'enrolled', orderId: order?.id })
  expect(order).toMatchObject({ state: 'paid', totalMinor: 0 })
  const { rows } = await db.execute(sql`select by_order from enrollments where uid = ${uid}`)
  expect(rows).toEqual([{ by_order: true }])
  const of = order?.id ?? ''
  expect(await db.$count(payments, eq(payments.orderId, of))).toBe(0)
  expect(await db.$count(ledger, eq(ledger.orderId, of))).toBe(0)
  expect(await db.$count(outbox, eq(outbox.orderId, of))).toBe(1)
  expect(await start(uid, code)).toEqual({ outcome: 'owned' })
  expect(await checkOrders(db, open.shop)).toEqual([])
})

it('of 50 learners who use the last coupon at once, one gets the discount', async () => {
  const code = await newCoupon({ maxUses: 1 })
  const uids = await Promise.all(Array.from({ length: 50 }, () => insertLearner(db)))
  const outcomes = await Promise.all(uids.map((uid) => start(uid, code)))
  expect(outcomes.filter(({ outcome }) => outcome === 'pay')).toHaveLength(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'coupon refused')).toHaveLength(49)
  expect(await usesOf(code)).toBe(1)
})

it('of 50 learners who use the last free coupon at once, one gets the course', async () => {
  const code = await newCoupon({ percent: 100, maxUses: 1 })
  const uids = await Promise.all(Array.from({ length: 50 }, () => insertLearner(db)))
  const outcomes = await Promise.all(uids.map((uid) => start(uid, code)))
  expect(outcomes.filter(({ outcome }) => outcome === 'enrolled')).toHaveLength(1)
  const { rows } = await db.execute(
    sql`select uid from enrollments where uid = any(${sql.param(uids)}::text[])`,
  )
  expect(rows).toHaveLength(1)
})

it('a coupon can be used again when the payment page expires, but not after a payment or its refund', async () => {
  const code = await newCoupon({ maxUses: 1 })
  const first = await openCheckout(open.shop, await insertLearner(db), { couponCode: code })
  const [second, third] = [await insertLearner(db), await insertLearner(db)]
  expect(await start(second, code)).toEqual({ outcome: 'coupon refused', problem: 'used-up' })

  await open.shop.provider.closePaymentPage(first.sessionId)
  await syncOrderWithProvider(open.shop, first.orderId)
  expect(await usesOf(code)).toBe(0)
  const paid = await openCheckout(open.shop, second, { couponCode: code })
  await payOrder(open, paid)
  await insertRefund(db, paid.orderId)
  expect(await syncOrderWithProvider(open.shop, paid.orderId)).toMatchObject({ state: 'paid' })
  expect(await syncOrderWithProvider(open.shop, paid.orderId)).toMatchObject({ state: 'refunded' })
  expect(await start(third, code)).toEqual({ outcome: 'coupon refused', problem: 'used-up' })
})

it('a learner can use a coupon up to its limit, and an open order is not counted twice', async () => {
  const code = await newCoupon({ maxUsesPerLearner: 1 })
  const uid = await insertLearner(db)
  const started = await openCheckout(open.shop, uid, { couponCode: code })
  expect((await openCheckout(open.shop, uid, { couponCode: code })).sessionId).toBe(
    started.sessionId,
  )
  await payOrder(open, started)
  expect(
    await startCheckout(open.shop, {
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
  const before = await openCheckout(open.shop, uid)
  const code = await newCoupon()
  const after = await openCheckout(open.shop, uid, { couponCode: code })
  expect(after).toMatchObject({ orderId: before.orderId, amountMinor: 6_675 })
  expect(open.sample.find(before.sessionId)).toMatchObject({ state: 'expired' })
  expect(await db.$count(orders, eq(orders.uid, uid))).toBe(1)

  const without = await openCheckout(open.shop, uid)
  expect(without.amountMinor).toBe(priceMinor)
  expect(await usesOf(code)).toBe(0)
  expect(await payOrder(open, without)).toMatchObject({
    state: 'paid',
    couponCode: null,
    totalMinor: priceMinor,
  })
})

it('a coupon that is added after the payment does not change the paid order', async () => {
  const uid = await insertLearner(db)
  const before = await openCheckout(open.shop, uid)
  await open.sample.pay(before.sessionId, 'paid')
  expect(await start(uid, await newCoupon())).toEqual({ outcome: 'owned' })
  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  expect(order).toMatchObject({ state: 'paid', couponCode: null, totalMinor: priceMinor })
})

it('an open payment page keeps its price after the coupon has ended', async () => {
  const uid = await insertLearner(db)
  const code = await newCoupon()
  const started = await openCheckout(open.shop, uid, { couponCode: code })
  await endCoupons(operatorContext(db), { code })
  expect((await openCheckout(open.shop, uid, { couponCode: code })).sessionId).toBe(
    started.sessionId,
  )
  expect(await start(await insertLearner(db), code)).toEqual({
    outcome: 'coupon refused',
    problem: 'ended',
  })
  expect(await payOrder(open, started)).toMatchObject({ state: 'paid', totalMinor: 6_675 })
})

it('a coupon applies to a price that was lowered in the meantime', async () => {
  const uid = await insertLearner(db)
  const code = await newCoupon({ percent: 25 })
  const before = await openCheckout(open.shop, uid, { couponCode: code })
  const meant = eq(courses.id, courseId)
  await db.update(courses).set({ priceCents: 8_000 }).where(meant)
  try {
    expect(
      (await findOpenOrder(db, { uid, courseId, currency: 'USD', isGift: false }))?.boundPrice,
    ).toBeNull()
    expect(await openCheckout(open.shop, uid, { couponCode: code })).toMatchObject({
      orderId: before.orderId,
      amountMinor: 6_000,
    })
  } finally {
    await db.update(courses).set({ priceCents: priceMinor }).where(meant)
  }
})

it('two tabs with and without the coupon leave one payment page open', async () => {
  const uid = await insertLearner(db)
  const code = await newCoupon()
  await Promise.allSettled([start(uid, code), start(uid, null), start(uid, code), start(uid, null)])
  await syncOrderWithProvider(
    open.shop,
    (await db.select().from(orders).where(eq(orders.uid, uid)))[0]?.id ?? '',
  )
  const { rows } = await db.execute<{ sessionId: string }>(sql`
    select p.session_id as "sessionId" from payments p join orders o on o.id = p.order_id where o.uid = ${uid}`)
  const payable = rows.filter(
    ({ sessionId }) => sessionId && open.sample.find(sessionId)?.state === 'open',
  )
  expect(payable.length).toBeLessThanOrEqual(1)
})
