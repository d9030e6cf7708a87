/**
 * Gifts: a learner buys a course for somebody else, who redeems it with the code in an email.
 *
 * Every change of a gift locks its order first. The learner who redeems a gift has the course as
 * long as the gift's order is paid.
 */
import { and, eq, sql } from 'drizzle-orm'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import { lockLearner } from '~/features/enrollment/learner-locks.server'
import { findChanges, type NewAuditEntry } from '~/features/staff/audit.server'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { createRandomCode } from '~/server/database/random-id.server'
import { courses, gifts, orders } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import { cleanCode } from '~/ui/form/clean-text'
import { orderStaffActions } from '../order-change.server'
import { isOwned, lockOrder, type Order, type OwnedOrder } from '../order-record.server'
import { type Gift, type GiftStatus, recipientEmail } from './gift'
import type { GiftView } from './gift-page'
import { resendProblems } from './gift-texts'

const giftCodeLength = 16

/**
 * Stores who gets an open order as a gift, and replaces what was entered before. The code can be
 * redeemed once the order is paid.
 */
export async function saveGift(tx: Transaction, { id, uid }: Order, gift: Gift): Promise<void> {
  await tx
    .insert(gifts)
    .values({ orderId: id, uid, code: createRandomCode(giftCodeLength), ...gift })
    .onConflictDoUpdate({ target: gifts.orderId, set: gift })
}

/**
 * Returns the gift of an order that is or was paid.
 *
 * @param uid the learner who opens the gift's page, or null for a visitor
 */
export async function findGift(
  db: Pick<Statements, 'select' | 'execute'>,
  code: string,
  uid: string | null,
): Promise<GiftView | null> {
  const [row] = await db
    .select({ gift: gifts, order: orders, instructorName: courses.instructorName })
    .from(gifts)
    .innerJoin(orders, eq(orders.id, gifts.orderId))
    .innerJoin(courses, eq(courses.id, orders.courseId))
    .where(and(eq(gifts.code, cleanCode(code)), sql`${orders.status} in ('paid', 'refunded')`))
  if (!row) {
    return null
  }

  const { gift, order, instructorName } = row
  return {
    status: await getGiftStatus(db, gift, order, uid),
    code: gift.code,
    courseId: order.courseId,
    courseTitle: order.courseTitle,
    instructorName,
    senderName: gift.senderName,
    message: gift.message,
  }
}

async function getGiftStatus(
  db: Pick<Statements, 'execute'>,
  gift: typeof gifts.$inferSelect,
  { status, courseId }: Order,
  uid: string | null,
): Promise<GiftStatus> {
  if (status !== 'paid') {
    return 'ended'
  }

  if (gift.redeemedAt) {
    return uid !== null && gift.redeemedBy === uid ? 'yours' : 'redeemed'
  }

  return uid !== null && (await hasAccess(db, uid, courseId)) ? 'owned' : 'open'
}

/**
 * Enrolls a learner in the course of a gift. A learner who has the course already does not redeem
 * the gift, and can pass it on. Redeeming the same gift again changes nothing.
 *
 * @returns the status of the gift afterwards, or null if there is no such gift
 */
export async function redeemGift(
  db: Database,
  code: string,
  uid: string,
): Promise<GiftStatus | null> {
  return db.transaction(async (tx) => {
    // A learner may redeem two gifts of the same course, or buy it, at the same time. The second
    // transaction then sees that the learner has the course.
    await lockLearner(tx, uid, 'orders')
    const hasCode = eq(gifts.code, cleanCode(code))

    // The first read only finds out which order to lock. The gift may change until it is locked.
    const [giftBeforeLock] = await tx.select().from(gifts).where(hasCode)
    if (!giftBeforeLock) {
      return null
    }

    const order = await lockOrder(tx, giftBeforeLock.orderId)
    const [gift] = await tx.select().from(gifts).where(hasCode)
    if (order === null || !gift || !['paid', 'refunded'].includes(order.status)) {
      return null
    }

    const status = await getGiftStatus(tx, gift, order, uid)
    if (status !== 'open') {
      return status
    }

    await tx
      .update(gifts)
      .set({ redeemedBy: uid, redeemedAt: sql`now()` })
      .where(eq(gifts.orderId, order.id))
    await enrollLearner(tx, uid, order.courseId, { isPaid: true })

    return 'yours'
  })
}

type ResentGift = { order: OwnedOrder; email: string; hasNewRecipient: boolean }

/** Lets a learner send a gift again that they have given. */
export async function resendOwnGift(
  db: Database,
  gift: { orderId: string; giverUid: string; email: string },
): Promise<Result<ResentGift>> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, gift.orderId)
    if (order === null || !isOwned(order) || order.uid !== gift.giverUid) {
      return failure(resendProblems.notFound)
    }

    return resendGift(tx, order, gift.email)
  })
}

/**
 * Lets staff send a gift again.
 *
 * @param input.email empty for the email address that the gift had before
 */
export async function resendGiftAsStaff(
  context: StaffActionContext,
  input: { orderId: string; email: string },
): Promise<Result<NewAuditEntry>> {
  const email = input.email === '' ? null : recipientEmail.safeParse(input.email)
  if (email?.success === false) {
    return failure('That isn’t an email address.')
  }

  return performStaffAction(context, orderStaffActions.resendGift, async (tx) => {
    const order = await lockOrder(tx, cleanCode(input.orderId))
    if (order === null || !isOwned(order)) {
      return failure(resendProblems.notFound)
    }

    const resent = await resendGift(tx, order, email ? email.data : null)
    if (!resent.ok) {
      return resent
    }

    const { hasNewRecipient } = resent.value
    // The audit log contains no email addresses, least of all of people without an account.
    const previousRecipient = 'the former address'
    return success({
      subject: order.uid,
      arguments: { order: order.id },
      changes: findChanges(
        { sentTo: previousRecipient },
        { sentTo: hasNewRecipient ? 'another address' : previousRecipient },
      ),
      outcome: hasNewRecipient ? 'The gift goes to another address.' : 'The gift is sent again.',
    })
  })
}

/**
 * Emails a gift again that is not redeemed yet. A new recipient gets a new code, so that the person
 * at a mistyped email address can't redeem the gift.
 *
 * @param newEmail null for the email address that the gift had before
 */
async function resendGift(
  tx: Transaction,
  order: OwnedOrder,
  newEmail: string | null,
): Promise<Result<ResentGift>> {
  const [gift] = await tx.select().from(gifts).where(eq(gifts.orderId, order.id))
  const email = newEmail ?? gift?.recipientEmail
  if (!gift || !email || order.status !== 'paid') {
    return failure(resendProblems.notFound)
  }

  if (gift.redeemedAt !== null) {
    return failure(resendProblems.redeemed)
  }

  // Addresses that were stored by earlier versions may have capital letters.
  const hasNewRecipient = email.toLowerCase() !== gift.recipientEmail?.toLowerCase()
  if (hasNewRecipient) {
    await tx
      .update(gifts)
      .set({ recipientEmail: email, code: createRandomCode(giftCodeLength) })
      .where(eq(gifts.orderId, order.id))
  }

  await queueOrderMail(tx, order.uid, 'gift', order.id)
  return success({ order, email, hasNewRecipient })
}
