import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { enrollLearner, leaveCourse } from '~/features/enrollment/enrollment-queries.server'
import {
  courses,
  orders,
  outbox,
  payments,
  receipts,
  refunds,
  users,
} from '~/server/database/schema'
import { orderProblems } from '~/server/operations/metrics/counters.server'
import { failure } from '~/server/result'
import { refreshSite } from '~/server/site/site.server'
import { createAdminCommandRunner } from '../../../../tests/support/admin-commands'
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
import { checkOrders, createOrderCheck } from '../check-orders.server'
import { findOpenOrder, findPaidOrder } from '../checkout/checkout-queries.server'
import { startCheckout } from '../checkout/start-checkout.server'
import { endFreeOrder, markOrderPaid } from '../order-actions.server'
import { composeOrderEmail } from '../order-emails.server'
import { sendPendingRefunds } from '../refunds/refunds.server'
import { findRemainingToRefund } from '../refunds/remaining-amount.server'
import type { PaymentProvider } from './payment-provider.server'
import { syncOrderWithProvider } from './sync-order.server'
import { syncPendingOrders } from './sync-orders-job.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

async function buy(uid: string) {
  const order = await openCheckout(sampleShop.shop, uid)
  await payOrder(sampleShop, order)
  return order
}

it('a receipt keeps the time zone that the school had when it was issued', async () => {
  const setSite = (rows: object[]) => refreshSite({ execute: async () => ({ rows }) } as never)
  await setSite([{ part: 'timeZone', value: 'Asia/Tokyo' }])
  const { orderId } = await buy(await insertLearner(db))
  await setSite([])
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))

  expect(receipt?.document.timeZone).toBe('Asia/Tokyo')
})

async function findOrderStatus(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return order?.status
}

async function listEnrollments(uid: string) {
  const { rows } = await db.execute(
    sql`select course_id, by_order from enrollments where uid = ${uid}`,
  )
  return rows
}

it('a course with a price can’t be joined without paying', async () => {
  const uid = await insertLearner(db)

  expect(await enrollLearner(db, uid, courseId)).toEqual([])
  expect(await enrollLearner(db, uid, courseId, { isFreeOfCharge: true })).toEqual([courseId])
})

it('a paid order enrolls the learner with one receipt and one email, even if it is synced eight times at once', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await syncOrderWithProvider(sampleShop.shop, orderId)
  expect([await findOrderStatus(orderId), await listEnrollments(uid)]).toEqual(['open', []])

  await sampleShop.sample.pay(sessionId, 'paid')
  await Promise.all(
    Array.from({ length: 8 }, () => syncOrderWithProvider(sampleShop.shop, orderId)),
  )
  expect(await findOrderStatus(orderId)).toBe('paid')
  expect(await listEnrollments(uid)).toEqual([{ course_id: courseId, by_order: true }])
  expect(await db.$count(receipts, eq(receipts.orderId, orderId))).toBe(1)
  expect(await db.$count(outbox, eq(outbox.orderId, orderId))).toBe(1)
})

it('a receipt shows the payment, its tax and the seller', async () => {
  const uid = await insertLearner(db)
  const { orderId } = await buy(uid)
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))

  expect(receipt?.document).toMatchObject({
    kind: 'receipt',
    totalMinor: priceMinor,
    taxBasisPoints: 1900,
    taxMinor: 1421,
    seller: sampleShop.shop.seller,
    buyer,
  })
})

it('two tabs or a double click lead to the same payment page', async () => {
  const uid = await insertLearner(db)
  const starts = await Promise.all(
    [1, 2, 3].map(() => startCheckout(sampleShop.shop, { uid, courseId, buyer })),
  )
  const urls = new Set(starts.map((start) => start.outcome === 'pay' && start.url))

  expect(urls.size).toBe(1)
  expect(await db.$count(orders, eq(orders.uid, uid))).toBe(1)
})

it('a checkout that crashed before the session was stored opens no second payment page', async () => {
  const uid = await insertLearner(db)
  const { sessionId, url } = await openCheckout(sampleShop.shop, uid)
  await db
    .update(payments)
    .set({ sessionId: null, url: null })
    .where(eq(payments.sessionId, sessionId))

  expect((await openCheckout(sampleShop.shop, uid)).url).toBe(url)
})

it('a learner who has the course can’t pay again', async () => {
  const uid = await insertLearner(db)
  await buy(uid)
  expect(await startCheckout(sampleShop.shop, { uid, courseId, buyer })).toEqual({
    outcome: 'owned',
  })

  await leaveCourse(db, uid, courseId)
  expect(await startCheckout(sampleShop.shop, { uid, courseId, buyer })).toEqual({
    outcome: 'owned',
  })
  expect(await enrollLearner(db, uid, courseId)).toEqual([courseId])
})

