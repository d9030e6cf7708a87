/**
 * Shows that every lock and every unique key of orders is needed.
 *
 * In each test, two calls run at the same time. With all guards, the database is right afterwards.
 * Then one guard is removed, and both transactions are held at a statement after the guard until
 * the other one has reached it, too. Now the database is wrong.
 *
 * A lock is removed from a program that has all other guards. A key is the second line of defense,
 * which keeps the database right if the program forgets its locks. So a key is removed from a
 * program without any locks.
 */
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, it } from 'vitest'
import * as schema from '~/server/database/schema'
import { operatorContext } from '../../../tests/support/operator'
import {
  buyer,
  courseId,
  insertCoupon,
  insertLearner,
  insertRefund,
  openCheckout,
  payOrder,
  priceMinor,
} from '../../../tests/support/sample-orders'
import { openSampleShop } from '../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../tests/support/test-database'
import { startCheckout } from './checkout/start-checkout.server'
import { redeemGift } from './gifts/gift-orders.server'
import { markOrderPaid } from './order-actions.server'
import { syncOrderWithProvider } from './payments/sync-order.server'
import type { Shop } from './shop.server'

const advisoryLock = /pg_advisory_xact_lock/
const orderLock = /from "orders" where "orders"."id" = \$1 for update$/
const couponLock = /from "coupons" .*for no key update$/
const anyLock = /pg_advisory_xact_lock|for (no key )?update$/

/** The guards that a school lacks. */
type RemovedGuards = {
  /** Matches the statements that no longer lock anything. */
  locks?: RegExp
  /** The statement that drops a constraint or index. */
  dropKey?: string
}

/**
 * Opens a school with a database of its own, and two shops: `guardedShop` has all locks, and
 * `racingShop` lacks the removed ones.
 *
 * @param meetingStatement matches a statement of `racingShop` after which the first two
 *   transactions wait for each other
 */
async function openSchool({ locks, dropKey }: RemovedGuards = {}, meetingStatement?: RegExp) {
  const { db, url, end } = await createTestDatabase()
  if (dropKey) {
    await db.execute(sql.raw(dropKey))
  }

  const waitForOther = meetingStatement ? createMeeting(meetingStatement) : async () => {}
  const pool = new pg.Pool({
    connectionString: url,
    Client: createUnguardedClient(locks, waitForOther),
  })
  // The database is dropped while the server still closes the connections of the pool that has
  // ended.
  pool.on('error', () => {})
  const { shop: guardedShop, sample, close: closeShop } = await openSampleShop(db)
  const racingShop: Shop = { ...guardedShop, db: drizzle({ client: pool, schema }) }

  const close = async () => {
    closeShop()
    await pool.end()
    await end()
  }

  return { db, guardedShop, racingShop, sample, close }
}

type School = Awaited<ReturnType<typeof openSchool>>

/** Returns a client whose statements take no locks that match `locks`. */
function createUnguardedClient(
  locks: RegExp | undefined,
  waitForOther: (statement: string) => Promise<void>,
): typeof pg.Client {
  return class UnguardedClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: all overloads pass through.
    override query(...parameters: any[]): any {
      const [query, ...otherParameters] = parameters
      const statement: string = query.text ?? query
      const unguardedStatement = locks?.test(statement) ? removeLock(statement) : statement
      const unguardedQuery =
        typeof query === 'string' ? unguardedStatement : { ...query, text: unguardedStatement }
      const sendQuery = () =>
        super.query(
          ...([unguardedQuery, ...otherParameters] as Parameters<pg.Client['query']>),
        ) as unknown

      // Only statements of a transaction return a promise. The pool passes a callback for all
      // others.
      const isInTransaction = typeof parameters.at(-1) !== 'function'
      if (!isInTransaction) {
        return sendQuery()
      }

      return (sendQuery() as Promise<unknown>).then(async (result) => {
        await waitForOther(statement)
        return result
      })
    }
  }
}

function removeLock(statement: string): string {
  return statement
    .replace(/pg_advisory_xact_lock\((.*)\)/, '$1')
    .replace(/ for (no key )?update$/, '')
}

/** Returns a function that makes the first two callers with a matching statement go on together. */
function createMeeting(meetingStatement: RegExp): (statement: string) => Promise<void> {
  let arrivedCount = 0
  let letBothGoOn = () => {}
  const bothArrived = new Promise<void>((resolve) => {
    letBothGoOn = resolve
  })

  return async (statement) => {
    if (!meetingStatement.test(statement)) {
      return
    }

    arrivedCount += 1
    if (arrivedCount === 2) {
      letBothGoOn()
    }

    await bothArrived
  }
}

/**
 * Lets two calls race, and returns a number that shows whether the database is right afterwards.
 */
type Race = (school: School) => Promise<number>

/** @returns how many of the two calls failed */
async function callTwiceAtOnce(call: () => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled([call(), call()])
  return results.filter(({ status }) => status === 'rejected').length
}

async function selectNumber({ db }: School, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(query)
  return Number(rows[0]?.number)
}

