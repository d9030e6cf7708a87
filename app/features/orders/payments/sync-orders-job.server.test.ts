import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import { courses, orders, paymentEvents, payments } from '~/server/database/schema'
import { log } from '~/server/operations/log.server'
import {
  courseId,
  insertLearner,
  openCheckout,
  payOrder,
  priceMinor,
} from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { findOrderForUnavailableCourse } from '../checkout/checkout-queries.server'
import type { Shop } from '../shop.server'
import { createMissedEventsJob } from './missed-events-job.server'
import { syncPendingOrders } from './sync-orders-job.server'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

const { db } = await createTestDatabase()
const open = await openSampleShop(db)
afterAll(() => open.close())

const always = () => true

async function begin() {
  const uid = await insertLearner(db)
  return { uid, ...(await openCheckout(open.shop, uid)) }
}

/** The provider gives the money back, and its event is lost. */
async function buyAndLoseRefund() {
  const order = await begin()
  await payOrder(open, order)
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, order.orderId))
  open.sample.refundAtProvider(payment?.intentId ?? '', priceMinor)

  return order
}

/** A shop that can't ask the provider about one session while `isBroken` says so. */
function breaking(sessionId: string, isBroken: () => boolean = () => true): Shop {
  const { provider } = open.shop
  const readPayment = (id: string) =>
    isBroken() && id === sessionId ? Promise.reject(new Error('broken')) : provider.readPayment(id)
  return { ...open.shop, provider: { ...provider, readPayment } }
}

async function stateOf(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return order?.state
}

it('a refund that started at the provider is found once, even if its event was lost', async () => {
  const { uid, orderId } = await buyAndLoseRefund()
  open.events.length = 0
  await syncPendingOrders(open.shop, always)
  expect(await stateOf(orderId)).toBe('paid')

  const readPayment = vi.spyOn(open.shop.provider, 'readPayment')
  const look = createMissedEventsJob(open.shop)
  await look(always)
  expect([await stateOf(orderId), await hasAccess(db, uid, courseId)]).toEqual(['refunded', false])
  expect(await db.$count(paymentEvents, eq(paymentEvents.orderId, orderId))).toBe(1)
  const reads = readPayment.mock.calls.length
  await look(always)
  await createMissedEventsJob(open.shop)(always)
  expect(readPayment).toHaveBeenCalledTimes(reads)
  readPayment.mockRestore()
})

it('an inquiry changes nothing, and a dispute ends the access until the school wins', async () => {
  const { uid, sessionId, orderId } = await begin()
  await payOrder(open, { orderId, sessionId })
  const [payment] = await db.select().from(payments).where(eq(payments.sessionId, sessionId))
  const look = createMissedEventsJob(open.shop)
  const after = async (status: Parameters<typeof open.sample.dispute>[2]) => {
    open.sample.dispute(payment?.intentId ?? '', 8_900, status)
    open.events.length = 0
    await look(always)
    expect(await checkOrders(db, open.shop)).toEqual([])

    return [await stateOf(orderId), await hasAccess(db, uid, courseId)]
  }

  expect(await after('warning_needs_response')).toEqual(['paid', true])
  expect(await after('needs_response')).toEqual(['refunded', false])
  expect(await after('won')).toEqual(['paid', true])
})