it('a learner gets a course that was withdrawn while they paid', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'paid')
  await db.update(courses).set({ published: false }).where(eq(courses.id, courseId))
  try {
    await syncOrderWithProvider(sampleShop.shop, orderId)
    expect([await findOrderStatus(orderId), await listEnrollments(uid)]).toEqual([
      'paid',
      [{ course_id: courseId, by_order: true }],
    ])
  } finally {
    await db.update(courses).set({ published: true }).where(eq(courses.id, courseId))
  }
})

it('details that are changed after going back appear on the receipt, at the price of the payment page', async () => {
  const uid = await insertLearner(db)
  const { sessionId, orderId } = await openCheckout(sampleShop.shop, uid)
  await db
    .update(courses)
    .set({ priceMinor: priceMinor + 1_000 })
    .where(eq(courses.id, courseId))
  try {
    const secondCheckout = await startCheckout(sampleShop.shop, {
      uid,
      courseId,
      buyer: { ...buyer, company: 'Engines Ltd' },
    })
    expect(secondCheckout).toMatchObject({
      outcome: 'pay',
      url: expect.stringContaining(sessionId),
    })
    expect(
      await findOpenOrder(db, { uid, courseId, currency: 'USD', isGift: false }),
    ).toMatchObject({
      id: orderId,
      status: 'open',
      boundPrice: { totalMinor: priceMinor },
    })
  } finally {
    await db.update(courses).set({ priceMinor }).where(eq(courses.id, courseId))
  }

  await sampleShop.sample.pay(sessionId, 'paid')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))

  expect(receipt?.document).toMatchObject({
    buyer: { company: 'Engines Ltd' },
    totalMinor: priceMinor,
  })
})

it('a payment page in another currency, or above the current price, is replaced', async () => {
  const uid = await insertLearner(db)
  const first = await openCheckout(sampleShop.shop, uid)
  const euroShop = { ...sampleShop.shop, currency: 'EUR' }
  const getBoundPrice = async (currency: string) => {
    const order = await findOpenOrder(db, { uid, courseId, currency, isGift: false })
    return order?.boundPrice
  }
  expect((await getBoundPrice('USD'))?.totalMinor).toBe(priceMinor)
  expect(await getBoundPrice('EUR')).toBeNull()

  await startCheckout(euroShop, {
    uid,
    courseId,
    buyer,
    displayedPrice: { totalMinor: priceMinor, currency: 'EUR' },
  })
  expect((await getBoundPrice('EUR'))?.totalMinor).toBe(priceMinor)
  expect(sampleShop.sample.findSession(first.sessionId)).toMatchObject({ state: 'expired' })

  await db
    .update(courses)
    .set({ priceMinor: priceMinor - 1_000 })
    .where(eq(courses.id, courseId))
  try {
    expect(await getBoundPrice('EUR')).toBeNull()

    const start = await startCheckout(euroShop, {
      uid,
      courseId,
      buyer,
      displayedPrice: { totalMinor: priceMinor - 1_000, currency: 'EUR' },
    })
    expect(start.outcome).toBe('pay')

    const [order] = await db.select().from(orders).where(eq(orders.id, first.orderId))
    expect(order).toMatchObject({
      currency: 'EUR',
      listMinor: priceMinor - 1_000,
      totalMinor: priceMinor - 1_000,
    })
  } finally {
    await db.update(courses).set({ priceMinor }).where(eq(courses.id, courseId))
  }
})

it('a partial refund does not enroll a learner who has left the course', async () => {
  const uid = await insertLearner(db)
  const { orderId } = await buy(uid)
  await leaveCourse(db, uid, courseId)
  await refundPart(orderId, 1_000)

  expect([await findOrderStatus(orderId), await listEnrollments(uid)]).toEqual(['paid', []])
  expect(await hasAccess(db, uid, courseId)).toBe(true)
})

it('a bank debit opens the course once the money has arrived', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  expect([await findOrderStatus(orderId), await listEnrollments(uid)]).toEqual(['processing', []])
  expect(await startCheckout(sampleShop.shop, { uid, courseId, buyer })).toEqual({
    outcome: 'processing',
    orderId,
  })

  await sampleShop.sample.pay(sessionId, 'paid')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  expect([await findOrderStatus(orderId), (await listEnrollments(uid)).length]).toEqual(['paid', 1])
})

