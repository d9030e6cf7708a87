import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
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

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

const gift = {
  recipientEmail: 'ben@example.com',
  senderName: 'Ada',
  message: 'For your <new> start',
}

const checkOut = (
  uid: string,
  orderedGift: typeof gift | null = gift,
  couponCode: string | null = null,
) => startCheckout(sampleShop.shop, { uid, courseId, buyer, gift: orderedGift, couponCode })

async function orderGift(uid: string, orderedGift = gift) {
  const order = await openCheckout(sampleShop.shop, uid, { gift: orderedGift })
  return { ...order, code: await findGiftCode(order.orderId) }
}

async function buyGift(uid: string) {
  const giftOrder = await orderGift(uid)
  await payOrder(sampleShop, giftOrder)
  return giftOrder
}

async function findGiftCode(orderId: string): Promise<string> {
  const [gift] = await db.select().from(gifts).where(eq(gifts.orderId, orderId))
  if (!gift) {
    throw new Error('No gift was stored.')
  }

  return gift.code
}

async function refundOrder(orderId: string) {
  await insertRefund(db, orderId)
  await syncOrderWithProvider(sampleShop.shop, orderId)
}

async function listEnrollments(uid: string) {
  const { rows } = await db.execute(
    sql`select course_id, by_order from enrollments where uid = ${uid}`,
  )
  return rows
}

it('a paid gift does not enroll the giver, and emails the recipient a code that opens the course', async () => {
  const ada = await insertLearner(db)
  const ben = await insertLearner(db)
  const giftOrder = await orderGift(ada)
  expect(await findGift(db, giftOrder.code, ben)).toBeNull()
  expect(await redeemGift(db, giftOrder.code, ben)).toBeNull()

  await payOrder(sampleShop, giftOrder)
  expect(await listEnrollments(ada)).toEqual([])

  const emails = await db.select().from(outbox).where(eq(outbox.orderId, giftOrder.orderId))
  expect(emails.map(({ kind }) => kind).sort()).toEqual(['gift', 'receipt'])

  const email = await composeOrderEmail(db, 'gift', giftOrder.orderId)
  expect(email).toMatchObject({
    to: 'ben@example.com',
    subject: 'Ada has given you Python from Zero',
  })
  expect(email?.text).toContain(`/Gift/${giftOrder.code}`)
  expect(email?.html).toContain('For your &lt;new&gt; start')
  expect(await composeOrderEmail(db, 'receipt', giftOrder.orderId)).toMatchObject({
    subject: 'Your gift of Python from Zero is on its way',
    text: expect.stringContaining('We have sent the gift to ben@example.com.'),
  })

  expect(await findGift(db, giftOrder.code.toLowerCase(), ben)).toMatchObject({
    status: 'open',
    senderName: 'Ada',
  })
  expect(await redeemGift(db, giftOrder.code, ben)).toBe('yours')
  expect(await listEnrollments(ben)).toEqual([{ course_id: courseId, by_order: true }])
  expect(await composeOrderEmail(db, 'gift', giftOrder.orderId)).toBeNull()
  expect(await checkOrders(db, sampleShop.shop)).toEqual([])
})

it('a bank transfer is not recorded if the learner has the course by a gift', async () => {
  const ben = await insertLearner(db)
  const { code } = await buyGift(await insertLearner(db))
  const { orderId } = await openCheckout(sampleShop.shop, ben)
  await redeemGift(db, code, ben)
  const recordTransfer = () => markOrderPaid(operatorContext(db), sampleShop.shop, orderId)

  expect(await recordTransfer()).toMatchObject({
    ok: false,
    problem: expect.stringContaining('The learner has bought this course already'),
  })
  expect(await db.$count(refunds, eq(refunds.orderId, orderId))).toBe(0)
})

it('a gift is redeemed once, even if several learners try at once or one learner tries again', async () => {
  const { code } = await buyGift(await insertLearner(db))
  const uids = await Promise.all(Array.from({ length: 10 }, () => insertLearner(db)))
  const statuses = await Promise.all([...uids, ...uids].map((uid) => redeemGift(db, code, uid)))
  expect(statuses.filter((status) => status === 'yours')).toHaveLength(2)
  expect(statuses.filter((status) => status === 'redeemed')).toHaveLength(18)

  const enrollments = await Promise.all(uids.map(listEnrollments))
  expect(enrollments.flat()).toHaveLength(1)
})

it('a learner who has the course does not redeem a gift, even with two gifts at once', async () => {
  const ben = await insertLearner(db)
  const firstGift = await buyGift(await insertLearner(db))
  const secondGift = await buyGift(await insertLearner(db))
  const statuses = await Promise.all(
    [firstGift, secondGift].map(({ code }) => redeemGift(db, code, ben)),
  )
  expect(statuses.sort()).toEqual(['owned', 'yours'])

  const unredeemedGift =
    (await findGift(db, firstGift.code, null))?.status === 'open' ? firstGift : secondGift
  expect(await findGift(db, unredeemedGift.code, ben)).toMatchObject({ status: 'owned' })
  expect(await redeemGift(db, unredeemedGift.code, await insertLearner(db))).toBe('yours')
})

