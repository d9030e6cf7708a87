import { and, eq, sql } from 'drizzle-orm'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { lockList } from '~/features/enrollment/course-work-lock.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { courses, gifts, orders } from '~/server/database/schema'
import { normalizeCode } from '../coupons/coupon'
import { lockOrder, type Order } from '../order-record.server'
import { createRandomCode } from '../random-code.server'
import { type Gift, type GiftState, giftCodeLength, type ShownGift } from './gift'

/**
 * Stores whom an open order is for; what was typed last counts. The code is good once the order is
 * paid.
 */
export async function writeGift(
  transaction: Transaction,
  { id, uid }: Order,
  gift: Gift,
): Promise<void> {
  await transaction
    .insert(gifts)
    .values({ orderId: id, uid, code: createRandomCode(giftCodeLength), ...gift })
    .onConflictDoUpdate({ target: gifts.orderId, set: gift })
}

/** A gift of an order that is or was paid. @param uid of who looks; null for a visitor. */
export async function findGift(
  db: Pick<Statements, 'select' | 'execute'>,
  code: string,
  uid: string | null,
): Promise<ShownGift | null> {
  const [found] = await db
    .select({ gift: gifts, order: orders, instructorName: courses.instructorName })
    .from(gifts)
    .innerJoin(orders, eq(orders.id, gifts.orderId))
    .innerJoin(courses, eq(courses.id, orders.courseId))
    .where(and(eq(gifts.code, normalizeCode(code)), sql`${orders.state} in ('paid', 'refunded')`))

  if (!found) {
    return null
  }

  const { gift, order, instructorName } = found

  return {
    state: await stateOf(db, gift, order, uid),
    code: gift.code,
    courseId: order.courseId,
    courseTitle: order.courseTitle,
    instructorName,
    senderName: gift.senderName,
    message: gift.message,
  }
}

type Row = typeof gifts.$inferSelect

async function stateOf(
  db: Pick<Statements, 'execute'>,
  gift: Row,
  { state, courseId }: Order,
  uid: string | null,
): Promise<GiftState> {
  if (state !== 'paid') {
    return 'ended'
  }

  if (gift.redeemedAt) {
    return uid !== null && gift.redeemedBy === uid ? 'yours' : 'redeemed'
  }

  return uid !== null && (await hasAccess(db, uid, courseId)) ? 'owned' : 'open'
}

/**
 * Gives the gift's course to a learner, who has it as long as the gift's order is paid. Who has the
 * course keeps the gift to pass it on. Idempotent.
 *
 * @returns the state afterwards; null if there is no such gift.
 */
export async function redeemGift(
  db: Database,
  code: string,
  uid: string,
): Promise<GiftState | null> {
  return db.transaction(async (transaction) => {
    // Two gifts of the same course, or a gift beside a purchase: the second one sees that the
    // learner has it.
    await lockList(transaction, 'orders', uid)
    const isMeant = eq(gifts.code, normalizeCode(code))
    const [found] = await transaction.select().from(gifts).where(isMeant)
    const order = found && (await lockOrder(transaction, found.orderId))
    const [gift] = await transaction.select().from(gifts).where(isMeant)
    if (!order || !gift || !['paid', 'refunded'].includes(order.state)) {
      return null
    }

    const state = await stateOf(transaction, gift, order, uid)
    if (state !== 'open') {
      return state
    }

    const redeemed = { redeemedBy: uid, redeemedAt: sql`now()` }
    await transaction.update(gifts).set(redeemed).where(eq(gifts.orderId, order.id))
    await enrollLearner(transaction, uid, order.courseId, { bought: true })

    return 'yours'
  })
}