it('after a failed bank debit, the order can be paid in another way, and the learner gets an email', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await sampleShop.sample.pay(sessionId, 'failed')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  expect(await findOrderStatus(orderId)).toBe('open')
  expect(await findPaidOrder(db, uid, orderId)).toMatchObject({ hasFailed: true })

  const mails = await db.select().from(outbox).where(eq(outbox.uid, uid))
  expect(mails.map(({ kind }) => kind)).toEqual(['payment-failed'])

  const mail = await composeOrderEmail(db, 'payment-failed', orderId)
  expect(mail?.subject).toBe('Your payment for Python from Zero didn’t go through')
  expect(mail?.text).toContain(`/Checkout/${courseId}`)

  const secondPurchase = await buy(uid)
  expect(await composeOrderEmail(db, 'payment-failed', orderId)).toBeNull()
  expect([secondPurchase.orderId, await findOrderStatus(orderId)]).toEqual([orderId, 'paid'])
})

it('the background job finds a payment whose events were lost', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'paid')
  await db
    .update(payments)
    .set({ checkedAt: sql`now() - interval '1 minute'` })
    .where(eq(payments.sessionId, sessionId))
  await syncPendingOrders(sampleShop.shop, () => true)

  expect(await findOrderStatus(orderId)).toBe('paid')
})

it('an order that the provider does not know does not delay other orders', async () => {
  const unknownOrder = await openCheckout(sampleShop.shop, await insertLearner(db))
  const paidOrder = await openCheckout(sampleShop.shop, await insertLearner(db))
  await sampleShop.sample.pay(paidOrder.sessionId, 'paid')
  await db
    .update(payments)
    .set({ sessionId: 'cs_of_another_account', checkedAt: sql`now() - interval '2 minutes'` })
    .where(eq(payments.sessionId, unknownOrder.sessionId))
  await db
    .update(payments)
    .set({ checkedAt: sql`now() - interval '1 minute'` })
    .where(eq(payments.sessionId, paidOrder.sessionId))
  await syncPendingOrders(sampleShop.shop, () => true)

  expect(await findOrderStatus(paidOrder.orderId)).toBe('paid')
})

it('a refund at the provider ends the access, and issues a credit note with the same tax', async () => {
  const uid = await insertLearner(db)
  const { orderId } = await buy(uid)
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, orderId))
  sampleShop.sample.refundAtProvider(payment?.intentId ?? '', priceMinor)
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await syncOrderWithProvider(sampleShop.shop, orderId)
  expect([await findOrderStatus(orderId), await listEnrollments(uid)]).toEqual(['refunded', []])

  const documents = await db
    .select()
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
    .orderBy(receipts.number)

  expect(
    documents.map(({ document }) => [document.kind, document.totalMinor, document.taxMinor]),
  ).toEqual([
    ['receipt', priceMinor, 1421],
    ['credit note', -priceMinor, -1421],
  ])
})

it('a refund of an old order does not end the access of a newer one', async () => {
  const uid = await insertLearner(db)
  const first = await buy(uid)
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, first.orderId))
  sampleShop.sample.refundAtProvider(payment?.intentId ?? '', priceMinor)
  await syncOrderWithProvider(sampleShop.shop, first.orderId)
  const second = await buy(uid)
  await syncOrderWithProvider(sampleShop.shop, first.orderId)

  expect([await findOrderStatus(first.orderId), await findOrderStatus(second.orderId)]).toEqual([
    'refunded',
    'paid',
  ])
  expect(await hasAccess(db, uid, courseId)).toBe(true)
  expect(await listEnrollments(uid)).toHaveLength(1)
})

