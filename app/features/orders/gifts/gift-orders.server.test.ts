import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { enrollLearner, leaveCourse } from '~/features/enrollment/enrollment-queries.server'
import { gifts, orders, outbox, refunds } from '~/server/database/schema'
import { listAuditEntries, operatorContext } from '../../../../tests/support/operator'
import {
  buyer,
  courseId,
  insertCoupon,
  insertLearner,
  insertRefund,
  openCheckout,
  payOrder,
} from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { startCheckout } from '../checkout/start-checkout.server'
import { markOrderPaid } from '../order-actions.server'
import { composeOrderEmail } from '../order-emails.server'
import { syncOrderWithProvider } from '../payments/sync-order.server'
import { findGift, redeemGift, resendGiftAsStaff, resendOwnGift } from './gift-orders.server'
import { resendProblems } from './gift-texts'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

const { db } = await createTestDatabase()
const open = await openSampleShop(db)
afterAll(() => open.close())

const gift = {
  recipientEmail: 'ben@example.com',
  senderName: 'Ada',
  message: 'For your <new> start',
}

const start = (uid: string, wanted: typeof gift | null = gift, couponCode: string | null = null) =>
  startCheckout(open.shop, { uid, courseId, buyer, gift: wanted, couponCode })

async function give(uid: string, wanted: typeof gift | null = gift) {
  const order = await openCheckout(open.shop, uid, { gift: wanted })
  return { ...order, code: await codeOf(order.orderId) }
}

async function given(uid: string) {
  const started = await give(uid)
  await payOrder(open, started)
  return started
}

async function codeOf(orderId: string): Promise<string> {
  const [row] = await db.select().from(gifts).where(eq(gifts.orderId, orderId))
  return row?.code ?? ''
}

async function refund(orderId: string) {
  await insertRefund(db, orderId)
  await syncOrderWithProvider(open.shop, orderId)
}

async function enrollmentsOf(uid: string) {
  const { rows } = await db.execute(
    sql`select course_id, by_order from enrollments where uid = ${uid}`,
  )
  return rows
}

it('a paid gift does not enroll the giver, and emails the recipient a code that opens the course', async () => {
  const [ada, ben] = [await insertLearner(db), await insertLearner(db)]
  const started = await give(ada)
  expect(await findGift(db, started.code, ben)).toBeNull()
  expect(await redeemGift(db, started.code, ben)).toBeNull()

  await payOrder(open, started)
  expect(await enrollmentsOf(ada)).toEqual([])
  const mails = await db.select().from(outbox).where(eq(outbox.orderId, started.orderId))
  expect(mails.map(({ kind }) => kind).sort()).toEqual(['gift', 'receipt'])
  const mail = await composeOrderEmail(db, 'gift', started.orderId)
  expect(mail).toMatchObject({
    to: 'ben@example.com',
    subject: 'Ada has given you Python from Zero',
  })
  expect(mail?.text).toContain(`/Gift/${started.code}`)
  expect(mail?.html).toContain('For your &lt;new&gt; start')
  expect(await composeOrderEmail(db, 'receipt', started.orderId)).toMatchObject({
    subject: 'Your gift of Python from Zero is on its way',
    text: expect.stringContaining('We have sent the gift to ben@example.com.'),
  })

  expect(await findGift(db, started.code.toLowerCase(), ben)).toMatchObject({
    state: 'open',
    senderName: 'Ada',
  })
  expect(await redeemGift(db, started.code, ben)).toBe('yours')
  expect(await enrollmentsOf(ben)).toEqual([{ course_id: courseId, by_order: true }])
  expect(await composeOrderEmail(db, 'gift', started.orderId)).toBeNull()
  expect(await checkOrders(db, open.shop)).toEqual([])
})

it('a bank transfer is not recorded if the learner has the course by a gift', async () => {
  const ben = await insertLearner(db)
  const { code } = await given(await insertLearner(db))
  const { orderId } = await give(ben, null)
  await redeemGift(db, code, ben)
  const record = () => markOrderPaid(operatorContext(db), open.shop, orderId)
  expect(await record()).toMatchObject({
    ok: false,
    problem: expect.stringContaining('The learner has bought this course already'),
  })
  expect(await db.$count(refunds, eq(refunds.orderId, orderId))).toBe(0)
})

