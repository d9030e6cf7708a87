import { and, desc, eq, sql } from 'drizzle-orm'
import { formatMoney } from '~/features/school/money'
import type { Database } from '~/server/database/client.server'
import { type OrderMailKind, orders, receipts, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { formatDateTime } from '~/ui/format-date'
import { attach } from '../receipts/receipt-files.server'
import { isExpired, type RefundKind } from './refund-options'
import { findLatestRequest, getRequestedAmount } from './refund-request-queries.server'
import type { RefundRequest } from './refund-request-state.server'
import {
  creditNoteMail,
  declinedMail,
  impossibleMail,
  linkMails,
  ownWords,
  receivedMails,
} from './refund-texts'

const purpose = 'refund-request'

/** The page that confirms what was stated signed out. Opening it changes nothing. */
export async function createRequestLink(requestId: string): Promise<string> {
  return `/Refund?${new URLSearchParams({ request: requestId, key: await sign(purpose, [requestId]) })}`
}

/** @returns which request an address confirms; null for one that we have not signed. */
export async function verifyRequestLink(parameters: URLSearchParams): Promise<string | null> {
  const [id, key] = [parameters.get('request') ?? '', parameters.get('key') ?? '']
  return (await isSigned(purpose, [id], key)) ? id : null
}

type Words = { subject: string; before: readonly string[]; link: string; after: readonly string[] }

/**
 * The mails about getting money back.
 *
 * @param movement what a credit note is about; null for the last one.
 * @returns null once there is nothing to say.
 */
export async function composeRefundEmail(
  db: Database,
  kind: Exclude<OrderMailKind, 'receipt' | 'gift' | 'course-closed' | 'payment-failed'>,
  orderId: string,
  movement: string | null,
): Promise<Omit<Mail, 'id'> | null> {
  const [found] = await db
    .select({ order: orders, email: users.email, timeZone: users.displayTimezone })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(eq(orders.id, orderId))

  if (!found) {
    return null
  }

  const { order, email: to, timeZone } = found
  const about = { title: order.courseTitle, orderId }
  const purchases = `${env.PUBLIC_URL}/Profile/purchases`
  const letter = ({ subject, before, link, after }: Words, href = purchases) => ({
    to,
    ...composeLetter({
      subject,
      before: [...before],
      link: { label: link, href },
      after: [...after],
    }),
  })
  const timeOf = (request: RefundRequest) =>
    formatDateTime(request.statedAt.toISOString(), timeZone)

  if (kind === 'credit-note') {
    const [note] = await db
      .select({ number: receipts.number, document: receipts.document })
      .from(receipts)
      .where(
        and(
          eq(receipts.orderId, orderId),
          sql`${receipts.document} ->> 'kind' = 'credit note'`,
          movement === null ? undefined : eq(receipts.ledgerId, movement),
        ),
      )
      .orderBy(desc(receipts.number))

    if (!note) {
      return null
    }

    const amount = formatMoney(-note.document.totalMinor, order.currency)

    return {
      ...letter(creditNoteMail({ ...about, amount })),
      attachments: await attach(db, [note]),
    }
  }

  const [asked] = kind.split('-') as [RefundKind]
  const request = await findLatestRequest(db, orderId, asked)
  if (kind === 'withdrawal-link' || kind === 'refund-link') {
    if (request?.state !== 'stated' || isExpired(request, new Date())) {
      return letter(impossibleMail(about))
    }

    const href = env.PUBLIC_URL + (await createRequestLink(request.id))
    return letter(linkMails[asked]({ ...about, at: timeOf(request) }), href)
  }

  if (!request) {
    return null
  }

  if (kind === 'refund-declined') {
    return letter(declinedMail({ ...about, answer: request.answer ?? '' }))
  }

  const amount = formatMoney(await getRequestedAmount(db, request.id), order.currency)
  const words = receivedMails[asked]({
    ...about,
    at: timeOf(request),
    name: order.buyer.name,
    amount,
    isGift: order.isGift,
  })

  return letter({
    ...words,
    before: request.reason ? [...words.before, ownWords(request.reason)] : words.before,
  })
}