it.each([
  ['completely', 0],
  ['except for a refund that the provider has sent already', 1_000],
])('a second payment of an order is refunded automatically, %s', async (_, refundedMinor) => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  const [payment] = await db.select().from(payments).where(eq(payments.sessionId, sessionId))
  // The product considers this payment page expired, but the provider still accepts its payment.
  const expiredPage = await sampleShop.shop.provider.createPaymentPage({
    paymentId: randomUUID(),
    orderId,
    courseTitle: 'Python',
    amountMinor: priceMinor,
    currency: 'USD',
    buyerEmail: buyer.email,
    returnUrl: 'https://learn.example/',
    cancelUrl: 'https://learn.example/',
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  const secondPaymentId = randomUUID()
  await db.insert(payments).values({
    id: secondPaymentId,
    orderId,
    attempt: 2,
    provider: 'sample',
    status: 'failed',
    amountMinor: priceMinor,
    sessionId: expiredPage.sessionId,
    url: expiredPage.url,
    expiresAt: payment?.expiresAt ?? new Date(),
  })
  await sampleShop.sample.pay(sessionId, 'paid')
  await sampleShop.sample.pay(expiredPage.sessionId, 'paid')
  const { intentId } = await sampleShop.shop.provider.readPayment(expiredPage.sessionId)
  if (refundedMinor > 0) {
    sampleShop.sample.refundAtProvider(intentId ?? '', refundedMinor)
  }

  await syncOrderWithProvider(sampleShop.shop, orderId)

  const orderRefunds = await db.select().from(refunds).where(eq(refunds.orderId, orderId))
  expect(
    orderRefunds.every(
      ({ paymentId, status }) => paymentId === secondPaymentId && status === 'succeeded',
    ),
  ).toBe(true)
  expect(orderRefunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(priceMinor)
  expect([await findOrderStatus(orderId), (await listEnrollments(uid)).length]).toEqual(['paid', 1])
  expect(await db.$count(receipts, eq(receipts.orderId, orderId))).toBe(1)
})

it('the numbers of receipts have no gap', async () => {
  const { rows } = await db.execute<{ hasGap: boolean }>(
    sql`select max(number) <> count(*) as "hasGap" from receipts`,
  )
  expect(rows[0]?.hasGap).toBe(false)
})

/** The background job handles payments and refunds that it has not checked since then. */
const oneMinuteAgo = sql`now() - interval '1 minute'`

async function syncAllOrders() {
  await db.update(payments).set({ checkedAt: oneMinuteAgo })
  await db.update(refunds).set({ createdAt: oneMinuteAgo })
  await syncPendingOrders(sampleShop.shop, () => true)
}

it('a paid course is added even beyond the limit of courses', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await db.execute(sql`
    insert into courses select (jsonb_populate_record(c, jsonb_build_object('id', 'filler-' || n))).*
    from courses c, generate_series(1, 500) n where c.id = ${courseId}`)
  await db.execute(
    sql`insert into enrollments (uid, course_id) select ${uid}, 'filler-' || n from generate_series(1, 500) n`,
  )
  await sampleShop.sample.pay(sessionId, 'paid')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  expect(await listEnrollments(uid)).toContainEqual({ course_id: courseId, by_order: true })

  await db.execute(sql`delete from enrollments where course_id like 'filler-%'`)
  await db.execute(sql`delete from courses where id like 'filler-%'`)
})

it('a payment counts even if the course was withdrawn or became free in the meantime', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'paid')
  await db.execute(
    sql`update courses set published = false, price_cents = 0 where id = ${courseId}`,
  )
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await db.execute(
    sql`update courses set published = true, price_cents = ${priceMinor} where id = ${courseId}`,
  )

  expect(await listEnrollments(uid)).toEqual([{ course_id: courseId, by_order: true }])
})

it('a payment after the account was deleted is refunded', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await db.delete(users).where(eq(users.id, uid))
  await sampleShop.sample.pay(sessionId, 'paid')
  await syncAllOrders()

  const orderRefunds = await db.select().from(refunds).where(eq(refunds.orderId, orderId))
  expect(orderRefunds.map(({ status, amountMinor }) => [status, amountMinor])).toEqual([
    ['succeeded', priceMinor],
  ])
  expect(await findOrderStatus(orderId)).toBe('canceled')
  expect(await db.$count(receipts, eq(receipts.orderId, orderId))).toBe(0)
})

it('a bank debit that succeeds after the account was deleted is refunded and cancels the order', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await db.delete(users).where(eq(users.id, uid))
  await sampleShop.sample.pay(sessionId, 'paid')
  await syncOrderWithProvider(sampleShop.shop, orderId)

  expect(await findOrderStatus(orderId)).toBe('canceled')
})

it('a debit that fails after the account was deleted opens the order again and emails nobody', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await db.delete(users).where(eq(users.id, uid))

  await sampleShop.sample.pay(sessionId, 'failed')
  await syncOrderWithProvider(sampleShop.shop, orderId)

  expect(await findOrderStatus(orderId)).toBe('open')
  expect(await db.$count(outbox, eq(outbox.orderId, orderId))).toBe(0)
})

it('staff can’t mark an order as paid whose account was deleted', async () => {
  const uid = await insertLearner(db)
  const { orderId } = await openCheckout(sampleShop.shop, uid)
  await db.delete(users).where(eq(users.id, uid))

  expect(await markOrderPaid(operatorContext(db), sampleShop.shop, orderId)).toEqual(
    failure('The learner’s account is deleted. Send the money back.'),
  )
  expect(await findOrderStatus(orderId)).toBe('open')
  expect(await db.$count(payments, eq(payments.orderId, orderId))).toBe(1)
})

