import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { type OrderMailKind, orders, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { freeOrderMail, receiptMail } from './order-messages'
import { attachReceipts } from './receipts/receipt-files.server'
import { composeRefundMail } from './refund-requests/refund-mails.server'

/** The mails about an order. @param about the movement of money, for a credit note. @returns null once the account is gone. */
export async function composeOrderMail(
  db: Database,
  kind: OrderMailKind,
  orderId: string | null,
  about: string | null = null,
) {
  return kind === 'receipt' ? composeReceiptMail(db, orderId ?? '') : composeRefundMail(db, kind, orderId ?? '', about)
}

async function composeReceiptMail(db: Database, orderId: string): Promise<Omit<Mail, 'id'> | null> {
  const [order] = await db
    .select({
      id: orders.id,
      title: orders.courseTitle,
      totalMinor: orders.totalMinor,
      email: users.email,
      waiver: orders.waiver,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(eq(orders.id, orderId))
  if (!order) return null
  const { subject, before, link, after } = (order.totalMinor === 0 ? freeOrderMail : receiptMail)({
    title: order.title,
    orderId: order.id,
    waiver: order.waiver,
    chances: [
      ...(env.WITHDRAWAL_DAYS > 0 && !order.waiver ? ['withdraw'] : []),
      ...(env.REFUND_DAYS > 0 ? ['ask for a refund'] : []),
    ],
    refund: `${env.PUBLIC_URL}/Refund`,
  })
  const href = `${env.PUBLIC_URL}/Profile/purchases`
  const letter = composeLetter({ subject, before, link: { label: link, href }, after })
  return { to: order.email, ...letter, attachments: await attachReceipts(db, order.id, 'receipt') }
}
