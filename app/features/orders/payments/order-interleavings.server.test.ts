import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { hasPaidOrder } from '~/features/enrollment/course-access.server'
import { coupons, gifts, orders, payments, refunds } from '~/server/database/schema'
import {
  buyer,
  courseId,
  insertLearner,
  insertRefund,
} from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { startCheckout } from '../checkout/start-checkout.server'
import { redeemGift } from '../gifts/gift-orders.server'
import { syncOrderWithProvider } from './sync-order.server'
import { syncPendingOrders } from './sync-orders-job.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
await db.insert(coupons).values([
  { code: 'HALF', percent: 50 },
  { code: 'FREE', percent: 100, maxUses: 5 },
])
afterAll(() => sampleShop.close())

const gift = { recipientEmail: 'ben@example.com', senderName: 'Ada', message: '' }

/** Runs the background job as if its waiting time had passed. */
async function runBackgroundJobLater() {
  const earlier = sql`now() - interval '1 minute'`
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from orders order by id for update`)
    await tx.update(payments).set({ checkedAt: earlier })
    await tx.update(refunds).set({ createdAt: earlier }).where(eq(refunds.status, 'requested'))
  })

  await syncPendingOrders(sampleShop.shop, () => true)
}

const actions = [
  'start',
  'start with coupon',
  'start with free coupon',
  'start gift',
  'redeem gift',
  'pay',
  'pay later',
  'decline later',
  'event',
  'event twice',
  'lose event',
  'background job',
  'refund',
  'refund at provider',
  'delete account',
] as const

/**
 * Does what a learner, the provider or an operator does. An action that isn't possible at the time
 * changes nothing.
 */
async function perform(action: (typeof actions)[number], uid: string, pick: number) {
  const purchase = { uid, courseId, buyer }

  switch (action) {
    case 'start':
      return startCheckout(sampleShop.shop, purchase)
    case 'start with coupon':
      return startCheckout(sampleShop.shop, { ...purchase, couponCode: 'HALF' })
    case 'start with free coupon':
      return startCheckout(sampleShop.shop, { ...purchase, couponCode: 'FREE' })
    case 'start gift':
      return startCheckout(sampleShop.shop, {
        ...purchase,
        gift,
        couponCode: pick > 3 ? 'HALF' : null,
      })
    case 'redeem gift':
      return redeemLatestGift(uid, pick)
    case 'background job':
      return runBackgroundJobLater()
    case 'delete account':
      return db.transaction((tx) => deleteAccount(tx, async () => {}, uid))
    default:
      return performOnPayment(action, uid, pick)
  }
}

async function redeemLatestGift(uid: string, pick: number) {
  const codes = await db.select({ code: gifts.code }).from(gifts).orderBy(gifts.createdAt)
  const latestOrPrevious = codes.at(-1 - (pick % 2))
  return latestOrPrevious && redeemGift(db, latestOrPrevious.code, uid)
}

async function performOnPayment(
  action: (typeof actions)[number],
  uid: string,
  pick: number,
): Promise<unknown> {
  const orderPayments = await db
    .select({ payment: payments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(eq(orders.uid, uid))
  const payment = orderPayments[pick % Math.max(1, orderPayments.length)]?.payment
  if (!payment) {
    return
  }

  const sessionId = payment.sessionId ?? ''
  const handleEvent = () =>
    syncOrderWithProvider(sampleShop.shop, payment.orderId, { id: `evt_${pick}`, type: 'test' })

  switch (action) {
    case 'pay':
      return sampleShop.sample.pay(sessionId, 'paid')
    case 'pay later':
      return sampleShop.sample.pay(sessionId, 'processing')
    case 'decline later':
      return sampleShop.sample.pay(sessionId, 'failed')
    case 'event':
      return handleEvent()
    case 'event twice':
      return Promise.all([handleEvent(), handleEvent()])
    case 'refund': {
      const refund = { amountMinor: pick % 2 ? null : 1_000, reason: 'test' }
      return insertRefund(db, payment.orderId, refund).catch(() => {})
    }
    case 'refund at provider': {
      const refundCount = await db.$count(refunds, eq(refunds.paymentId, payment.id))
      if (payment.intentId && refundCount === 0) {
        sampleShop.sample.refundAtProvider(payment.intentId, payment.amountMinor)
      }
    }
  }
}

it('orders, ledger and access agree after any actions in any order, even at the same time', async () => {
  const syncedOrderIds = new Set<string>()
  const step = fc.record({
    action: fc.constantFrom(...actions),
    learner: fc.nat(1),
    pick: fc.nat(5),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 10 }),
      async (rounds) => {
        const uids = [await insertLearner(db), await insertLearner(db)]
        for (const round of rounds) {
          // The background job repeats what fails.
          await Promise.allSettled(
            round.map(({ action, learner, pick }) => perform(action, uids[learner] ?? '', pick)),
          )
        }

        await runBackgroundJobLater()
        await runBackgroundJobLater()
        // Only its event tells of a refund that was started at the provider. It arrives last.
        for (const { id } of await db.select({ id: orders.id }).from(orders)) {
          if (!syncedOrderIds.has(id)) {
            await syncOrderWithProvider(sampleShop.shop, id)
          }

          syncedOrderIds.add(id)
        }

        expect(await checkOrders(db)).toEqual([])
        expect(
          await db.$count(orders, sql`coupon_code = 'FREE' and state in ('paid', 'refunded')`),
        ).toBeLessThanOrEqual(5)
        for (const uid of uids) {
          const { rows } = await db.execute<{ areEqual: boolean }>(sql`
          select ${hasPaidOrder(uid, courseId)}
            = exists (select from enrollments where uid = ${uid}) as "areEqual"`)
          expect(rows).toEqual([{ areEqual: true }])
        }
      },
    ),
    { numRuns: 20, seed: 31 },
  )

  expect(await checkOrders(db, sampleShop.shop)).toEqual([])
}, 120_000)