it('emails about a payment are sent although the provider can’t be reached for a refund', async () => {
  const uid = await insertLearner(db)
  const order = await buy(uid)
  await insertRefund(db, order.orderId)
  const wakeEmailSender = vi.fn()
  const provider: PaymentProvider = {
    ...sampleShop.shop.provider,
    sendRefund: () => Promise.reject(new Error('The provider can’t be reached.')),
  }

  const synced = syncOrderWithProvider(
    { ...sampleShop.shop, provider, wakeEmailSender },
    order.orderId,
  )

  await expect(synced).rejects.toThrow('The provider can’t be reached.')
  expect(wakeEmailSender).toHaveBeenCalled()

  // The other tests check all orders.
  await sendPendingRefunds(sampleShop.shop, order.orderId)
})

it('an order that does not exist is neither paid nor refunded', async () => {
  const orderId = 'NOSUCH2222'

  expect(await syncOrderWithProvider(sampleShop.shop, orderId)).toBeNull()
  expect(await markOrderPaid(operatorContext(db), sampleShop.shop, orderId)).toMatchObject({
    ok: false,
  })
  expect(await db.$count(refunds, eq(refunds.orderId, orderId))).toBe(0)
})

/** Returns a provider at which a debit succeeds after it has failed. */
function createProviderWithLatePayment(sessionId: string): PaymentProvider {
  return {
    ...sampleShop.shop.provider,
    readPayment: async (id) => ({
      ...(await sampleShop.shop.provider.readPayment(id)),
      ...(id === sessionId && { status: 'paid' as const }),
    }),
    sendRefund: async ({ refundId, amountMinor }) => ({
      providerRefundId: `re_${refundId}`,
      refundId,
      amountMinor,
      status: 'succeeded',
      reason: '',
    }),
  }
}

it('a debit that succeeds after staff have ended the order is refunded for that reason', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await sampleShop.sample.pay(sessionId, 'failed')
  const couponCode = await insertCoupon(db, { percent: 100 })
  await startCheckout(sampleShop.shop, { uid, courseId, buyer, couponCode })
  await endFreeOrder(operatorContext(db), { orderId, reason: 'A mistake.' })

  const provider = createProviderWithLatePayment(sessionId)
  await syncOrderWithProvider({ ...sampleShop.shop, provider }, orderId)

  expect(await db.select().from(refunds).where(eq(refunds.orderId, orderId))).toMatchObject([
    { status: 'succeeded', reason: 'The order was ended before the payment came.' },
  ])
  expect([await findOrderStatus(orderId), await hasAccess(db, uid, courseId)]).toEqual([
    'refunded',
    false,
  ])
  expect(await checkOrders(db)).toEqual([])
})

it('a late bank debit for an order that became free is refunded, and the course stays', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await sampleShop.sample.pay(sessionId, 'failed')
  const couponCode = await insertCoupon(db, { percent: 100 })
  expect(await startCheckout(sampleShop.shop, { uid, courseId, buyer, couponCode })).toEqual({
    outcome: 'enrolled',
    orderId,
  })

  const provider = createProviderWithLatePayment(sessionId)

  await syncOrderWithProvider({ ...sampleShop.shop, provider }, orderId)
  expect(await db.select().from(refunds).where(eq(refunds.orderId, orderId))).toMatchObject([
    { status: 'succeeded', reason: 'The course became free before the payment came.' },
  ])
  expect([await findOrderStatus(orderId), await hasAccess(db, uid, courseId)]).toEqual([
    'paid',
    true,
  ])
  expect(await checkOrders(db)).toEqual([])
  // The order stays ended by the operator, and can't be paid.
  expect(await endFreeOrder(operatorContext(db), { orderId, reason: 'A mistake.' })).toMatchObject({
    ok: true,
  })

  await syncOrderWithProvider({ ...sampleShop.shop, provider }, orderId)
  expect([await findOrderStatus(orderId), await hasAccess(db, uid, courseId)]).toEqual([
    'refunded',
    false,
  ])
  expect(await checkOrders(db)).toEqual([])

  await db.update(orders).set({ endedAt: null }).where(eq(orders.id, orderId))
  expect((await checkOrders(db)).map(({ kind }) => kind)).toContain(
    'paid, but the ledger says otherwise',
  )

  await db.update(orders).set({ endedAt: sql`now()` }).where(eq(orders.id, orderId))
})

