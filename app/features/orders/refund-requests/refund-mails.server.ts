import { desc, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { type OrderMailKind, orders, receipts, refunds, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { formatDateTime } from '~/ui/format-date'
import { moneyText } from '../money'
import { attachReceipts } from '../receipts/receipt-files.server'
import { isFresh, type RefundKind } from './refund-chances'
import { creditNoteMail, declinedMail, impossibleMail, linkMails, ownWords, receivedMails } from './refund-messages'
import { findLatest, type RefundRequest, readRefundFacts } from './refund-request-queries.server'

const purpose = 'refund-request'

/** The page that confirms what was stated signed out. Opening it changes nothing. */
export async function confirmationAddress(requestId: string): Promise<string> {
  return `/Refund?${new URLSearchParams({ request: requestId, key: await sign(purpose, [requestId]) })}`
}

/** @returns which request an address confirms; null for one that we have not signed. */
export async function requestOfAddress(parameters: URLSearchParams): Promise<string | null> {
  const [id, key] = [parameters.get('request') ?? '', parameters.get('key') ?? '']
  return (await isSigned(purpose, [id], key)) ? id : null
}

type Words = { subject: string; before: readonly string[]; link: string; after: readonly string[] }

/** The mails about getting money back. @returns null once there is nothing to say. */
export async function composeRefundMail(
  db: Database,
  kind: Exclude<OrderMailKind, 'receipt' | 'gift'>,
  orderId: string,
): Promise<Omit<Mail, 'id'> | null> {
  const [found] = await db
    .select({ order: orders, email: users.email, timeZone: users.displayTimezone })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(eq(orders.id, orderId))
  if (!found) return null
  const { order, email: to, timeZone } = found
  const about = { title: order.courseTitle, orderId }
  const purchases = `${env.PUBLIC_URL}/Profile/purchases`
  const letter = ({ subject, before, link, after }: Words, href = purchases) => ({
    to,
    ...composeLetter({ subject, before: [...before], link: { label: link, href }, after: [...after] }),
  })
  const timeOf = (request: RefundRequest) => formatDateTime(request.statedAt.toISOString(), timeZone)

  if (kind === 'credit-note') {
    const [note] = await db
      .select({ totalMinor: sql<number>`(${receipts.document} ->> 'totalMinor')::int` })
      .from(receipts)
      .where(eq(receipts.orderId, orderId))
      .orderBy(desc(receipts.number))
    const amount = moneyText(Math.abs(note?.totalMinor ?? 0), order.currency)
    return {
      ...letter(creditNoteMail({ ...about, amount })),
      attachments: await attachReceipts(db, orderId, 'credit note'),
    }
  }
  const [asked] = kind.split('-') as [RefundKind]
  const request = await findLatest(db, orderId, asked)
  if (kind === 'withdrawal-link' || kind === 'refund-link') {
    if (request?.state !== 'stated' || !isFresh(request, new Date())) return letter(impossibleMail(about))
    const href = env.PUBLIC_URL + (await confirmationAddress(request.id))
    return letter(linkMails[asked]({ ...about, at: timeOf(request) }), href)
  }
  if (!request) return null
  if (kind === 'refund-declined') return letter(declinedMail({ ...about, answer: request.answer ?? '' }))
  const amount = moneyText(await amountGoingBack(db, orderId), order.currency)
  const words = receivedMails[asked]({ ...about, at: timeOf(request), name: order.buyer.name, amount })
  return letter({ ...words, before: request.reason ? [...words.before, ownWords(request.reason)] : words.before })
}

/** Not the whole price, if a part of it went back before. */
async function amountGoingBack(db: Database, orderId: string): Promise<number> {
  const facts = await readRefundFacts(db, orderId)
  if (facts && facts.leftMinor > 0) return facts.leftMinor
  const [refund] = await db
    .select({ amountMinor: refunds.amountMinor })
    .from(refunds)
    .where(eq(refunds.orderId, orderId))
    .orderBy(desc(refunds.createdAt))
    .limit(1)
  return refund?.amountMinor ?? 0
}