it('a refund of a gift ends the recipient’s access and makes the code invalid', async () => {
  const ada = await insertLearner(db)
  const ben = await insertLearner(db)
  const { orderId, code } = await buyGift(ada)
  await redeemGift(db, code, ben)
  await refundOrder(orderId)
  expect([await hasAccess(db, ben, courseId), await listEnrollments(ben)]).toEqual([false, []])
  expect(await findGift(db, code, ben)).toMatchObject({ status: 'ended' })
  expect(await checkOrders(db, sampleShop.shop)).toEqual([])

  const unredeemedGift = await buyGift(ada)
  await refundOrder(unredeemedGift.orderId)
  expect(await redeemGift(db, unredeemedGift.code, ben)).toBe('ended')
})

it('a recipient who also has the course in another way keeps it after the gift is refunded', async () => {
  const ben = await insertLearner(db)
  const { orderId, code } = await buyGift(await insertLearner(db))
  await redeemGift(db, code, ben)
  await enrollLearner(db, ben, courseId, { isFreeOfCharge: true })
  await refundOrder(orderId)

  expect(await hasAccess(db, ben, courseId)).toBe(true)
  expect(await listEnrollments(ben)).toHaveLength(1)
})

it('a recipient who left the course can enroll again', async () => {
  const ben = await insertLearner(db)
  const { code } = await buyGift(await insertLearner(db))
  await redeemGift(db, code, ben)
  await leaveCourse(db, ben, courseId)

  expect(await enrollLearner(db, ben, courseId)).toEqual([courseId])
})

it('a learner can give a course that they have, buy it beside a gift, and give it twice', async () => {
  const ada = await insertLearner(db)
  const ownCheckout = await checkOut(ada, null)
  const first = await orderGift(ada)
  expect(await checkOut(ada, null)).toEqual(ownCheckout)
  expect((await orderGift(ada, { ...gift, recipientEmail: 'cleo@example.com' })).sessionId).toBe(
    first.sessionId,
  )
  expect(await db.select().from(gifts).where(eq(gifts.orderId, first.orderId))).toMatchObject([
    { recipientEmail: 'cleo@example.com' },
  ])

  await payOrder(sampleShop, first)
  await enrollLearner(db, ada, courseId, { isFreeOfCharge: true })
  await buyGift(ada)
  expect(await db.$count(orders, sql`uid = ${ada} and is_gift and state = 'paid'`)).toBe(2)
  expect(await checkOrders(db, sampleShop.shop)).toEqual([])
})

it('a payment is refunded automatically if the learner got the course as a gift in the meantime', async () => {
  const ben = await insertLearner(db)
  const ownCheckout = await checkOut(ben, null)
  const { code } = await buyGift(await insertLearner(db))
  await redeemGift(db, code, ben)
  if (ownCheckout.outcome !== 'pay') {
    throw new Error(ownCheckout.outcome)
  }

  const [order] = await db.select().from(orders).where(eq(orders.uid, ben))
  await payOrder(sampleShop, {
    orderId: order?.id ?? '',
    sessionId: ownCheckout.url.split('/').at(-1) ?? '',
  })
  await syncOrderWithProvider(sampleShop.shop, order?.id ?? '')

  expect(await db.select().from(orders).where(eq(orders.uid, ben))).toMatchObject([
    { status: 'canceled' },
  ])
  expect(await hasAccess(db, ben, courseId)).toBe(true)
  expect(await checkOrders(db, sampleShop.shop)).toEqual([])
})

it('a gift that a coupon makes free is sent at once', async () => {
  const ada = await insertLearner(db)
  const code = await insertCoupon(db, { percent: 100 })
  const giftOrder = await checkOut(ada, gift, code)
  if (giftOrder.outcome !== 'enrolled') {
    throw new Error(giftOrder.outcome)
  }

  expect(await redeemGift(db, await findGiftCode(giftOrder.orderId), await insertLearner(db))).toBe(
    'yours',
  )
  expect(await listEnrollments(ada)).toEqual([])
})