it('the background job handles all other orders if one fails', async () => {
  const first = await openCheckout(sampleShop.shop, await insertLearner(db))
  const second = await openCheckout(sampleShop.shop, await insertLearner(db))
  await sampleShop.sample.pay(first.sessionId, 'paid')
  await sampleShop.sample.pay(second.sessionId, 'paid')
  const { readPayment } = sampleShop.shop.provider
  const provider = {
    ...sampleShop.shop.provider,
    readPayment: async (id: string) =>
      id === first.sessionId ? Promise.reject(new Error('late')) : readPayment(id),
  }

  await db.update(payments).set({ checkedAt: oneMinuteAgo })
  await syncPendingOrders({ ...sampleShop.shop, provider }, () => true)
  expect([await findOrderStatus(first.orderId), await findOrderStatus(second.orderId)]).toEqual([
    'open',
    'paid',
  ])

  await syncAllOrders()
  expect(await findOrderStatus(first.orderId)).toBe('paid')
})

it('one run of the background job handles all due orders', async () => {
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, await insertLearner(db))
  await sampleShop.sample.pay(sessionId, 'paid')
  await db.execute(sql`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', 'left open ' || n, 'uid', null))).*
    from orders o, generate_series(1, 250) n where o.id = ${orderId}`)
  await db.execute(sql`
    insert into payments (id, order_id, attempt, provider, state, amount_minor, session_id, expires_at, checked_at)
    select id, id, 1, 'sample', 'started', total_minor, 'left open', now() + interval '1 hour', now() - interval '1 hour'
    from orders where id like 'left open %'`)
  await db
    .update(payments)
    .set({ checkedAt: oneMinuteAgo })
    .where(eq(payments.sessionId, sessionId))
  await syncPendingOrders(sampleShop.shop, () => true)
  await db.execute(sql`delete from payments where order_id like 'left open %'`)
  await db.execute(sql`delete from orders where id like 'left open %'`)

  expect(await findOrderStatus(orderId)).toBe('paid')
})

it('a bank debit that another account of the provider does not know stays pending', async () => {
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, await insertLearner(db))
  await sampleShop.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(sampleShop.shop, orderId)
  await db
    .update(payments)
    .set({ sessionId: 'cs_of_a_previous_account' })
    .where(eq(payments.sessionId, sessionId))

  await syncOrderWithProvider(sampleShop.shop, orderId)

  expect(await findOrderStatus(orderId)).toBe('processing')
})

it('a payment page that the provider no longer knows is replaced', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await db
    .update(payments)
    .set({ sessionId: 'cs_of_a_previous_account' })
    .where(eq(payments.sessionId, sessionId))

  const secondCheckout = await openCheckout(sampleShop.shop, uid)

  expect(secondCheckout.orderId).toBe(orderId)
  expect(secondCheckout.sessionId).not.toBe(sessionId)
})

it('a checkout that the provider refuses to repeat starts again', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await openCheckout(sampleShop.shop, uid)
  await db
    .update(payments)
    .set({ sessionId: null, url: null })
    .where(eq(payments.sessionId, sessionId))
  const { createPaymentPage } = sampleShop.shop.provider
  const provider = {
    ...sampleShop.shop.provider,
    createPaymentPage: vi
      .fn(createPaymentPage)
      .mockRejectedValueOnce(new Error('expires_at must be at least 30 minutes from now')),
  }
  const checkout = await startCheckout({ ...sampleShop.shop, provider }, { uid, courseId, buyer })
  expect(checkout.outcome).toBe('pay')

  const attempts = await db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(payments.attempt)

  expect(attempts.map(({ status }) => status)).toEqual(['expired', 'started'])
})

it('after an error of the provider, the next try has another idempotency key', async () => {
  const uid = await insertLearner(db)
  const provider = {
    ...sampleShop.shop.provider,
    createPaymentPage: () => Promise.reject(new Error('500')),
  }

  await expect(
    startCheckout({ ...sampleShop.shop, provider }, { uid, courseId, buyer }),
  ).rejects.toThrow('500')
  expect((await buy(uid)).orderId).toHaveLength(10)
})

it('a double click ends at one payment page, even if the provider refuses the second request', async () => {
  const uid = await insertLearner(db)
  const { provider } = sampleShop.shop
  let finishFirstRequest = () => {}
  const firstRequestFinished = new Promise<void>((resolve) => {
    finishFirstRequest = resolve
  })
  const createPaymentPage = vi
    .fn(provider.createPaymentPage)
    .mockImplementationOnce(async (page) => {
      await firstRequestFinished
      return provider.createPaymentPage(page)
    })
    .mockImplementationOnce(() => Promise.reject(new Error('idempotency_key_in_use')))
  const shop = { ...sampleShop.shop, provider: { ...provider, createPaymentPage } }

  const firstClick = startCheckout(shop, { uid, courseId, buyer })
  await vi.waitFor(() => expect(createPaymentPage).toHaveBeenCalledOnce())
  const secondResult = await startCheckout(shop, { uid, courseId, buyer })
  finishFirstRequest()

  expect(secondResult.outcome).toBe('pay')
  expect(await firstClick).toEqual(secondResult)
})

