import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { enrollLearner, leaveCourse } from '~/features/enrollment/enrollment-queries.server'
import type { Database } from '~/server/database/client.server'
import { courses, orders, outbox, payments, receipts, refunds, users } from '~/server/database/schema'
import { openSampleShop, type SampleShop } from '../../../tests/support/sample-shop'
import { testDatabase } from '../../../tests/support/test-database'
import { startCheckout } from './checkout.server'
import { fulfillOrder, sweepOrders } from './fulfill-order.server'
import { findBegunOrder } from './purchase-queries.server'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

const course = 'python-from-zero'
const price = 8_900
let db: Database
let open: SampleShop

beforeAll(async () => {
  db = (await testDatabase()).db
  open = await openSampleShop(db)
})
afterAll(() => open.close())

async function newLearner(): Promise<string> {
  const id = randomUUID()
  await db
    .insert(users)
    .values({ id, email: `${id}@example.com`, name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' })
  return id
}

const buyer = { name: 'Ada Byron', email: 'ada@example.com' }

/** Goes to the provider's page. @returns the order and the session to pay. */
async function checkOut(uid: string) {
  const start = await startCheckout(open.shop, uid, course, buyer)
  if (start.outcome !== 'pay') throw new Error(start.outcome)
  const sessionId = start.url.split('/').at(-1) ?? ''
  const [payment] = await db.select().from(payments).where(eq(payments.sessionId, sessionId))
  return { orderId: payment?.orderId ?? '', sessionId, url: start.url }
}

async function buy(uid: string) {
  const checkout = await checkOut(uid)
  await open.sample.pay(checkout.sessionId, 'paid')
  await fulfillOrder(open.shop, checkout.orderId)
  return checkout
}

async function stateOf(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return order?.state
}

async function enrollmentsOf(uid: string) {
  const { rows } = await db.execute(sql`select course_id, by_order from enrollments where uid = ${uid}`)
  return rows
}

it('a course with a price is not given away', async () => {
  const uid = await newLearner()
  expect(await enrollLearner(db, uid, course)).toEqual([])
  expect(await enrollLearner(db, uid, course, { granted: true })).toEqual([course])
})

it('a paid order enrolls, with one receipt and one mail, however often it is looked at and by how many', async () => {
  const uid = await newLearner()
  const { orderId, sessionId } = await checkOut(uid)
  await fulfillOrder(open.shop, orderId)
  expect([await stateOf(orderId), await enrollmentsOf(uid)]).toEqual(['open', []])

  await open.sample.pay(sessionId, 'paid')
  await Promise.all(Array.from({ length: 8 }, () => fulfillOrder(open.shop, orderId)))
  expect(await stateOf(orderId)).toBe('paid')
  expect(await enrollmentsOf(uid)).toEqual([{ course_id: course, by_order: true }])
  expect(await db.$count(receipts, eq(receipts.orderId, orderId))).toBe(1)
  expect(await db.$count(outbox, eq(outbox.orderId, orderId))).toBe(1)
})

it('a receipt says what was paid, the tax in it, and who sold it', async () => {
  const uid = await newLearner()
  const { orderId } = await buy(uid)
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  expect(receipt?.document).toMatchObject({
    kind: 'receipt',
    totalMinor: price,
    taxBasisPoints: 1900,
    taxMinor: 1421,
    seller: open.shop.seller,
    buyer,
  })
})

it('two tabs and a double click end at the same page to pay on', async () => {
  const uid = await newLearner()
  const starts = await Promise.all([1, 2, 3].map(() => startCheckout(open.shop, uid, course, buyer)))
  const urls = new Set(starts.map((start) => start.outcome === 'pay' && start.url))
  expect(urls.size).toBe(1)
  expect(await db.$count(orders, eq(orders.uid, uid))).toBe(1)
})

it('a start that was cut short before the provider’s answer was stored opens no second page', async () => {
  const uid = await newLearner()
  const { sessionId, url } = await checkOut(uid)
  await db.update(payments).set({ sessionId: null, url: null }).where(eq(payments.sessionId, sessionId))
  expect((await checkOut(uid)).url).toBe(url)
})

it('who has the course is told so instead of paying again', async () => {
  const uid = await newLearner()
  await buy(uid)
  expect(await startCheckout(open.shop, uid, course, buyer)).toEqual({ outcome: 'owned' })
  await leaveCourse(db, uid, course)
  expect(await startCheckout(open.shop, uid, course, buyer)).toEqual({ outcome: 'owned' })
  expect(await enrollLearner(db, uid, course)).toEqual([course])
})

it('a course that is withdrawn while it is paid is the learner’s all the same', async () => {
  const uid = await newLearner()
  const { orderId, sessionId } = await checkOut(uid)
  await open.sample.pay(sessionId, 'paid')
  await db.update(courses).set({ published: false }).where(eq(courses.id, course))
  try {
    await fulfillOrder(open.shop, orderId)
    expect([await stateOf(orderId), await enrollmentsOf(uid)]).toEqual([
      'paid',
      [{ course_id: course, by_order: true }],
    ])
  } finally {
    await db.update(courses).set({ published: true }).where(eq(courses.id, course))
  }
})

it('what was typed after going back stands on the receipt, at the price of the page to pay on', async () => {
  const uid = await newLearner()
  const { sessionId, orderId } = await checkOut(uid)
  await db
    .update(courses)
    .set({ priceCents: price + 1_000 })
    .where(eq(courses.id, course))
  try {
    const again = await startCheckout(open.shop, uid, course, { ...buyer, company: 'Engines Ltd' })
    expect(again).toMatchObject({ outcome: 'pay', url: expect.stringContaining(sessionId) })
    expect(await findBegunOrder(db, uid, course)).toEqual({ id: orderId, state: 'open', boundMinor: price })
  } finally {
    await db.update(courses).set({ priceCents: price }).where(eq(courses.id, course))
  }
  await open.sample.pay(sessionId, 'paid')
  await fulfillOrder(open.shop, orderId)
  const [receipt] = await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  expect(receipt?.document).toMatchObject({ buyer: { company: 'Engines Ltd' }, totalMinor: price })
})

it('what is paid later opens the course when the money is there', async () => {
  const uid = await newLearner()
  const { orderId, sessionId } = await checkOut(uid)
  await open.sample.pay(sessionId, 'processing')
  await fulfillOrder(open.shop, orderId)
  expect([await stateOf(orderId), await enrollmentsOf(uid)]).toEqual(['processing', []])
  expect(await startCheckout(open.shop, uid, course, buyer)).toEqual({ outcome: 'processing', orderId })

  await open.sample.pay(sessionId, 'paid')
  await fulfillOrder(open.shop, orderId)
  expect([await stateOf(orderId), (await enrollmentsOf(uid)).length]).toEqual(['paid', 1])
})

it('a bank debit that fails leaves an order that can be paid in another way', async () => {
  const uid = await newLearner()
  const { orderId, sessionId } = await checkOut(uid)
  await open.sample.pay(sessionId, 'processing')
  await fulfillOrder(open.shop, orderId)
  await open.sample.pay(sessionId, 'failed')
  await fulfillOrder(open.shop, orderId)
  expect(await stateOf(orderId)).toBe('open')
  const again = await buy(uid)
  expect([again.orderId, await stateOf(orderId)]).toEqual([orderId, 'paid'])
})

it('with all events lost, the sweep finds what was paid', async () => {
  const uid = await newLearner()
  const { orderId, sessionId } = await checkOut(uid)
  await open.sample.pay(sessionId, 'paid')
  await db
    .update(payments)
    .set({ checkedAt: sql`now() - interval '1 minute'` })
    .where(eq(payments.sessionId, sessionId))
  await sweepOrders(open.shop, () => true)
  expect(await stateOf(orderId)).toBe('paid')
})

it('a refund at the provider ends the access, and writes a credit note of the same tax', async () => {
  const uid = await newLearner()
  const { orderId } = await buy(uid)
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, orderId))
  open.sample.refundAtProvider(payment?.intentId ?? '', price)
  await fulfillOrder(open.shop, orderId)
  await fulfillOrder(open.shop, orderId)
  expect([await stateOf(orderId), await enrollmentsOf(uid)]).toEqual(['refunded', []])
  const documents = await db.select().from(receipts).where(eq(receipts.orderId, orderId)).orderBy(receipts.number)
  expect(documents.map(({ document }) => [document.kind, document.totalMinor, document.taxMinor])).toEqual([
    ['receipt', price, 1421],
    ['credit note', -price, -1421],
  ])
})

