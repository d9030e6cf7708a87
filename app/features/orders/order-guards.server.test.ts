import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import * as schema from '~/server/database/schema'
import {
  buyer,
  courseId,
  insertCoupon,
  insertLearner,
  insertRefund,
  openCheckout,
  operatorContext,
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

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

/**
 * Every guard earns its place. Two calls race, first as the product is, then without one guard,
 * where they meet at a statement behind it: what went well before goes wrong then. A key is the
 * second line: it keeps the books right where the program forgot its locks, so that it is taken
 * from a program without any.
 */

const anyLock = /pg_advisory_xact_lock|for (no key )?update$/

type Missing = {
  /** Statements that lock nothing. */
  locks?: RegExp
  /** A constraint or index that is dropped. */
  drop?: string
}

/**
 * A school in a database of its own, whose program lacks some guards.
 *
 * @param meetAt after the answer to this statement, two transactions wait for each other.
 */
async function openSchool({ locks, drop }: Missing = {}, meetAt?: RegExp) {
  const { db, url } = await createTestDatabase()
  if (drop) {
    await db.execute(sql.raw(drop))
  }

  const meet = meetAt ? meeting(meetAt) : async () => {}
  class Unguarded extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: all overloads pass through.
    override query(...parts: any[]): any {
      const [asked, ...rest] = parts
      const text: string = asked.text ?? asked
      const changed = locks?.test(text) ? withoutLock(text) : text
      const given = typeof asked === 'string' ? changed : { ...asked, text: changed }
      const ask = () => super.query(...([given, ...rest] as Parameters<pg.Client['query']>))
      // The pool's own queries have a callback; transactions wait for an answer.
      if (typeof parts.at(-1) === 'function') {
        return ask()
      }

      return (ask() as unknown as Promise<unknown>).then((answer) => meet(text).then(() => answer))
    }
  }
  const pool = new pg.Pool({ connectionString: url, Client: Unguarded })
  const program = drizzle({ client: pool, schema })
  const open = await openSampleShop(db)
  const shop: Shop = { ...open.shop, db: program }
  const close = async () => {
    open.close()
    await pool.end()
  }

  return { db, shop, guarded: open.shop, sample: open.sample, close }
}

type School = Awaited<ReturnType<typeof openSchool>>

/** The same statement, which locks nothing. */
const withoutLock = (text: string) =>
  text.replace(/pg_advisory_xact_lock\((.*)\)/, '$1').replace(/ for (no key )?update$/, '')

/** Lets the first two that ask it go on together. */
function meeting(pattern: RegExp): (text: string) => Promise<void> {
  let arrived = 0
  let goOn = () => {}
  const together = new Promise<void>((resolve) => {
    goOn = resolve
  })

  return async (text) => {
    if (!pattern.test(text)) {
      return
    }

    arrived += 1
    if (arrived === 2) {
      goOn()
    }

    await together
  }
}

async function buy(school: School) {
  const order = await openCheckout(school.guarded, await insertLearner(school.db))
  await payOrder({ shop: school.guarded, sample: school.sample }, order)
  return order
}

const numberOf = async ({ db }: School, query: ReturnType<typeof sql>) =>
  Number((await db.execute<{ number: number }>(query)).rows[0]?.number)

async function bothAtOnce(call: () => Promise<unknown>) {
  const results = await Promise.allSettled([call(), call()])
  return results.filter(({ status }) => status === 'rejected').length
}

type Race = (school: School) => Promise<unknown>

const twoTabs: Race = async (school) => {
  const uid = await insertLearner(school.db)
  return bothAtOnce(() => startCheckout(school.shop, { uid, courseId: courseId, buyer }))
}

const twoTabsForNothing: Race = async (school) => {
  const uid = await insertLearner(school.db)
  const couponCode = await insertCoupon(school.db, { percent: 100 })
  await bothAtOnce(() => startCheckout(school.shop, { uid, courseId: courseId, buyer, couponCode }))

  return numberOf(school, sql`select count(*) as number from orders`)
}

const ordersOfTwoTabs: Race = async (school) => {
  await twoTabs(school)
  return numberOf(school, sql`select count(*) as number from orders`)
}