it('a gift is redeemed once, even if several learners try at once or one learner tries again', async () => {
  const { code } = await given(await insertLearner(db))
  const uids = await Promise.all(Array.from({ length: 10 }, () => insertLearner(db)))
  const states = await Promise.all([...uids, ...uids].map((uid) => redeemGift(db, code, uid)))
  expect(states.filter((state) => state === 'yours')).toHaveLength(2)
  expect(states.filter((state) => state === 'redeemed')).toHaveLength(18)
  const enrolled = await Promise.all(uids.map(enrollmentsOf))
  expect(enrolled.flat()).toHaveLength(1)
})

it('a learner who has the course does not redeem a gift, even with two gifts at once', async () => {
  const ben = await insertLearner(db)
  const [first, second] = [
    await given(await insertLearner(db)),
    await given(await insertLearner(db)),
  ]
  const states = await Promise.all([first, second].map(({ code }) => redeemGift(db, code, ben)))
  expect(states.sort()).toEqual(['owned', 'yours'])
  const left = (await findGift(db, first.code, null))?.state === 'open' ? first : second
  expect(await findGift(db, left.code, ben)).toMatchObject({ state: 'owned' })
  expect(await redeemGift(db, left.code, await insertLearner(db))).toBe('yours')
})

it('a refund of a gift ends the recipient’s access and makes the code invalid', async () => {
  const [ada, ben] = [await insertLearner(db), await insertLearner(db)]
  const { orderId, code } = await given(ada)
  await redeemGift(db, code, ben)
  await refund(orderId)
  expect([await hasAccess(db, ben, courseId), await enrollmentsOf(ben)]).toEqual([false, []])
  expect(await findGift(db, code, ben)).toMatchObject({ state: 'ended' })
  expect(await checkOrders(db, open.shop)).toEqual([])

  const unused = await given(ada)
  await refund(unused.orderId)
  expect(await redeemGift(db, unused.code, ben)).toBe('ended')
})

it('a recipient who also has the course in another way keeps it after the gift is refunded', async () => {
  const ben = await insertLearner(db)
  const { orderId, code } = await given(await insertLearner(db))
  await redeemGift(db, code, ben)
  await enrollLearner(db, ben, courseId, { granted: true })
  await refund(orderId)
  expect(await hasAccess(db, ben, courseId)).toBe(true)
  expect(await enrollmentsOf(ben)).toHaveLength(1)
})

it('a recipient who left the course can enroll again', async () => {
  const ben = await insertLearner(db)
  const { code } = await given(await insertLearner(db))
  await redeemGift(db, code, ben)
  await leaveCourse(db, ben, courseId)
  expect(await enrollLearner(db, ben, courseId)).toEqual([courseId])
})

it('a learner can give a course that they have, buy it beside a gift, and give it twice', async () => {
  const ada = await insertLearner(db)
  const own = await start(ada, null)
  const first = await give(ada)
  expect(await start(ada, null)).toEqual(own)
  expect((await give(ada, { ...gift, recipientEmail: 'cleo@example.com' })).sessionId).toBe(
    first.sessionId,
  )
  expect(await db.select().from(gifts).where(eq(gifts.orderId, first.orderId))).toMatchObject([
    { recipientEmail: 'cleo@example.com' },
  ])
  await payOrder(open, first)
  await enrollLearner(db, ada, courseId, { granted: true })
  await given(ada)
  expect(await db.$count(orders, sql`uid = ${ada} and is_gift and state = 'paid'`)).toBe(2)
  expect(await checkOrders(db, open.shop)).toEqual([])
})

it('a payment is refunded automatically if the learner got the course as a gift in the meantime', async () => {
  const ben = await insertLearner(db)
  const own = await start(ben, null)
  const { code } = await given(await insertLearner(db))
  await redeemGift(db, code, ben)
  if (own.outcome !== 'pay') {
    throw new Error(own.outcome)
  }

  const [order] = await db.select().from(orders).where(eq(orders.uid, ben))
  await payOrder(open, { orderId: order?.id ?? '', sessionId: own.url.split('/').at(-1) ?? '' })
  await syncOrderWithProvider(open.shop, order?.id ?? '')
  expect(await db.select().from(orders).where(eq(orders.uid, ben))).toMatchObject([
    { state: 'canceled' },
  ])
  expect(await hasAccess(db, ben, courseId)).toBe(true)
  expect(await checkOrders(db, open.shop)).toEqual([])
})

it('a gift that a coupon makes free is sent at once', async () => {
  const ada = await insertLearner(db)
  const code = await insertCoupon(db, { percent: 100 })
  const started = await start(ada, gift, code)
  if (started.outcome !== 'enrolled') {
    throw new Error(started.outcome)
  }

  expect(await redeemGift(db, await codeOf(started.orderId), await insertLearner(db))).toBe('yours')
  expect(await enrollmentsOf(ada)).toEqual([])
})

