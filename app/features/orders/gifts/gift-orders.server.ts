import { and, eq, sql } from 'drizzle-orm'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import { lockLearner } from '~/features/enrollment/learner-locks.server'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { courses, gifts, orders } from '~/server/database/schema'
import { normalizeCode } from '../coupons/coupon'
import { lockOrder, type Order } from '../order-record.server'
import { createRandomCode } from '../random-code.server'
import { type Gift, type GiftState, giftCodeLength, type ShownGift } from './gift'

/**
 * Stores who gets an open order as a gift, and replaces what was entered before. The code can be
 * redeemed once the order is paid.
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

/**
 * Returns the gift of an order that is or was paid.
 *
 * @param uid the learner who looks at the gift, or null for a visitor
 */
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
    state: await getGiftState(db, gift, order, uid),
    code: gift.code,
    courseId: order.courseId,
    courseTitle: order.courseTitle,
    instructorName,
    senderName: gift.senderName,
    message: gift.message,
  }
}

type StoredGift = typeof gifts.$inferSelect

async function getGiftState(
  db: Pick<Statements, 'execute'>,
  gift: StoredGift,
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
 * Enrolls a learner in the course of a gift. The learner has the course as long as the gift's order
 * is paid. A learner who has the course already does not redeem the gift, and can pass it on.
 * Redeeming the same gift again changes nothing.
 *
 * @returns the state of the gift afterwards, or null if there is no such gift
 */
export async function redeemGift(
  db: Database,
  code: string,
  uid: string,
): Promise<GiftState | null> {
  return db.transaction(async (transaction) => {
    // A learner may redeem two gifts of the same course, or buy it, at the same time. The second
    // transaction then sees that the learner has the course.
    await lockLearner(transaction, uid, 'orders')
    const hasCode = eq(gifts.code, normalizeCode(code))
    const [giftBeforeLock] = await transaction.select().from(gifts).where(hasCode)
    const order = giftBeforeLock && (await lockOrder(transaction, giftBeforeLock.orderId))
    const [gift] = await transaction.select().from(gifts).where(hasCode)
    if (!order || !gift || !['paid', 'refunded'].includes(order.state)) {
      return null
    }

    const state = await getGiftState(transaction, gift, order, uid)
    if (state !== 'open') {
      return state
    }

    const redeemed = { redeemedBy: uid, redeemedAt: sql`now()` }
    await transaction.update(gifts).set(redeemed).where(eq(gifts.orderId, order.id))
    await enrollLearner(transaction, uid, order.courseId, { bought: true })

    return 'yours'
  })
}