async function buyCourse(school: School) {
  const order = await openCheckout(school.guardedShop, await insertLearner(school.db))
  await payOrder({ shop: school.guardedShop, sample: school.sample }, order)
  return order
}

/** @returns how many of two checkouts in two tabs fail */
const checkOutInTwoTabs: Race = async ({ db, racingShop }) => {
  const uid = await insertLearner(db)
  return callTwiceAtOnce(() => startCheckout(racingShop, { uid, courseId, buyer }))
}

const countOrdersOfTwoTabs: Race = async (school) => {
  await checkOutInTwoTabs(school)
  return selectNumber(school, sql`select count(*) as number from orders`)
}

const countFreeOrdersOfTwoTabs: Race = async (school) => {
  const uid = await insertLearner(school.db)
  const couponCode = await insertCoupon(school.db, { percent: 100 })
  await callTwiceAtOnce(() =>
    startCheckout(school.racingShop, { uid, courseId, buyer, couponCode }),
  )

  return selectNumber(school, sql`select count(*) as number from orders`)
}

const countPaymentPagesAfterFailedPayment: Race = async (school) => {
  const { guardedShop, racingShop, sample } = school
  const uid = await insertLearner(school.db)
  const { orderId, sessionId } = await openCheckout(guardedShop, uid)
  for (const status of ['processing', 'failed'] as const) {
    await sample.pay(sessionId, status)
    await syncOrderWithProvider(guardedShop, orderId)
  }

  await callTwiceAtOnce(() => startCheckout(racingShop, { uid, courseId, buyer }))

  return selectNumber(school, sql`select count(*) as number from payments where state = 'started'`)
}

const countUsesOfCouponForOneOrder: Race = async (school) => {
  const couponCode = await insertCoupon(school.db, { percent: 25, maxUses: 1 })
  await callTwiceAtOnce(async () => {
    const uid = await insertLearner(school.db)
    return startCheckout(school.racingShop, { uid, courseId, buyer, couponCode })
  })

  return selectNumber(
    school,
    sql`select count(*) as number from orders where coupon_code is not null`,
  )
}

/** @returns how many of two syncs of a paid order fail */
const syncPaidOrderTwice: Race = async ({ db, guardedShop, racingShop, sample }) => {
  const { orderId, sessionId } = await openCheckout(guardedShop, await insertLearner(db))
  await sample.pay(sessionId, 'paid')
  return callTwiceAtOnce(() => syncOrderWithProvider(racingShop, orderId))
}

const countRefundsAfterTwoSyncs: Race = async (school) => {
  await syncPaidOrderTwice(school)
  return selectNumber(school, sql`select count(*) as number from refunds`)
}

const countStoredEventsOfOneEvent: Race = async (school) => {
  const { orderId } = await buyCourse(school)
  const event = { id: 'evt_1', type: 'test' }
  await callTwiceAtOnce(() => syncOrderWithProvider(school.racingShop, orderId, event))

  return selectNumber(school, sql`select count(*) as number from payment_events`)
}

const sumOfTwoRefunds: Race = async (school) => {
  const { orderId } = await buyCourse(school)
  const refund = { amountMinor: null, reason: 'test' }
  await callTwiceAtOnce(() => insertRefund(school.racingShop.db, orderId, refund))

  return selectNumber(school, sql`select sum(amount_minor) as number from refunds`)
}

const countChargesOfOneTransfer: Race = async (school) => {
  const { guardedShop, racingShop } = school
  const { orderId } = await openCheckout(guardedShop, await insertLearner(school.db))
  await callTwiceAtOnce(() => markOrderPaid(operatorContext(racingShop.db), racingShop, orderId))

  return selectNumber(school, sql`select count(*) as number from ledger`)
}

/** @returns the number of the last receipt, or 0 if none was issued */
const issueTwoReceipts: Race = async (school) => {
  const orders = [
    await openCheckout(school.guardedShop, await insertLearner(school.db)),
    await openCheckout(school.guardedShop, await insertLearner(school.db)),
  ]
  for (const { sessionId } of orders) {
    await school.sample.pay(sessionId, 'paid')
  }

  await Promise.allSettled(
    orders.map(({ orderId }) => syncOrderWithProvider(school.racingShop, orderId)),
  )

  return selectNumber(school, sql`select max(number) as number from receipts`)
}

/** @returns the code of a gift that can be redeemed */
async function giveCourse({ db, guardedShop }: School): Promise<string> {
  const uid = await insertLearner(db)
  const couponCode = await insertCoupon(db, { percent: 100 })
  const gift = { recipientEmail: 'ben@example.com', senderName: 'Ada', message: '' }
  await startCheckout(guardedShop, { uid, courseId, buyer, couponCode, gift })

  const [storedGift] = await db.select().from(schema.gifts).where(eq(schema.gifts.uid, uid))
  if (!storedGift) {
    throw new Error('No gift was stored.')
  }

  return storedGift.code
}

