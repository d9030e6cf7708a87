import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { gifts, type OrderMailKind, orders, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { composeGiftEmail } from './gifts/gift-emails.server'
import { giftReceiptMail } from './gifts/gift-texts'
import { courseClosedMail, freeOrderMail, paymentFailedMail, receiptMail } from './order-texts'
import { attachReceipts } from './receipts/receipt-files.server'
import { composeRefundEmail } from './refunds/refund-emails.server'

/**
 * The mails about an order.
 *
 * @param about the movement of money, for a credit note.
 * @returns null once the account is gone.
 */
export async function composeOrderEmail(
  db: Database,
  kind: OrderMailKind,
  orderId: string | null,
  about: string | null = null,
) {
  if (kind === 'gift') {
    return composeGiftEmail(db, orderId ?? '')
  }

  if (kind === 'course-closed') {
    return composeClosedMail(db, orderId ?? '')
  }

  if (kind === 'payment-failed') {
    return composeFailedMail(db, orderId ?? '')
  }

  return kind === 'receipt'
    ? composeReceiptMail(db, orderId ?? '')
    : composeRefundEmail(db, kind, orderId ?? '', about)
}

async function composeReceiptMail(db: Database, orderId: string): Promise<Omit<Mail, 'id'> | null> {
  const [order] = await db
    .select({
      id: orders.id,
      title: orders.courseTitle,
      totalMinor: orders.totalMinor,
      email: users.email,
      recipient: gifts.recipientEmail,
      waiver: orders.waiver,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .leftJoin(gifts, eq(gifts.orderId, orders.id))
    .where(eq(orders.id, orderId))

  if (!order) {
    return null
  }

  const isFree = order.totalMinor === 0
  const chances = [
    ...(env.WITHDRAWAL_DAYS > 0 && !isFree && !order.waiver ? ['withdraw'] : []),
    ...(env.REFUND_DAYS > 0 && !isFree ? ['ask for a refund'] : []),
  ]
  const about = {
    title: order.title,
    orderId: order.id,
    waiver: order.waiver,
    chances,
    refund: chances.length > 0 ? `${env.PUBLIC_URL}/Refund` : null,
  }
  const { subject, before, link, after } = order.recipient
    ? giftReceiptMail({ ...about, recipient: order.recipient, isFree })
    : (isFree ? freeOrderMail : receiptMail)(about)
  const href = `${env.PUBLIC_URL}/Profile/purchases`
  const letter = composeLetter({ subject, before, link: { label: link, href }, after })

  return { to: order.email, ...letter, attachments: await attachReceipts(db, order.id, 'receipt') }
}

/** @returns null once the order is paid another way. */
async function composeFailedMail(db: Database, orderId: string): Promise<Omit<Mail, 'id'> | null> {
  const [order] = await db
    .select({
      title: orders.courseTitle,
      courseId: orders.courseId,
      isGift: orders.isGift,
      email: users.email,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(and(eq(orders.id, orderId), inArray(orders.state, ['open', 'canceled'])))

  if (!order) {
    return null
  }

  const { link, ...words } = paymentFailedMail({ title: order.title, orderId })
  const href = `${env.PUBLIC_URL}/Checkout/${order.courseId}${order.isGift ? '?gift=1' : ''}`

  return { to: order.email, ...composeLetter({ ...words, link: { label: link, href } }) }
}

/** Goes to the learner who loses the course: of a free order, or of a gift that they redeemed. */
async function composeClosedMail(db: Database, orderId: string): Promise<Omit<Mail, 'id'> | null> {
  const [order] = await db
    .select({
      title: orders.courseTitle,
      courseId: orders.courseId,
      isGift: orders.isGift,
      totalMinor: orders.totalMinor,
      email: users.email,
    })
    .from(orders)
    .leftJoin(gifts, eq(gifts.orderId, orders.id))
    .innerJoin(
      users,
      sql`${users.id} = case when ${orders.isGift} then ${gifts.redeemedBy} else ${orders.uid} end`,
    )
    .where(eq(orders.id, orderId))

  if (!order) {
    return null
  }

  const words = courseClosedMail({ ...order, isFree: order.totalMinor === 0 })
  const href = `${env.PUBLIC_URL}/OneCourse/${order.courseId}`

  return { to: order.email, ...composeLetter({ ...words, link: { label: words.link, href } }) }
}
