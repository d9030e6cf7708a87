/**
 * Emails about getting money back. Each one reads the order right before it is sent, and is not
 * sent if there is nothing to say any more. All wording is in `refund-texts.ts`.
 */
import { and, desc, eq, sql } from 'drizzle-orm'
import { formatMoney } from '~/features/school/money'
import type { Database } from '~/server/database/client.server'
import { type OrderMailKind, orders, receipts, users } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { composeEmail } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { formatDateTime } from '~/ui/format-date'
import type { Order } from '../order-record.server'
import { attachPdfs } from '../receipts/receipt-files.server'
import { isExpired, type RefundKind } from './refund-options'
import { findLatestRequest, getRequestedAmount } from './refund-request-queries.server'
import type { RefundRequest } from './refund-request-status.server'
import { refundEmailTexts } from './refund-texts'

type Email = Omit<Mail, 'id'>
type RefundEmailKind = Exclude<
  OrderMailKind,
  'receipt' | 'gift' | 'course-closed' | 'payment-failed'
>

/**
 * @param ledgerId the movement of money that a credit note is about; null for the latest one
 * @returns null once there is nothing to say, or nobody to email
 */
export async function composeRefundEmail(
  db: Database,
  kind: RefundEmailKind,
  orderId: string,
  ledgerId: string | null,
): Promise<Email | null> {
  const recipient = await findRecipient(db, orderId)
  if (recipient === null) {
    return null
  }

  switch (kind) {
    case 'credit-note':
      return composeCreditNoteEmail(db, recipient, ledgerId)

    case 'withdrawal-link':
      return composeLinkEmail(db, recipient, 'withdrawal')

    case 'refund-link':
      return composeLinkEmail(db, recipient, 'refund')

    case 'withdrawal-received':
      return composeReceivedEmail(db, recipient, 'withdrawal')

    case 'refund-received':
      return composeReceivedEmail(db, recipient, 'refund')

    case 'refund-declined':
      return composeDeclinedEmail(db, recipient)
  }
}

const signaturePurpose = 'refund-request'

/**
 * Returns the path of the page that confirms a refund request. Opening the page changes nothing.
 */
export async function createRequestPath(requestId: string): Promise<string> {
  const key = await sign(signaturePurpose, [requestId])
  return `/Refund?${new URLSearchParams({ request: requestId, key })}`
}

/** Returns the ID of the refund request in a signed URL, or null if the signature is wrong. */
export async function verifyRequestLink(parameters: URLSearchParams): Promise<string | null> {
  const requestId = parameters.get('request')
  const key = parameters.get('key')
  if (requestId === null || key === null) {
    return null
  }

  return (await isValidSignature(signaturePurpose, [requestId], key)) ? requestId : null
}

type Recipient = { order: Order; email: string; timeZone: string }

/** Returns the buyer, or null once the account is deleted. */
async function findRecipient(db: Database, orderId: string): Promise<Recipient | null> {
  const [recipient] = await db
    .select({ order: orders, email: users.email, timeZone: users.displayTimezone })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(eq(orders.id, orderId))

  return recipient ?? null
}

type EmailText = {
  subject: string
  beforeLink: readonly string[]
  link: string
  afterLink: readonly string[]
}

function toEmail(
  recipient: Recipient,
  text: EmailText,
  href = `${env.PUBLIC_URL}/Profile/purchases`,
): Email {
  const email = composeEmail({
    subject: text.subject,
    beforeLink: [...text.beforeLink],
    link: { label: text.link, href },
    afterLink: [...text.afterLink],
  })
  return { to: recipient.email, ...email }
}

async function composeCreditNoteEmail(
  db: Database,
  recipient: Recipient,
  ledgerId: string | null,
): Promise<Email | null> {
  const { order } = recipient
  const [creditNote] = await db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .where(
      and(
        eq(receipts.orderId, order.id),
        sql`${receipts.document} ->> 'kind' = 'credit note'`,
        ledgerId === null ? undefined : eq(receipts.ledgerId, ledgerId),
      ),
    )
    .orderBy(desc(receipts.number))
    .limit(1)
  if (!creditNote) {
    return null
  }

  const amount = formatMoney(-creditNote.document.totalMinor, order.currency)
  const text = refundEmailTexts.creditNote({ ...describeOrder(order), amount })
  return { ...toEmail(recipient, text), attachments: await attachPdfs(db, [creditNote]) }
}

/** The link confirms a request. The email says so if there is nothing to confirm. */
async function composeLinkEmail(
  db: Database,
  recipient: Recipient,
  kind: RefundKind,
): Promise<Email> {
  const { order } = recipient
  const request = await findLatestRequest(db, order.id, kind)
  const canBeConfirmed = request?.status === 'stated' && !isExpired(request, new Date())
  if (!canBeConfirmed) {
    return toEmail(recipient, refundEmailTexts.notPossible(describeOrder(order)))
  }

  const at = formatRequestedAt(recipient, request)
  const text = refundEmailTexts.link[kind]({ ...describeOrder(order), at })
  return toEmail(recipient, text, env.PUBLIC_URL + (await createRequestPath(request.id)))
}

async function composeReceivedEmail(
  db: Database,
  recipient: Recipient,
  kind: RefundKind,
): Promise<Email | null> {
  const { order } = recipient
  const request = await findLatestRequest(db, order.id, kind)
  if (request === null) {
    return null
  }

  const text = refundEmailTexts.received[kind]({
    ...describeOrder(order),
    at: formatRequestedAt(recipient, request),
    name: order.buyer.name,
    amount: formatMoney(await getRequestedAmount(db, request.id), order.currency),
    isGift: order.isGift,
  })
  const reason = request.reason === '' ? [] : [refundEmailTexts.reason(request.reason)]
  return toEmail(recipient, { ...text, beforeLink: [...text.beforeLink, ...reason] })
}

async function composeDeclinedEmail(db: Database, recipient: Recipient): Promise<Email | null> {
  const { order } = recipient
  const request = await findLatestRequest(db, order.id, 'refund')
  if (request === null || request.answer === null) {
    return null
  }

  const text = refundEmailTexts.declined({ ...describeOrder(order), answer: request.answer })
  return toEmail(recipient, text)
}

function describeOrder(order: Order) {
  return { title: order.courseTitle, orderId: order.id }
}

function formatRequestedAt({ timeZone }: Recipient, { requestedAt }: RefundRequest): string {
  return formatDateTime(requestedAt.toISOString(), timeZone)
}