const pagesAfterFailure: Race = async (school) => {
  const uid = await insertLearner(school.db)
  const { orderId, sessionId } = await openCheckout(school.guarded, uid)
  await school.sample.pay(sessionId, 'processing')
  await syncOrderWithProvider(school.guarded, orderId)
  await school.sample.pay(sessionId, 'failed')
  await syncOrderWithProvider(school.guarded, orderId)
  await bothAtOnce(() => startCheckout(school.shop, { uid, courseId: courseId, buyer }))

  return numberOf(school, sql`select count(*) as number from payments where state = 'started'`)
}

const lastUseOfCoupon: Race = async (school) => {
  const couponCode = await insertCoupon(school.db, { percent: 25, maxUses: 1 })
  await bothAtOnce(async () => {
    const uid = await insertLearner(school.db)
    return startCheckout(school.shop, { uid, courseId: courseId, buyer, couponCode })
  })
  return numberOf(school, sql`select count(*) as number from orders where coupon_code is not null`)
}

const twoLooks: Race = async (school) => {
  const { orderId, sessionId } = await openCheckout(school.guarded, await insertLearner(school.db))
  await school.sample.pay(sessionId, 'paid')
  return bothAtOnce(() => syncOrderWithProvider(school.shop, orderId))
}

const moneyBackAfterTwoLooks: Race = async (school) => {
  await twoLooks(school)
  return numberOf(school, sql`select count(*) as number from refunds`)
}

const eventTwice: Race = async (school) => {
  const { orderId } = await buy(school)
  await bothAtOnce(() => syncOrderWithProvider(school.shop, orderId, { id: 'evt_1', type: 'test' }))
  return numberOf(school, sql`select count(*) as number from payment_events`)
}

const refundTwice: Race = async (school) => {
  const { orderId } = await buy(school)
  const refund = { amountMinor: null, reason: 'test' }
  await bothAtOnce(() => insertRefund(school.shop.db, orderId, refund))

  return numberOf(school, sql`select sum(amount_minor) as number from refunds`)
}

const transferTwice: Race = async (school) => {
  const { orderId } = await openCheckout(school.guarded, await insertLearner(school.db))
  await bothAtOnce(() => markOrderPaid(operatorContext(school.shop.db), school.shop, orderId))
  return numberOf(school, sql`select count(*) as number from ledger`)
}

const receiptsAtOnce: Race = async (school) => {
  const waiting = [
    await openCheckout(school.guarded, await insertLearner(school.db)),
    await openCheckout(school.guarded, await insertLearner(school.db)),
  ]
  for (const { sessionId } of waiting) {
    await school.sample.pay(sessionId, 'paid')
  }

  await Promise.allSettled(
    waiting.map(({ orderId }) => syncOrderWithProvider(school.shop, orderId)),
  )

  return numberOf(school, sql`select max(number) as number from receipts`)
}

/** @returns the gift's code. */
async function give(school: School): Promise<string> {
  const uid = await insertLearner(school.db)
  const couponCode = await insertCoupon(school.db, { percent: 100 })
  const gift = { recipientEmail: 'ben@example.com', senderName: 'Ada', message: '' }
  await startCheckout(school.guarded, { uid, courseId: courseId, buyer, couponCode, gift })
  const [row] = await school.db.select().from(schema.gifts).where(eq(schema.gifts.uid, uid))

  return row?.code ?? ''
}

const giftForTwo: Race = async (school) => {
  const code = await give(school)
  await bothAtOnce(async () => redeemGift(school.shop.db, code, await insertLearner(school.db)))
  return numberOf(school, sql`select count(*) as number from enrollments`)
}

const twoGiftsForOne: Race = async (school) => {
  const codes = [await give(school), await give(school)]
  const uid = await insertLearner(school.db)
  await bothAtOnce(() => redeemGift(school.shop.db, codes.pop() ?? '', uid))

  return numberOf(school, sql`select count(*) as number from gifts where redeemed_at is not null`)
}

type Guard = { right: unknown; wrong: unknown; race: Race; without: Missing; meetAt?: RegExp }