it('only the giver can send a gift again, and another email address gets another code', async () => {
  const ada = await insertLearner(db)
  const { orderId, code } = await given(ada)
  const resend = (giverUid: string, email: string) =>
    resendOwnGift(db, { orderId, giverUid, email })
  const notFound = { ok: false, problem: resendProblems.notFound }
  expect(await resend(await insertLearner(db), gift.recipientEmail)).toEqual(notFound)
  expect(await resend(ada, gift.recipientEmail)).toMatchObject({ ok: true })
  expect(await codeOf(orderId)).toBe(code)

  expect(await resend(ada, 'right@example.com')).toMatchObject({ ok: true })
  const renewed = await codeOf(orderId)
  expect(renewed).not.toBe(code)
  expect(await composeOrderEmail(db, 'gift', orderId)).toMatchObject({ to: 'right@example.com' })
  expect(await redeemGift(db, code, await insertLearner(db))).toBeNull()
  expect(await redeemGift(db, renewed, await insertLearner(db))).toBe('yours')
  expect(await resend(ada, 'right@example.com')).toEqual({
    ok: false,
    problem: resendProblems.redeemed,
  })
})

it('staff can send a gift again, and the audit log contains no email address', async () => {
  const { orderId } = await given(await insertLearner(db))
  const resend = (id: string, email: string) =>
    resendGiftAsStaff(operatorContext(db), { orderId: id, email })

  expect(await resend(orderId, 'right@example.com')).toMatchObject({
    ok: true,
    value: { outcome: 'The gift goes to another address.' },
  })
  const entries = await listAuditEntries(db, 'orders resend-gift')
  expect(JSON.stringify(entries)).not.toContain('@')
  expect(entries.at(-1)?.changes).toEqual({
    sentTo: { from: 'the former address', to: 'another address' },
  })
  expect(await db.select().from(gifts).where(eq(gifts.orderId, orderId))).toMatchObject([
    { recipientEmail: 'right@example.com', redeemedAt: null },
  ])
  expect(await resend(orderId, '')).toMatchObject({
    ok: true,
    value: { outcome: 'The gift is sent again.' },
  })
  expect(await resend(orderId, 'nobody')).toEqual({
    ok: false,
    problem: 'That isn’t an email address.',
  })
  expect(await resend('NOSUCH2222', '')).toEqual({ ok: false, problem: resendProblems.notFound })
})

it('a gift stays without personal data after the giver’s account is deleted, and ends with the recipient’s account', async () => {
  const [ada, ben] = [await insertLearner(db), await insertLearner(db)]
  const { orderId, code } = await given(ada)
  await db.transaction((transaction) => deleteAccount(transaction, async () => {}, ada))
  const row = { uid: null, recipientEmail: null, senderName: '', message: '' }
  expect(await db.select().from(gifts).where(eq(gifts.orderId, orderId))).toMatchObject([row])
  expect(await redeemGift(db, code, ben)).toBe('yours')

  await db.transaction((transaction) => deleteAccount(transaction, async () => {}, ben))
  expect(await findGift(db, code, await insertLearner(db))).toMatchObject({ state: 'redeemed' })
  expect(await checkOrders(db, open.shop)).toEqual([])
})

it('only the learner who redeemed a gift gets an email when its course closes', async () => {
  const [ada, ben] = [await insertLearner(db), await insertLearner(db)]
  const { orderId, code } = await given(ada)
  await redeemGift(db, code, ben)
  await refund(orderId)
  expect(await enrollmentsOf(ben)).toEqual([])
  const closed = await db.select().from(outbox).where(eq(outbox.kind, 'course-closed'))
  expect(closed.filter((mail) => mail.orderId === orderId).map(({ uid }) => uid)).toEqual([ben])
  const mail = await composeOrderEmail(db, 'course-closed', orderId)
  expect(mail).toMatchObject({
    to: `${ben}@example.com`,
    subject: 'Your access to Python from Zero has ended',
  })
  expect(mail?.text).toContain('its payment has been refunded')
  expect(mail?.text).not.toContain(orderId)
})

it('a learner who also has the course in another way gets no email', async () => {
  const [ada, ben] = [await insertLearner(db), await insertLearner(db)]
  const { orderId, code } = await given(ada)
  await redeemGift(db, code, ben)
  await enrollLearner(db, ben, courseId, { granted: true })
  await refund(orderId)
  expect(await db.$count(outbox, eq(outbox.uid, ben))).toBe(0)
  expect(await hasAccess(db, ben, courseId)).toBe(true)
})
