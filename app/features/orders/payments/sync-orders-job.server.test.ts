import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
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
import {
  createTestDatabase,
  waitUntilQueryIsBlocked,
} from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { findOrderForUnavailableCourse } from '../checkout/checkout-queries.server'
import { lockOrder } from '../order-record.server'
import type { Shop } from '../shop.server'
import { createMissedEventsJob } from './missed-events-job.server'
import { syncPendingOrders } from './sync-orders-job.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

const mayAlwaysContinue = () => true

async function startPurchase() {
  const uid = await insertLearner(db)
  return { uid, ...(await openCheckout(sampleShop.shop, uid)) }
}

/** Buys a course that is then refunded at the provider. The event of the refund does not arrive. */
async function buyWithMissedRefund() {
  const order = await startPurchase()
  await payOrder(sampleShop, order)
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, order.orderId))
  sampleShop.sample.refundAtProvider(payment?.intentId ?? '', priceMinor)

  return order
}

/** Returns a shop that can't read one payment from the provider while `isBroken` returns true. */
function createBrokenShop(sessionId: string, isBroken: () => boolean = () => true): Shop {
  const { provider } = sampleShop.shop
  const readPayment = (id: string) =>
    isBroken() && id === sessionId ? Promise.reject(new Error('broken')) : provider.readPayment(id)
  return { ...sampleShop.shop, provider: { ...provider, readPayment } }
}

async function findOrderStatus(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return order?.status
}

it('a refund that started at the provider is found once, even if its event was lost', async () => {
  const { uid, orderId } = await buyWithMissedRefund()
  sampleShop.events.length = 0
  await syncPendingOrders(sampleShop.shop, mayAlwaysContinue)
  expect(await findOrderStatus(orderId)).toBe('paid')

  const readPayment = vi.spyOn(sampleShop.shop.provider, 'readPayment')
  const handleMissedEvents = createMissedEventsJob(sampleShop.shop)
  await handleMissedEvents(mayAlwaysContinue)
  expect([await findOrderStatus(orderId), await hasAccess(db, uid, courseId)]).toEqual([
    'refunded',
    false,
  ])
  expect(await db.$count(paymentEvents, eq(paymentEvents.orderId, orderId))).toBe(1)

  const readCount = readPayment.mock.calls.length
  await handleMissedEvents(mayAlwaysContinue)
  await createMissedEventsJob(sampleShop.shop)(mayAlwaysContinue)
  expect(readPayment).toHaveBeenCalledTimes(readCount)

  readPayment.mockRestore()
})

it('an inquiry changes nothing, and a dispute ends the access until the school wins', async () => {
  const { uid, sessionId, orderId } = await startPurchase()
  await payOrder(sampleShop, { orderId, sessionId })
  const [payment] = await db.select().from(payments).where(eq(payments.sessionId, sessionId))
  const handleMissedEvents = createMissedEventsJob(sampleShop.shop)
  const after = async (status: Parameters<typeof sampleShop.sample.disputePayment>[2]) => {
    sampleShop.sample.disputePayment(payment?.intentId ?? '', 8_900, status)
    sampleShop.events.length = 0
    await handleMissedEvents(mayAlwaysContinue)
    expect(await checkOrders(db, sampleShop.shop)).toEqual([])

    return [await findOrderStatus(orderId), await hasAccess(db, uid, courseId)]
  }

  expect(await after('warning_needs_response')).toEqual(['paid', true])
  expect(await after('needs_response')).toEqual(['refunded', false])
  expect(await after('won')).toEqual(['paid', true])
})

it('an order whose payment page is left open is synced once in each run, however long the run takes', async () => {
  const { sessionId, orderId } = await startPurchase()
  const makeDue = () =>
    db
      .update(payments)
      .set({ checkedAt: sql`now() - interval '1 minute'` })
      .where(eq(payments.orderId, orderId))
  const { provider } = sampleShop.shop
  let readCount = 0
  const readPayment: typeof provider.readPayment = async (id) => {
    if (id === sessionId) {
      readCount++
      // The order is due again, because a check can take longer than the pause between two of them.
      await makeDue()
    }

    return provider.readPayment(id)
  }

  await makeDue()
  const mayContinue = () => readCount < 3
  await syncPendingOrders(
    { ...sampleShop.shop, provider: { ...provider, readPayment } },
    mayContinue,
  )

  expect(readCount).toBe(1)
})