const countEnrollmentsByOneGift: Race = async (school) => {
  const { db, racingShop } = school
  const code = await giveCourse(school)
  await callTwiceAtOnce(async () => redeemGift(racingShop.db, code, await insertLearner(db)))

  return selectNumber(school, sql`select count(*) as number from enrollments`)
}

const countGiftsRedeemedForOneCourse: Race = async (school) => {
  const codes = [await giveCourse(school), await giveCourse(school)]
  const uid = await insertLearner(school.db)
  await Promise.allSettled(codes.map((code) => redeemGift(school.racingShop.db, code, uid)))

  return selectNumber(
    school,
    sql`select count(*) as number from gifts where redeemed_at is not null`,
  )
}

/** What a race returns with its guard and without it. */
type GuardTest = {
  race: Race
  withGuard: number
  withoutGuard: number
  removedGuard: RemovedGuards
  meetingStatement?: RegExp
}

const readOpenOrder = /from "orders" where .*"state" in .* for update$/
const readUnsettledPayment = /from "payments" where .*"state" in/
const readPaymentById = /from "payments" where "payments"."id" = /
const checkAccess = /or exists \(\s*select from enrollments/

const lockTests: Record<string, GuardTest> = {
  'the lock of a learner’s orders': {
    race: checkOutInTwoTabs,
    withGuard: 0,
    withoutGuard: 1,
    removedGuard: { locks: advisoryLock },
    meetingStatement: readOpenOrder,
  },
  'the lock of a learner’s orders, with nothing to pay': {
    race: countFreeOrdersOfTwoTabs,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { locks: advisoryLock },
    meetingStatement: checkAccess,
  },
  'the lock of a coupon': {
    race: countUsesOfCouponForOneOrder,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { locks: couponLock },
    meetingStatement: /count\(\*\)::int as uses/,
  },
  'the lock of an order that is fulfilled': {
    race: syncPaidOrderTwice,
    withGuard: 0,
    withoutGuard: 1,
    removedGuard: { locks: orderLock },
    meetingStatement: readPaymentById,
  },
  'the lock of an order that is refunded': {
    race: sumOfTwoRefunds,
    withGuard: priceMinor,
    withoutGuard: 2 * priceMinor,
    removedGuard: { locks: orderLock },
    meetingStatement: /as "remainingMinor"\s+from payments/,
  },
  'the lock of an order that is paid by transfer': {
    race: countChargesOfOneTransfer,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { locks: orderLock },
    meetingStatement: /max\("payments"."attempt"\)|max\("attempt"\)/,
  },
  'the lock of an order whose gift is redeemed': {
    race: countEnrollmentsByOneGift,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { locks: orderLock },
    meetingStatement: checkAccess,
  },
  'the lock of a learner’s orders, with two gifts of a course': {
    race: countGiftsRedeemedForOneCourse,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { locks: advisoryLock },
    meetingStatement: checkAccess,
  },
}

const keyTests: Record<string, GuardTest> = {
  orders_one_open: {
    race: countOrdersOfTwoTabs,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { dropKey: 'drop index orders_one_open' },
    meetingStatement: readOpenOrder,
  },
  payments_one_open: {
    race: countPaymentPagesAfterFailedPayment,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { dropKey: 'drop index payments_one_open' },
    meetingStatement: readUnsettledPayment,
  },
  ledger_pkey: {
    race: countRefundsAfterTwoSyncs,
    withGuard: 0,
    withoutGuard: 1,
    removedGuard: { dropKey: 'alter table ledger drop constraint ledger_pkey cascade' },
    meetingStatement: readPaymentById,
  },
  payment_events_pkey: {
    race: countStoredEventsOfOneEvent,
    withGuard: 1,
    withoutGuard: 2,
    removedGuard: { dropKey: 'alter table payment_events drop constraint payment_events_pkey' },
  },
  receipt_counter_pkey: {
    race: issueTwoReceipts,
    withGuard: 2,
    withoutGuard: 0,
    removedGuard: { dropKey: 'alter table receipt_counter drop constraint receipt_counter_pkey' },
  },
}

async function runRace(
  race: Race,
  removedGuards?: RemovedGuards,
  meetingStatement?: RegExp,
): Promise<number> {
  const school = await openSchool(removedGuards, meetingStatement)
  try {
    return await race(school)
  } finally {
    await school.close()
  }
}

it.each(Object.entries(lockTests))('%s is needed', async (_name, guardTest) => {
  const { race, withGuard, withoutGuard, removedGuard, meetingStatement } = guardTest

  expect(await runRace(race)).toBe(withGuard)
  expect(await runRace(race, removedGuard, meetingStatement)).toBe(withoutGuard)
})

it.each(Object.entries(keyTests))(
  '%s is needed where a lock is forgotten',
  async (_name, guardTest) => {
    const { race, withGuard, withoutGuard, removedGuard, meetingStatement } = guardTest
    const withoutLocks = { locks: anyLock }

    expect(await runRace(race, withoutLocks, meetingStatement)).toBe(withGuard)
    expect(await runRace(race, { ...withoutLocks, ...removedGuard }, meetingStatement)).toBe(
      withoutGuard,
    )
  },
)