it('a refund that the provider refuses fails, and the order stays paid', async () => {
  const uid = await insertLearner(db)
  const { orderId } = await buy(uid)
  await insertRefund(db, orderId)
  await db
    .update(payments)
    .set({ intentId: `pi_${orderId}` })
    .where(eq(payments.orderId, orderId))
  await syncOrderWithProvider(sampleShop.shop, orderId)

  const orderRefunds = await db.select().from(refunds).where(eq(refunds.orderId, orderId))
  expect(orderRefunds.map(({ status }) => status)).toEqual(['failed'])
  expect(await findOrderStatus(orderId)).toBe('paid')
})

async function refundPart(orderId: string, amountMinor: number | null) {
  await insertRefund(db, orderId, { amountMinor, reason: 'test' })
  await sendPendingRefunds(sampleShop.shop, orderId)
}

it('several credit notes take back exactly the tax of the receipt', async () => {
  const { orderId } = await buy(await insertLearner(db))
  await refundPart(orderId, priceMinor / 2)
  expect(await findOrderStatus(orderId)).toBe('paid')

  await refundPart(orderId, priceMinor / 2)
  expect(await findOrderStatus(orderId)).toBe('refunded')

  const documents = await db
    .select()
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
    .orderBy(receipts.number)

  expect(documents.map(({ document }) => document.taxMinor)).toEqual([1421, -710, -711])
  await expect(refundPart(orderId, 1)).rejects.toThrow('refunded already')
})

// Refunds in fractions of a forint are rounded up, so together they may exceed the payment.
it('an order is refunded, and nothing remains, if its refunds exceed the payment by their rounding', async () => {
  const { orderId, sessionId } = await buy(await insertLearner(db))
  const { intentId } = await sampleShop.shop.provider.readPayment(sessionId)
  sampleShop.sample.refundAtProvider(intentId ?? '', 5_000)
  sampleShop.sample.refundAtProvider(intentId ?? '', priceMinor - 5_000 + 1)
  await syncOrderWithProvider(sampleShop.shop, orderId)

  expect(await findOrderStatus(orderId)).toBe('refunded')
  expect(await findRemainingToRefund(db, orderId)).toBe(0)
  expect(await checkOrders(db)).toEqual([])
})

it('a refund that the bank sends back restores the access', async () => {
  const uid = await insertLearner(db)
  const { orderId, sessionId } = await buy(uid)
  await refundPart(orderId, 3_000)
  await refundPart(orderId, null)
  expect(await listEnrollments(uid)).toEqual([])

  const { readPayment } = sampleShop.shop.provider
  const provider = {
    ...sampleShop.shop.provider,
    readPayment: async (id: string) => {
      const payment = await readPayment(id)
      if (id !== sessionId) {
        return payment
      }

      const refundsWithFailure = payment.refunds.map((refund) => ({
        ...refund,
        status: refund.amountMinor === 3_000 ? ('failed' as const) : ('succeeded' as const),
      }))
      return { ...payment, refunds: refundsWithFailure }
    },
  }

  await syncOrderWithProvider({ ...sampleShop.shop, provider }, orderId)
  expect([await findOrderStatus(orderId), (await listEnrollments(uid)).length]).toEqual(['paid', 1])
  expect(await checkOrders(db)).toEqual([])
})

const otherId = sql`id || 'again'`
const newestOrderId = sql`(select id from orders order by created_at desc limit 1)`

