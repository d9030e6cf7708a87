import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { orders, outbox, payments, receipts, refunds } from '~/server/database/schema'
import { startCuttingProxy } from '../../../../tests/support/cutting-proxy'
import {
  buyer,
  courseId,
  insertLearner,
  insertRefund,
} from '../../../../tests/support/sample-orders'
import { openSampleShop, type SampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { startCheckout } from '../checkout/start-checkout.server'
import type { Shop } from '../shop.server'
import { syncOrderWithProvider } from './sync-order.server'
import { syncPendingOrders } from './sync-orders-job.server'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

/**
 * The product is killed at each step between the button and the receipt, and on the way back:
 * before and after each statement and each call of the provider. The list of steps is what the code
 * does when it isn't killed.
 */

/** The product's own connection, which is cut. */
let killed: Shop
/** After a start: the learner's next click, and the sweep. */
let started: SampleShop
let db: Database
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
let endKilled: () => Promise<void>

const done: string[] = []
/** Which step is the last, and whether it is done. */
let last: { number: number; isDone: boolean } | null = null

function step(name: string) {
  done.push(name)
  if (done.length - 1 !== last?.number) {
    return 'goes'
  }

  return last.isDone ? 'loses its answer' : 'is cut'
}

beforeAll(async () => {
  const database = await createTestDatabase()
  db = database.db
  started = await openSampleShop(db)
  proxy = await startCuttingProxy(database.url, step)
  const connection = connect(proxy.url, { poolSize: 1 })
  endKilled = () => connection.pool.end()
  killed = { ...started.shop, db: connection.database, provider: cutProvider() }
})
afterAll(async () => {
  await endKilled()
  proxy.close()
  started.close()
})

function cutProvider(): Shop['provider'] {
  const cut = <Given, Answer>(name: string, call: (given: Given) => Promise<Answer>) => {
    return async (given: Given) => {
      const fate = step(name)
      const answer = fate === 'is cut' ? null : await call(given)
      if (fate === 'goes' && answer) {
        return answer
      }

      proxy.cut()
      throw new Error('killed')
    }
  }
  const { createPaymentPage, readPayment, sendRefund } = started.shop.provider

  return {
    ...started.shop.provider,
    createPaymentPage: cut('provider.createPaymentPage', createPaymentPage),
    readPayment: cut('provider.readPayment', readPayment),
    sendRefund: cut('provider.sendRefund', sendRefund),
  }
}

/** Two minutes, in which the sweep looks many times; here it looks twice. */
async function twoMinutesLater() {
  const earlier = sql`now() - interval '1 minute'`
  for (let looks = 0; looks < 2; looks++) {
    await db.update(payments).set({ checkedAt: earlier })
    await db.update(refunds).set({ createdAt: earlier }).where(eq(refunds.state, 'requested'))
    await syncPendingOrders(started.shop, () => true)
  }
}

async function booksOf(uid: string) {
  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  const { rows } = await db.execute(
    sql`select from enrollments where uid = ${uid} and course_id = ${courseId}`,
  )

  return {
    state: order?.state,
    enrolled: rows.length,
    receipts: await db.$count(receipts, eq(receipts.orderId, order?.id ?? '')),
    mails: await db.$count(outbox, eq(outbox.orderId, order?.id ?? '')),
  }
}

async function pay(uid: string): Promise<string> {
  const [row] = await db
    .select({ sessionId: payments.sessionId, orderId: payments.orderId })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      sql`${orders.uid} = ${uid} and ${payments.sessionId} is not null and ${payments.state} = 'started'`,
    )

  await started.sample.pay(row?.sessionId ?? '', 'paid')
  return row?.orderId ?? ''
}

/** Buys a course and gives it back, by a program that is killed at a step and started again. */
async function buyAndGiveBack(kill: typeof last): Promise<void> {
  const work = async (run: () => Promise<unknown>) => {
    await run().catch((error) => {
      if (!kill) {
        throw error
      }
    })

    proxy.mend()
  }

  done.length = 0
  last = kill
  const uid = await insertLearner(db)
  await work(() => startCheckout(killed, { uid, courseId, buyer }))
  // If no page came, the learner presses the button again.
  await startCheckout(started.shop, { uid, courseId, buyer })
  const orderId = await pay(uid)
  await work(() => syncOrderWithProvider(killed, orderId, { id: `evt_${orderId}`, type: 'test' }))
  await twoMinutesLater()
  expect(await booksOf(uid)).toEqual({ state: 'paid', enrolled: 1, receipts: 1, mails: 1 })

  const refund = { amountMinor: null, reason: 'test' }
  await work(() => insertRefund(killed.db, orderId, refund))
  // The operator looks whether it was taken, and asks again if not.
  if ((await db.$count(refunds, eq(refunds.orderId, orderId))) === 0) {
    await insertRefund(db, orderId, refund)
  }

  await work(() => syncOrderWithProvider(killed, orderId))
  await twoMinutesLater()
  expect(await booksOf(uid)).toEqual({ state: 'refunded', enrolled: 0, receipts: 2, mails: 2 })
}

it('after a crash before or after any step, a paid order has access, one receipt and one email', async () => {
  await buyAndGiveBack(null)
  const steps = [...done]
  for (const name of [
    'insert into "orders"',
    'provider.createPaymentPage',
    'commit',
    'provider.readPayment',
    'insert into "ledger"',
  ]) {
    expect(steps.some((step) => step.startsWith(name))).toBe(true)
  }

  for (const [number, name] of steps.entries()) {
    for (const isDone of [false, true]) {
      await buyAndGiveBack({ number, isDone }).catch((error) => {
        throw new Error(`Killed ${isDone ? 'after' : 'before'} step ${number}, ${name}`, {
          cause: error,
        })
      })

      expect(done.length).toBeGreaterThan(number)
    }
  }

  expect(await checkOrders(db, started.shop)).toEqual([])
}, 300_000)