it('the payment page is closed once its course is free or withdrawn, but an earlier payment counts', async () => {
  const [free, paid, withdrawn] = [
    await startPurchase(),
    await startPurchase(),
    await startPurchase(),
  ]
  await sampleShop.sample.pay(paid.sessionId, 'paid')
  await db.update(courses).set({ priceMinor: 0 }).where(eq(courses.id, courseId))
  await syncPendingOrders(sampleShop.shop, mayAlwaysContinue)
  expect(sampleShop.sample.findSession(free.sessionId)?.state).toBe('expired')
  expect(await findOrderStatus(free.orderId)).toBe('canceled')
  expect([await findOrderStatus(paid.orderId), await hasAccess(db, paid.uid, courseId)]).toEqual([
    'paid',
    true,
  ])
  expect(await findOrderStatus(withdrawn.orderId)).toBe('canceled')

  await db.update(courses).set({ priceMinor: 8_900 }).where(eq(courses.id, courseId))
  const laterPurchase = await startPurchase()
  expect(await findOrderForUnavailableCourse(db, laterPurchase.uid, courseId)).toBe(null)

  await db.update(courses).set({ published: false }).where(eq(courses.id, courseId))
  expect(await findOrderForUnavailableCourse(db, laterPurchase.uid, courseId)).toEqual({
    title: 'Python from Zero',
    orderId: laterPurchase.orderId,
  })

  await syncPendingOrders(sampleShop.shop, mayAlwaysContinue)
  expect(sampleShop.sample.findSession(laterPurchase.sessionId)?.state).toBe('expired')
  expect(await findOrderForUnavailableCourse(db, laterPurchase.uid, courseId)).toEqual({
    title: 'Python from Zero',
    orderId: laterPurchase.orderId,
  })
  expect(await findOrderForUnavailableCourse(db, paid.uid, courseId)).toBe(null)

  // The learner is not told that nothing was charged if they got the course as a gift of the
  // school, or if they had paid and got a refund.
  await db.update(courses).set({ published: true }).where(eq(courses.id, courseId))
  await enrollLearner(db, laterPurchase.uid, courseId, { isFreeOfCharge: true })
  await db.update(courses).set({ published: false }).where(eq(courses.id, courseId))
  expect(await findOrderForUnavailableCourse(db, laterPurchase.uid, courseId)).toBe(null)

  await db.update(orders).set({ status: 'canceled' }).where(eq(orders.id, paid.orderId))
  await db.execute(sql`delete from enrollments where uid = ${paid.uid}`)
  expect(await findOrderForUnavailableCourse(db, paid.uid, courseId)).toBe(null)

  await db.update(courses).set({ published: true }).where(eq(courses.id, courseId))
})

it('the job handles all other events if one fails, and tries the failed one again', async () => {
  const [broken, other] = [await buyWithMissedRefund(), await buyWithMissedRefund()]
  let isBroken = true
  let time = Date.now()
  const handleMissedEvents = createMissedEventsJob(
    createBrokenShop(broken.sessionId, () => isBroken),
    () => time,
  )
  await handleMissedEvents(mayAlwaysContinue)
  expect([await findOrderStatus(broken.orderId), await findOrderStatus(other.orderId)]).toEqual([
    'paid',
    'refunded',
  ])

  isBroken = false
  time += 2 * 60 * 60_000
  await handleMissedEvents(mayAlwaysContinue)
  await handleMissedEvents(mayAlwaysContinue)
  expect(await findOrderStatus(broken.orderId)).toBe('refunded')
})

it('an event that fails is logged once, and listed by the check until it is handled', async () => {
  const { sessionId, orderId } = await buyWithMissedRefund()
  let isBroken = true
  const shop = createBrokenShop(sessionId, () => isBroken)
  const logError = vi.spyOn(log, 'error').mockImplementation(() => {})
  // The second job is that of a process that takes over the background work.
  for (const handleMissedEvents of [createMissedEventsJob(shop), createMissedEventsJob(shop)]) {
    await handleMissedEvents(mayAlwaysContinue)
    await handleMissedEvents(mayAlwaysContinue)
  }

  expect(logError).toHaveBeenCalledOnce()

  const listProblems = async () =>
    (await checkOrders(db)).filter((problem) => problem.orderId === orderId)
  // The check lists an event only if it has failed for ten minutes.
  expect(await listProblems()).toEqual([])

  await db
    .update(paymentEvents)
    .set({ failedAt: sql`now() - interval '11 minutes'` })
    .where(eq(paymentEvents.orderId, orderId))
  expect((await listProblems()).map(({ kind }) => kind)).toEqual([
    'an event of the provider that fails: refund.created',
  ])

  isBroken = false
  await createMissedEventsJob(shop)(mayAlwaysContinue)
  expect([await findOrderStatus(orderId), await listProblems()]).toEqual(['refunded', []])

  logError.mockRestore()
})

it('a failed event of an order that does not exist is removed by the next run', async () => {
  await db.insert(paymentEvents).values({
    id: 'of-another-product',
    type: 'refund.created',
    orderId: 'of-another-product',
    failedAt: sql`now() - interval '1 hour'`,
  })

  await createMissedEventsJob(sampleShop.shop)(mayAlwaysContinue)

  expect(await db.$count(paymentEvents, eq(paymentEvents.id, 'of-another-product'))).toBe(0)
})