it('refunding an old order takes nothing away that was bought again', async () => {
  const uid = await newLearner()
  const first = await buy(uid)
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, first.orderId))
  open.sample.refundAtProvider(payment?.intentId ?? '', price)
  await fulfillOrder(open.shop, first.orderId)
  const second = await buy(uid)
  await fulfillOrder(open.shop, first.orderId)
  expect([await stateOf(first.orderId), await stateOf(second.orderId)]).toEqual(['refunded', 'paid'])
  expect(await hasAccess(db, uid, course)).toBe(true)
  expect(await enrollmentsOf(uid)).toHaveLength(1)
})

it('a second payment for what is already paid goes back by itself', async () => {
  const uid = await newLearner()
  const { orderId, sessionId } = await checkOut(uid)
  const [payment] = await db.select().from(payments).where(eq(payments.sessionId, sessionId))
  // As after a page that expired here a second before it was paid there.
  const { sessionId: other, url } = await open.shop.provider.start({
    paymentId: randomUUID(),
    orderId,
    courseTitle: 'Python',
    amountMinor: price,
    currency: 'USD',
    email: buyer.email,
    returnUrl: 'https://learn.example/',
    cancelUrl: 'https://learn.example/',
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  const second = { id: randomUUID(), orderId, attempt: 2, provider: 'sample' as const, state: 'failed' as const }
  const expiresAt = payment?.expiresAt ?? new Date()
  await db.insert(payments).values({ ...second, amountMinor: price, sessionId: other, url, expiresAt })
  await open.sample.pay(sessionId, 'paid')
  await open.sample.pay(other, 'paid')
  await fulfillOrder(open.shop, orderId)
  const back = await db.select().from(refunds).where(eq(refunds.orderId, orderId))
  expect(back.map(({ paymentId, state, amountMinor }) => [paymentId, state, amountMinor])).toEqual([
    [second.id, 'succeeded', price],
  ])
  expect([await stateOf(orderId), (await enrollmentsOf(uid)).length]).toEqual(['paid', 1])
  expect(await db.$count(receipts, eq(receipts.orderId, orderId))).toBe(1)
})

it('receipts have numbers without a gap', async () => {
  const { rows } = await db.execute<{ gaps: boolean }>(sql`select max(number) <> count(*) as gaps from receipts`)
  expect(rows[0]?.gaps).toBe(false)
})
