/**
 * Emails about orders. Each function reads the order right before the email is sent, so that the
 * email is never out of date, and returns null if there is nothing to send any more. All wording is
 * in `order-texts.ts`.
 */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { gifts, type OrderMailKind, orders, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { composeEmail } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { giftPath } from './gifts/gift'
import { giftEmailTexts } from './gifts/gift-texts'
import { orderEmailTexts, type ReceiptDetails } from './order-texts'
import { attachDocuments } from './receipts/receipt-files.server'
import { composeRefundEmail } from './refunds/refund-emails.server'
import { getRefundPeriods, type OrderRefundDays } from './refunds/refund-options'
import { currentRefundPeriods } from './sale-rules.server'

type Email = Omit<Mail, 'id'>

/** @param ledgerId the movement of money that a credit note is about */
export async function composeOrderEmail(
  db: Database,
  kind: OrderMailKind,
  orderId: string | null,
  ledgerId: string | null = null,
): Promise<Email | null> {
  if (orderId === null) {
    throw new Error(`An email of the kind '${kind}' needs an order.`)
  }

  switch (kind) {
    case 'receipt':
      return composeReceiptEmail(db, orderId)

    case 'gift':
      return composeGiftEmail(db, orderId)

    case 'payment-failed':
      return composePaymentFailedEmail(db, orderId)

    case 'course-closed':
      return composeCourseClosedEmail(db, orderId)

    default:
      return composeRefundEmail(db, kind, orderId, ledgerId)
  }
}

/** Thanks the buyer, and says how to get the money back. */
async function composeReceiptEmail(db: Database, orderId: string): Promise<Email | null> {
  const [order] = await db
    .select({
      id: orders.id,
      title: orders.courseTitle,
      totalMinor: orders.totalMinor,
      email: users.email,
      recipient: gifts.recipientEmail,
      waiver: orders.waiver,
      withdrawalDays: orders.withdrawalDays,
      refundDays: orders.refundDays,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .leftJoin(gifts, eq(gifts.orderId, orders.id))
    .where(eq(orders.id, orderId))
  if (!order) {
    return null
  }

  const refundOptions = listRefundOptionTexts(order)
  const text = getReceiptText({
    title: order.title,
    orderId: order.id,
    waiver: order.waiver,
    refundOptions,
    refundUrl: refundOptions.length > 0 ? `${env.PUBLIC_URL}/Refund` : null,
    isFree: order.totalMinor === 0,
    recipient: order.recipient,
  })
  const { subject, beforeLink, link, afterLink } = text
  const href = `${env.PUBLIC_URL}/Profile/purchases`

  return {
    to: order.email,
    ...composeEmail({ subject, beforeLink, link: { label: link, href }, afterLink }),
    attachments: await attachDocuments(db, order.id, 'receipt'),
  }
}

type ReceiptOrder = ReceiptDetails & {
  isFree: boolean
  /** The recipient's email address if the order is a gift. */
  recipient: string | null
}

function getReceiptText({ recipient, ...order }: ReceiptOrder) {
  if (recipient !== null) {
    return giftEmailTexts.receipt({ ...order, recipient })
  }

  return order.isFree ? orderEmailTexts.freeOrder(order) : orderEmailTexts.receipt(order)
}

/** Lists how the buyer can get the money back, as the email says it. */
function listRefundOptionTexts(
  order: OrderRefundDays & { totalMinor: number; waiver: string | null },
): string[] {
  if (order.totalMinor === 0) {
    return []
  }

  const refundPeriods = getRefundPeriods(order, currentRefundPeriods())
  const options: string[] = []
  if (refundPeriods.withdrawal > 0 && !order.waiver) {
    options.push('withdraw')
  }

  if (refundPeriods.refund > 0) {
    options.push('ask for a refund')
  }

  return options
}

/** Gives the recipient the gift's link. Returns null once the gift is redeemed or refunded. */
async function composeGiftEmail(db: Database, orderId: string): Promise<Email | null> {
  const [row] = await db
    .select({ gift: gifts, title: orders.courseTitle })
    .from(gifts)
    .innerJoin(orders, eq(orders.id, gifts.orderId))
    .where(and(eq(gifts.orderId, orderId), eq(orders.status, 'paid'), isNull(gifts.redeemedAt)))
  if (!row || row.gift.recipientEmail === null) {
    return null
  }

  const { code, recipientEmail, senderName, message } = row.gift
  const { link, ...text } = giftEmailTexts.gift(row.title, senderName, message)
  const href = `${env.PUBLIC_URL}${giftPath(code)}`

  return { to: recipientEmail, ...composeEmail({ ...text, link: { label: link, href } }) }
}

/** Returns null once the order is paid in another way. */
async function composePaymentFailedEmail(db: Database, orderId: string): Promise<Email | null> {
  // After a failed payment an order is open again, or canceled if its price no longer holds.
  const [order] = await db
    .select({
      title: orders.courseTitle,
      courseId: orders.courseId,
      isGift: orders.isGift,
      email: users.email,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(and(eq(orders.id, orderId), inArray(orders.status, ['open', 'canceled'])))
  if (!order) {
    return null
  }

  const { link, ...text } = orderEmailTexts.paymentFailed({ title: order.title, orderId })
  const query = order.isGift ? '?gift=1' : ''
  const href = `${env.PUBLIC_URL}/Checkout/${order.courseId}${query}`

  return { to: order.email, ...composeEmail({ ...text, link: { label: link, href } }) }
}

/** Tells the learner who loses the course: the buyer, or the learner who redeemed the gift. */
async function composeCourseClosedEmail(db: Database, orderId: string): Promise<Email | null> {
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

  const text = orderEmailTexts.courseClosed({ ...order, isFree: order.totalMinor === 0 })
  const href = `${env.PUBLIC_URL}/OneCourse/${order.courseId}`

  return { to: order.email, ...composeEmail({ ...text, link: { label: text.link, href } }) }
}