it('only the giver can send a gift again, and another email address gets another code', async () => {
  const ada = await insertLearner(db)
  const { orderId, code } = await buyGift(ada)
  const resend = (giverUid: string, email: string) =>
    resendOwnGift(db, { orderId, giverUid, email })
  const notFound = { ok: false, problem: resendProblems.notFound }
  expect(await resend(await insertLearner(db), gift.recipientEmail)).toEqual(notFound)
  expect(await resend(ada, gift.recipientEmail)).toMatchObject({ ok: true })
  expect(await findGiftCode(orderId)).toBe(code)

  expect(await resend(ada, 'new@example.com')).toMatchObject({ ok: true })

  const newCode = await findGiftCode(orderId)
  expect(newCode).not.toBe(code)
  expect(await composeOrderEmail(db, 'gift', orderId)).toMatchObject({ to: 'new@example.com' })
  expect(await redeemGift(db, code, await insertLearner(db))).toBeNull()
  expect(await redeemGift(db, newCode, await insertLearner(db))).toBe('yours')
  expect(await resend(ada, 'new@example.com')).toEqual({
    ok: false,
    problem: resendProblems.redeemed,
  })
})

it('a gift whose address was stored with capital letters keeps its code when it is sent again', async () => {
  const ada = await insertLearner(db)
  const { orderId, code } = await buyGift(ada)
  await db
    .update(gifts)
    .set({ recipientEmail: 'Ben@Example.com' })
    .where(eq(gifts.orderId, orderId))

  const result = await resendOwnGift(db, { orderId, giverUid: ada, email: 'ben@example.com' })

  expect(result).toMatchObject({ ok: true })
  expect(await findGiftCode(orderId)).toBe(code)
})

it('staff can send a gift again, and the audit log contains no email address', async () => {
  const { orderId } = await buyGift(await insertLearner(db))
  const resend = (id: string, email: string) =>
    resendGiftAsStaff(operatorContext(db), { orderId: id, email })

  expect(await resend(orderId, 'new@example.com')).toMatchObject({
    ok: true,
    value: { outcome: 'The gift goes to another address.' },
  })

  const entries = await listAuditEntries(db, 'orders resend-gift')
  expect(JSON.stringify(entries)).not.toContain('@')
  expect(entries.at(-1)?.changes).toEqual({
    sentTo: { from: 'the former address', to: 'another address' },
  })
  expect(await db.select().from(gifts).where(eq(gifts.orderId, orderId))).toMatchObject([
    { recipientEmail: 'new@example.com', redeemedAt: null },
  ])

  for (const sameEmail of ['', 'New@Example.com ']) {
    expect(await resend(orderId, sameEmail)).toMatchObject({
      ok: true,
      value: { outcome: 'The gift is sent again.' },
    })
  }

  expect(await resend(orderId, 'nobody')).toEqual({
    ok: false,
    problem: 'That isn’t an email address.',
  })
  expect(await resend('NOSUCH2222', '')).toEqual({ ok: false, problem: resendProblems.notFound })
})

it('a gift stays without personal data after the giver’s account is deleted, and ends with the recipient’s account', async () => {
  const ada = await insertLearner(db)
  const ben = await insertLearner(db)
  const { orderId, code } = await buyGift(ada)
  await db.transaction((tx) => deleteAccount(tx, async () => {}, ada))
  const anonymousGift = { uid: null, recipientEmail: null, senderName: '', message: '' }
  expect(await db.select().from(gifts).where(eq(gifts.orderId, orderId))).toMatchObject([
    anonymousGift,
  ])
  expect(await redeemGift(db, code, ben)).toBe('yours')

  await db.transaction((tx) => deleteAccount(tx, async () => {}, ben))
  expect(await findGift(db, code, await insertLearner(db))).toMatchObject({ status: 'redeemed' })
  expect(await checkOrders(db, sampleShop.shop)).toEqual([])
})

it('only the learner who redeemed a gift gets an email when its course closes', async () => {
  const ada = await insertLearner(db)
  const ben = await insertLearner(db)
  const { orderId, code } = await buyGift(ada)
  await redeemGift(db, code, ben)
  await refundOrder(orderId)
  expect(await listEnrollments(ben)).toEqual([])

  const closedEmails = await db.select().from(outbox).where(eq(outbox.kind, 'course-closed'))
  expect(closedEmails.filter((email) => email.orderId === orderId).map(({ uid }) => uid)).toEqual([
    ben,
  ])

  const email = await composeOrderEmail(db, 'course-closed', orderId)
  expect(email).toMatchObject({
    to: `${ben}@example.com`,
    subject: 'Your access to Python from Zero has ended',
  })
  expect(email?.text).toContain('its payment has been refunded')
  expect(email?.text).not.toContain(orderId)
})

it('a learner who also has the course in another way gets no email', async () => {
  const ada = await insertLearner(db)
  const ben = await insertLearner(db)
  const { orderId, code } = await buyGift(ada)
  await redeemGift(db, code, ben)
  await enrollLearner(db, ben, courseId, { isFreeOfCharge: true })
  await refundOrder(orderId)

  expect(await db.$count(outbox, eq(outbox.uid, ben))).toBe(0)
  expect(await hasAccess(db, ben, courseId)).toBe(true)
})
