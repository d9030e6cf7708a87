/**
 * Kills the process at each step between the checkout and the receipt, and between the refund and
 * the credit note: before and after each statement and each call of the provider.
 *
 * A first run that is not killed lists the steps.
 */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
import type { PaymentProvider } from './payment-provider.server'
import { syncOrderWithProvider } from './sync-order.server'
import { syncPendingOrders } from './sync-orders-job.server'

/** The shop of a process that is killed: its connection to the database is cut at one step. */
let killedShop: Shop
/** The shop of the process that is started afterwards. */
let restartedShop: SampleShop
let db: Database
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
let closeKilledConnection: () => Promise<void>

/** The steps that the killed process has reached: statements and calls of the provider. */
const reachedSteps: string[] = []

/** The process is killed before or after one of its steps. Null lets it finish. */
type Kill = { stepIndex: number; isStepDone: boolean } | null
let currentKill: Kill = null

function reachStep(name: string) {
  reachedSteps.push(name)
  const stepIndex = reachedSteps.length - 1
  if (stepIndex !== currentKill?.stepIndex) {
    return 'goes'
  }

  return currentKill.isStepDone ? 'loses its answer' : 'is cut'
}

beforeAll(async () => {
  const database = await createTestDatabase()
  db = database.db
  restartedShop = await openSampleShop(db)
  proxy = await startCuttingProxy(database.url, reachStep)
  const connection = connect(proxy.url, { poolSize: 1 })
  closeKilledConnection = () => connection.pool.end()
  killedShop = {
    ...restartedShop.shop,
    db: connection.database,
    provider: createCutProvider(restartedShop.shop.provider),
  }
})
afterAll(async () => {
  await closeKilledConnection()
  proxy.close()
  restartedShop.close()
})

/** Returns a provider each of whose calls is a step at which the process may be killed. */
function createCutProvider(provider: PaymentProvider): PaymentProvider {
  const cut = <Input, Output>(name: string, call: (input: Input) => Promise<Output>) => {
    return async (input: Input) => {
      const fate = reachStep(name)
      const output = fate === 'is cut' ? null : await call(input)
      if (fate === 'goes' && output) {
        return output
      }

      proxy.cut()
      throw new Error('killed')
    }
  }
  const { createPaymentPage, readPayment, sendRefund } = provider

  return {
    ...provider,
    createPaymentPage: cut('provider.createPaymentPage', createPaymentPage),
    readPayment: cut('provider.readPayment', readPayment),
    sendRefund: cut('provider.sendRefund', sendRefund),
  }
}

/** Runs the background job twice, as if the order's waiting time had passed each time. */
async function runBackgroundJobTwice(orderId: string) {
  const earlier = sql`now() - interval '1 minute'`
  for (let run = 1; run <= 2; run++) {
    await db.update(payments).set({ checkedAt: earlier }).where(eq(payments.orderId, orderId))
    await db.update(refunds).set({ createdAt: earlier }).where(eq(refunds.status, 'requested'))
    await syncPendingOrders(restartedShop.shop, () => true)
  }
}

/** Returns the state of a learner's order, and what it has led to. */
async function findOutcome(uid: string) {
  const [order] = await db.select().from(orders).where(eq(orders.uid, uid))
  if (!order) {
    throw new Error('No order was stored.')
  }

  const { rows } = await db.execute(
    sql`select from enrollments where uid = ${uid} and course_id = ${courseId}`,
  )

  return {
    status: order.status,
    enrollments: rows.length,
    receipts: await db.$count(receipts, eq(receipts.orderId, order.id)),
    emails: await db.$count(outbox, eq(outbox.orderId, order.id)),
  }
}

/** Pays the learner's open payment at the provider. @returns the ID of its order */
async function payAtProvider(uid: string): Promise<string> {
  const [openPayment] = await db
    .select({ sessionId: payments.sessionId, orderId: payments.orderId })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      sql`${orders.uid} = ${uid} and ${payments.sessionId} is not null and ${payments.status} = 'started'`,
    )

  if (!openPayment || openPayment.sessionId === null) {
    throw new Error('The learner has no open payment.')
  }

  await restartedShop.sample.pay(openPayment.sessionId, 'paid')
  return openPayment.orderId
}

/** Buys a course and refunds it, with a process that is killed at a step and started again. */
async function buyAndRefund(kill: Kill): Promise<void> {
  const runInKilledProcess = async (run: () => Promise<unknown>) => {
    await run().catch((error) => {
      if (kill === null) {
        throw error
      }
    })

    proxy.mend()
  }

  reachedSteps.length = 0
  currentKill = kill
  const uid = await insertLearner(db)
  await runInKilledProcess(() => startCheckout(killedShop, { uid, courseId, buyer }))
  // A learner who got no payment page presses the button again.
  await startCheckout(restartedShop.shop, { uid, courseId, buyer })
  const orderId = await payAtProvider(uid)
  await runInKilledProcess(() =>
    syncOrderWithProvider(killedShop, orderId, { id: `evt_${orderId}`, type: 'test' }),
  )
  await runBackgroundJobTwice(orderId)
  expect(await findOutcome(uid)).toEqual({ status: 'paid', enrollments: 1, receipts: 1, emails: 1 })

  const refund = { amountMinor: null, reason: 'test' }
  await runInKilledProcess(() => insertRefund(killedShop.db, orderId, refund))
  // An operator sees whether the refund was stored, and repeats it if not.
  if ((await db.$count(refunds, eq(refunds.orderId, orderId))) === 0) {
    await insertRefund(db, orderId, refund)
  }

  await runInKilledProcess(() => syncOrderWithProvider(killedShop, orderId))
  await runBackgroundJobTwice(orderId)
  expect(await findOutcome(uid)).toEqual({
    status: 'refunded',
    enrollments: 0,
    receipts: 2,
    emails: 2,
  })
}

it('after a crash before or after any step, a paid order has access, one receipt and one email', async () => {
  await buyAndRefund(null)
  const steps = [...reachedSteps]
  for (const expectedStep of [
    'insert into "orders"',
    'provider.createPaymentPage',
    'commit',
    'provider.readPayment',
    'insert into "ledger"',
  ]) {
    expect(steps.some((step) => step.startsWith(expectedStep))).toBe(true)
  }

  for (const [stepIndex, step] of steps.entries()) {
    for (const isStepDone of [false, true]) {
      await buyAndRefund({ stepIndex, isStepDone }).catch((error) => {
        throw new Error(`Killed ${isStepDone ? 'after' : 'before'} step ${stepIndex}, ${step}`, {
          cause: error,
        })
      })

      expect(reachedSteps.length).toBeGreaterThan(stepIndex)
    }
  }

  expect(await checkOrders(db, restartedShop.shop)).toEqual([])
}, 300_000)