const oneOrder = /from "orders" where "orders"."id" = \$1 for update$/

const locks: Record<string, Guard> = {
  'the lock of a learner’s orders': {
    right: 0,
    wrong: 1,
    race: twoTabs,
    without: { locks: /pg_advisory_xact_lock/ },
    meetAt: /from "orders" where .*"state" in .* for update$/,
  },
  'the lock of a learner’s orders, with nothing to pay': {
    right: 1,
    wrong: 2,
    race: twoTabsForNothing,
    without: { locks: /pg_advisory_xact_lock/ },
    meetAt: /or exists \(\s*select from enrollments/,
  },
  'the lock of a coupon': {
    right: 1,
    wrong: 2,
    race: lastUseOfCoupon,
    without: { locks: /from "coupons" .*for no key update$/ },
    meetAt: /count\(\*\)::int as uses/,
  },
  'the lock of an order that is fulfilled': {
    right: 0,
    wrong: 1,
    race: twoLooks,
    without: { locks: oneOrder },
    meetAt: /from "payments" where "payments"."id" = /,
  },
  'the lock of an order that is refunded': {
    right: priceMinor,
    wrong: 2 * priceMinor,
    race: refundTwice,
    without: { locks: oneOrder },
    meetAt: /as "remainingMinor"\s+from payments/,
  },
  'the lock of an order that is paid by transfer': {
    right: 1,
    wrong: 2,
    race: transferTwice,
    without: { locks: oneOrder },
    meetAt: /max\("payments"."attempt"\)|max\("attempt"\)/,
  },
  'the lock of an order whose gift is redeemed': {
    right: 1,
    wrong: 2,
    race: giftForTwo,
    without: { locks: oneOrder },
    meetAt: /or exists \(\s*select from enrollments/,
  },
  'the lock of a learner’s orders, with two gifts of a course': {
    right: 1,
    wrong: 2,
    race: twoGiftsForOne,
    without: { locks: /pg_advisory_xact_lock/ },
    meetAt: /or exists \(\s*select from enrollments/,
  },
}

const keys: Record<string, Guard> = {
  orders_one_open: {
    right: 1,
    wrong: 2,
    race: ordersOfTwoTabs,
    without: { drop: 'drop index orders_one_open' },
    meetAt: /from "orders" where .*"state" in .* for update$/,
  },
  payments_one_open: {
    right: 1,
    wrong: 2,
    race: pagesAfterFailure,
    without: { drop: 'drop index payments_one_open' },
    meetAt: /from "payments" where .*"state" in/,
  },
  ledger_pkey: {
    right: 0,
    wrong: 1,
    race: moneyBackAfterTwoLooks,
    without: { drop: 'alter table ledger drop constraint ledger_pkey cascade' },
    meetAt: /from "payments" where "payments"."id" = /,
  },
  payment_events_pkey: {
    right: 1,
    wrong: 2,
    race: eventTwice,
    without: { drop: 'alter table payment_events drop constraint payment_events_pkey' },
  },
  receipt_counter_pkey: {
    right: 2,
    wrong: 0,
    race: receiptsAtOnce,
    without: { drop: 'alter table receipt_counter drop constraint receipt_counter_pkey' },
  },
}

async function outcomeOf(race: Race, missing?: Missing, meetAt?: RegExp): Promise<unknown> {
  const school = await openSchool(missing, meetAt)
  try {
    return await race(school)
  } finally {
    await school.close()
  }
}

it.each(Object.entries(locks))(
  '%s is needed',
  async (_name, { right, wrong, race, without, meetAt }) => {
    expect(await outcomeOf(race)).toBe(right)
    expect(await outcomeOf(race, without, meetAt)).toBe(wrong)
  },
)

it.each(Object.entries(keys))('%s is needed where a lock is forgotten', async (_name, guard) => {
  const { right, wrong, race, without, meetAt } = guard
  expect(await outcomeOf(race, { locks: anyLock }, meetAt)).toBe(right)
  expect(await outcomeOf(race, { locks: anyLock, ...without }, meetAt)).toBe(wrong)
})