it('an abandoned order stays open if its learner starts another payment at the same time', async () => {
  const { orderId, sessionId } = await startPurchase()
  const { orderId: abandonedId } = await startPurchase()
  await expireOpenPayments()
  await db.update(orders).set({ createdAt: sql`now() - interval '2 days'` })
  const [payment] = await db.select().from(payments).where(eq(payments.sessionId, sessionId))
  if (!payment) {
    throw new Error('The payment is missing.')
  }

  const job = await db.transaction(async (tx) => {
    await lockOrder(tx, orderId)
    const running = syncPendingOrders(sampleShop.shop, mayAlwaysContinue)
    await waitUntilQueryIsBlocked(db)
    const { id, attempt, ...columns } = payment
    const next = { id: `next-${id}`, attempt: attempt + 1, sessionId: null, settledAt: null }
    await tx.insert(payments).values({ ...columns, ...next, status: 'started' })

    return { running }
  })
  await job.running

  expect(await findOrderStatus(orderId)).toBe('open')
  expect(await findOrderStatus(abandonedId)).toBe('canceled')

  await expireOpenPayments()
})

async function expireOpenPayments() {
  await db
    .update(payments)
    .set({ status: 'expired', settledAt: sql`now()` })
    .where(eq(payments.status, 'started'))
}

it('an order that the background job can’t settle is logged once', async () => {
  const { sessionId } = await startPurchase()
  await db
    .update(payments)
    .set({ checkedAt: sql`now() - interval '1 minute'` })
    .where(eq(payments.sessionId, sessionId))
  const shop = createBrokenShop(sessionId)
  const logError = vi.spyOn(log, 'error').mockImplementation(() => {})
  const failingOrderIds = new Set<string>()
  for (const _ of ['first', 'second']) {
    await syncPendingOrders(shop, mayAlwaysContinue, failingOrderIds)
    await db
      .update(payments)
      .set({ checkedAt: sql`now() - interval '1 minute'` })
      .where(eq(payments.sessionId, sessionId))
  }

  expect(logError).toHaveBeenCalledOnce()

  await syncPendingOrders(sampleShop.shop, mayAlwaysContinue, failingOrderIds)
  expect(failingOrderIds.size).toBe(0)

  logError.mockRestore()
})

describe('a hundred failing ones', () => {
  /** Runs the job until `isDone`, or 20 times. */
  async function runUntil(isDone: () => Promise<boolean>, runJob: () => Promise<void>) {
    for (let run = 0; run < 20 && !(await isDone()); run++) {
      await runJob().catch(() => {})
    }
  }

  it('don’t hold up another event of the provider', async () => {
    const failing = await startPurchase()
    const good = await startPurchase()
    const failedEvent = { type: 'refund.updated', orderId: failing.orderId }
    await db.insert(paymentEvents).values([
      ...Array.from({ length: 100 }, (_, index) => ({
        ...failedEvent,
        id: `failing-${index}`,
        failedAt: sql`now() - interval '1 hour'`,
      })),
      { ...failedEvent, id: 'good', orderId: good.orderId, failedAt: sql`now()` },
    ])
    const handleMissedEvents = createMissedEventsJob(createBrokenShop(failing.sessionId))
    const isGoodEventHandled = async () =>
      (await db.$count(
        paymentEvents,
        and(eq(paymentEvents.id, 'good'), isNull(paymentEvents.failedAt)),
      )) === 1

    await runUntil(isGoodEventHandled, () => handleMissedEvents(mayAlwaysContinue))

    expect(await isGoodEventHandled()).toBe(true)
  })

  it('don’t hold up the end of another order that nobody paid', async () => {
    const schoolOfTest = await createTestDatabase()
    const shopOfTest = await openSampleShop(schoolOfTest.db)
    const { orderId } = await openCheckout(shopOfTest.shop, await insertLearner(schoolOfTest.db))
    await schoolOfTest.db.update(payments).set({ status: 'expired' })
    const [order] = await schoolOfTest.db.select().from(orders)
    await schoolOfTest.db.insert(orders).values(
      Array.from({ length: 100 }, (_, index) => ({
        ...(order as typeof orders.$inferSelect),
        id: `failing-${index}`,
        uid: null,
      })),
    )
    await schoolOfTest.db.update(orders).set({ createdAt: sql`now() - interval '3 days'` })
    // A query without ORDER BY returns rows in the order in which PostgreSQL wrote them, so this
    // order is last.
    await schoolOfTest.db
      .update(orders)
      .set({ createdAt: sql`now() - interval '2 days'` })
      .where(eq(orders.id, orderId))
    await schoolOfTest.db.execute(
      sql`alter table orders add constraint only_one check (state = 'open' or uid is not null)`,
    )
    const isCanceled = async () =>
      (await schoolOfTest.db.$count(
        orders,
        and(eq(orders.id, orderId), eq(orders.status, 'canceled')),
      )) === 1

    await runUntil(isCanceled, () => syncPendingOrders(shopOfTest.shop, mayAlwaysContinue))
    expect(await isCanceled()).toBe(true)

    shopOfTest.close()
  })
})