it('the payment page is closed once its course is free or withdrawn, but an earlier payment counts', async () => {
  const [free, paid, withdrawn] = [await begin(), await begin(), await begin()]
  await open.sample.pay(paid.sessionId, 'paid')
  await db.update(courses).set({ priceCents: 0 }).where(eq(courses.id, courseId))
  await syncPendingOrders(open.shop, always)
  expect(open.sample.find(free.sessionId)?.state).toBe('expired')
  expect(await stateOf(free.orderId)).toBe('canceled')
  expect([await stateOf(paid.orderId), await hasAccess(db, paid.uid, courseId)]).toEqual([
    'paid',
    true,
  ])
  expect(await stateOf(withdrawn.orderId)).toBe('canceled')

  await db.update(courses).set({ priceCents: 8_900 }).where(eq(courses.id, courseId))
  const again = await begin()
  expect(await findOrderForUnavailableCourse(db, again.uid, courseId)).toBe(null)
  await db.update(courses).set({ published: false }).where(eq(courses.id, courseId))
  expect(await findOrderForUnavailableCourse(db, again.uid, courseId)).toEqual({
    title: 'Python from Zero',
    orderId: again.orderId,
  })
  await syncPendingOrders(open.shop, always)
  expect(open.sample.find(again.sessionId)?.state).toBe('expired')
  expect(await findOrderForUnavailableCourse(db, again.uid, courseId)).toEqual({
    title: 'Python from Zero',
    orderId: again.orderId,
  })
  expect(await findOrderForUnavailableCourse(db, paid.uid, courseId)).toBe(null)
  // Who was given the course since, and whose money went back, aren't told that nothing was
  // charged.
  await db.update(courses).set({ published: true }).where(eq(courses.id, courseId))
  await enrollLearner(db, again.uid, courseId, { granted: true })
  await db.update(courses).set({ published: false }).where(eq(courses.id, courseId))
  expect(await findOrderForUnavailableCourse(db, again.uid, courseId)).toBe(null)
  await db.update(orders).set({ state: 'canceled' }).where(eq(orders.id, paid.orderId))
  await db.execute(sql`delete from enrollments where uid = ${paid.uid}`)
  expect(await findOrderForUnavailableCourse(db, paid.uid, courseId)).toBe(null)
  await db.update(courses).set({ published: true }).where(eq(courses.id, courseId))
})

it('the job handles all other events if one fails, and tries the failed one again', async () => {
  const [broken, other] = [await buyAndLoseRefund(), await buyAndLoseRefund()]
  let isBroken = true
  let time = Date.now()
  const look = createMissedEventsJob(
    breaking(broken.sessionId, () => isBroken),
    () => time,
  )
  await look(always)
  expect([await stateOf(broken.orderId), await stateOf(other.orderId)]).toEqual([
    'paid',
    'refunded',
  ])
  isBroken = false
  time += 2 * 60 * 60_000
  await look(always)
  await look(always)
  expect(await stateOf(broken.orderId)).toBe('refunded')
})

it('an event that fails is reported once, and listed by the check until it is handled', async () => {
  const { sessionId, orderId } = await buyAndLoseRefund()
  let isBroken = true
  const shop = breaking(sessionId, () => isBroken)
  const reported = vi.spyOn(log, 'error').mockImplementation(() => {})
  // The second watch is that of a process that takes the work over.
  for (const look of [createMissedEventsJob(shop), createMissedEventsJob(shop)]) {
    await look(always)
    await look(always)
  }

  expect(reported).toHaveBeenCalledOnce()
  const problems = async () =>
    (await checkOrders(db)).filter((problem) => problem.orderId === orderId)
  // The check leaves it ten minutes to be handled.
  expect(await problems()).toEqual([])
  await db
    .update(paymentEvents)
    .set({ failedAt: sql`now() - interval '11 minutes'` })
    .where(eq(paymentEvents.orderId, orderId))
  expect((await problems()).map(({ kind }) => kind)).toEqual([
    'an event of the provider that fails: refund.created',
  ])
  isBroken = false
  await createMissedEventsJob(shop)(always)
  expect([await stateOf(orderId), await problems()]).toEqual(['refunded', []])
  reported.mockRestore()
})

it('an order that the background job can’t settle is reported once', async () => {
  const { sessionId } = await begin()
  await db
    .update(payments)
    .set({ checkedAt: sql`now() - interval '1 minute'` })
    .where(eq(payments.sessionId, sessionId))
  const shop = breaking(sessionId)
  const reported = vi.spyOn(log, 'error').mockImplementation(() => {})
  const failing = new Set<string>()
  for (const _ of ['first', 'second']) {
    await syncPendingOrders(shop, always, failing)
    await db
      .update(payments)
      .set({ checkedAt: sql`now() - interval '1 minute'` })
      .where(eq(payments.sessionId, sessionId))
  }

  expect(reported).toHaveBeenCalledOnce()
  await syncPendingOrders(open.shop, always, failing)
  expect(failing.size).toBe(0)
  reported.mockRestore()
})