it.each([
  ['paid, but not enrolled', sql`delete from activities where id = 'enrollment:' || ${courseId}`],
  [
    'paid, but the ledger says otherwise',
    sql`delete from refunds`,
    sql`update orders set state = 'refunded'`,
  ],
  ['paid without a receipt', sql`delete from receipts`],
  [
    'a payment without its line in the ledger',
    sql`update ledger set amount_minor = amount_minor - 1`,
  ],
  ['receipts are missing at the end', sql`update receipt_counter set last = last + 1`],
  ['a refund without its line in the ledger', sql`update refunds set state = 'succeeded'`],
  ['a refund without a credit note', sql`update refunds set state = 'succeeded'`],
  [
    'a refund waits for more than an hour',
    sql`update refunds set created_at = now() - interval '2 hours'`,
  ],
  ['enrolled without an order that grants it', sql`update orders set uid = null`],
  [
    'open long after its page to pay on has expired',
    sql`update payments set state = 'started', expires_at = now() - interval '2 hours' where order_id = ${newestOrderId}`,
  ],
  [
    'a line of the ledger that no payment or refund explains',
    sql`insert into ledger (id, order_id, kind, amount_minor, currency)
      select ${otherId}, order_id, kind, amount_minor, currency from ledger order by at desc limit 1`,
  ],
  [
    'a receipt that differs from the ledger',
    sql`update receipts set document = jsonb_set(document, '{totalMinor}', '1')`,
  ],
  [
    'paid twice',
    sql`insert into payments (id, order_id, attempt, provider, state, amount_minor, expires_at)
      select ${otherId}, order_id, 9, provider, state, amount_minor, expires_at from payments
      where order_id = ${newestOrderId}`,
  ],
  [
    'bought twice',
    sql`insert into orders (id, uid, course_id, course_title, state, currency, list_minor, total_minor, buyer)
      select ${otherId}, uid, course_id, course_title, state, currency, list_minor, total_minor, buyer from orders
      where id = ${newestOrderId}`,
  ],
])('the check of all orders reports: %s', async (kind, ...damagingStatements) => {
  const uid = await insertLearner(db)
  const { orderId } = await buy(uid)
  await insertRefund(db, orderId, { amountMinor: 1, reason: 'test' })
  expect(await checkOrders(db)).toEqual([])

  // The error undoes the damage, because the other tests use the same database.
  const rollback = new Error('Roll back the transaction.')
  const checkOfDamage = db.transaction(async (transaction) => {
    // The triggers of ledger and receipts refuse changes, as the next test shows.
    await transaction.execute(sql`alter table ledger disable trigger user`)
    await transaction.execute(sql`alter table receipts disable trigger user`)
    if (kind === 'paid, but not enrolled') {
      await transaction.execute(sql`delete from enrollments where uid = ${uid}`)
    }

    for (const statement of damagingStatements) {
      await transaction.execute(statement)
    }

    const problems = await checkOrders(transaction)
    expect(problems.map((problem) => problem.kind)).toContain(kind)
    throw rollback
  })

  await expect(checkOfDamage).rejects.toBe(rollback)

  await sendPendingRefunds(sampleShop.shop, orderId)
})

it.each([
  sql`update ledger set amount_minor = 1`,
  sql`delete from ledger`,
  sql`update receipts set document = jsonb_set(document, '{totalMinor}', '1')`,
  sql`update receipts set number = number + 1000`,
  sql`delete from receipts`,
])('the database itself refuses to change ledger and receipts (%#)', async (statement) => {
  await buy(await insertLearner(db))
  await expect(db.execute(statement)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^The table (ledger|receipts) is append-only\.$/) },
  })
})

it('a contradiction appears in /readyz and /metrics until it is repaired', async () => {
  const setWarning = vi.fn()
  const checkAndReport = createOrderCheck({ setWarning })
  const readProblemMetric = async () => (await orderProblems.get()).values[0]?.value
  const { orderId } = await buy(await insertLearner(db))
  await checkAndReport(db)
  expect(setWarning.mock.lastCall).toEqual(['orders', null])
  expect(await readProblemMetric()).toBe(0)

  await db.execute(sql`update orders set state = 'refunded' where id = ${orderId}`)
  await checkAndReport(db)
  expect(setWarning.mock.lastCall).toEqual(['orders', expect.stringContaining('orders check')])
  expect(await readProblemMetric()).toBeGreaterThan(0)

  await db.execute(sql`update orders set state = 'paid' where id = ${orderId}`)
  await checkAndReport(db)
  expect(setWarning.mock.lastCall).toEqual(['orders', null])
  expect(await readProblemMetric()).toBe(0)
})

it('the export for the bookkeeper has ISO 8601 times and amounts with all decimals', async () => {
  const { orderId } = await buy(await insertLearner(db))
  await refundPart(orderId, 1_050)
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-orders-'))
  const file = path.join(folder, 'receipts.csv')
  await createAdminCommandRunner(db)('orders', 'export', file)
  const csv = await readFile(file, 'utf8')
  await rm(folder, { recursive: true })

  const lines = csv.split('\r\n').filter((line) => line.includes(orderId))
  const rows = lines.map((line) => line.split(','))
  expect(rows.map(([, , , amount]) => amount)).toEqual(['89.00', '-10.50'])

  const [, , time = ''] = rows[0] ?? []
  expect(time).toBe(new Date(time).toISOString())
})
