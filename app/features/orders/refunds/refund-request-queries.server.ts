import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import {
  getStoredForms,
  toCanonicalEmail,
} from '~/features/accounts/email-address/email-address.server'
import type { Database, Statements } from '~/server/database/client.server'
import { gifts, orders, refundRequests, users } from '~/server/database/schema'
import { cleanCode } from '~/ui/form/clean-text'
import type { Order } from '../order-record.server'
import type { Shop } from '../shop.server'
import {
  isExpired,
  listRefundOptions,
  type RefundConditions,
  type RefundKind,
  refundKinds,
} from './refund-options'
import type { RefundRequest } from './refund-request-status.server'
import { findRemainingToRefund, remainingOfPayment } from './remaining-amount.server'

type ReadOnlyDatabase = Pick<Statements, 'execute' | 'select'>

/** Reads what decides whether and how a learner can get money back for an order. */
export async function getRefundConditions(
  db: ReadOnlyDatabase,
  order: Order,
): Promise<RefundConditions> {
  const requests = await listRequestsOfOrder(db, order.id)
  const remainingMinor = await findRemainingToRefund(db, order.id)
  if (remainingMinor === null) {
    throw new Error(`Order ${order.id} does not exist.`)
  }

  return {
    status: order.status,
    paidAt: order.paidAt,
    isWithdrawalWaived: order.waivedAt !== null,
    withdrawalDays: order.withdrawalDays,
    refundDays: order.refundDays,
    remainingMinor,
    requests,
  }
}

/**
 * Lists the kinds of requests that the school offers now, or that checkout promised for a paid
 * order whose last day has not ended.
 */
export async function listPossibleKinds({
  db,
  currentRefundPeriods,
}: Pick<Shop, 'db' | 'currentRefundPeriods'>): Promise<RefundKind[]> {
  if (refundKinds.every((kind) => currentRefundPeriods[kind] > 0)) {
    return [...refundKinds]
  }

  const { rows } = await db.execute<Record<RefundKind, boolean>>(sql`
    select
      ${existsOrderWithin(sql`withdrawal_days`)} as withdrawal,
      ${existsOrderWithin(sql`refund_days`)} as refund`)

  return refundKinds.filter((kind) => currentRefundPeriods[kind] > 0 || rows[0]?.[kind] === true)
}

/** Returns the condition that a paid order stores days that have not ended. */
function existsOrderWithin(days: SQL): SQL {
  // The day of the payment does not count.
  return sql`exists (
    select from orders
    where state = 'paid'
      and ${days} > 0
      and paid_at + make_interval(days => ${days} + 1) > now())`
}

async function listRequestsOfOrder(
  db: Pick<Statements, 'select'>,
  orderId: string,
): Promise<RefundRequest[]> {
  return db
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.orderId, orderId))
    .orderBy(refundRequests.requestedAt)
}

/** Tells whether an order was paid by bank transfer, without the payment provider. */
export async function wasPaidByTransfer(
  db: Pick<Statements, 'execute'>,
  orderId: string,
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from payments
    where order_id = ${orderId} and state = 'succeeded' and provider = 'transfer'
    limit 1`)
  return rows.length > 0
}

/**
 * Returns how much a learner asked back with a request: what remained of the payments when the
 * request was confirmed.
 */
export async function getRequestedAmount(
  db: Pick<Statements, 'execute'>,
  requestId: string,
): Promise<number> {
  const { rows } = await db.execute<{ amountMinor: number }>(sql`
    select coalesce(sum(${remainingOfPayment(sql`q.confirmed_at`)}), 0)::int as "amountMinor"
    from refund_requests q
      join payments p on p.order_id = q.order_id and p.state = 'succeeded'
    where q.id = ${requestId}`)

  const [row] = rows
  if (!row) {
    throw new Error('A sum without a group always has one row.')
  }

  return row.amountMinor
}

/**
 * Finds the order that somebody who is signed out means.
 *
 * @returns its ID, or null unless the order number and the email address belong together
 */
export async function findOrderIdByEmail(
  db: Database,
  orderNumber: string,
  submittedEmail: string,
): Promise<string | null> {
  if (toCanonicalEmail(submittedEmail) === null) {
    return null
  }

  const storedForms = sql.param(getStoredForms(submittedEmail))
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(
      and(
        eq(orders.id, cleanCode(orderNumber)),
        sql`array[${users.email}, lower(${orders.buyer} ->> 'email')] && ${storedForms}::text[]`,
      ),
    )

  return order?.id ?? null
}

export async function findRefundRequest(
  db: Pick<Statements, 'select'>,
  requestId: string,
): Promise<RefundRequest | null> {
  const [request] = await db.select().from(refundRequests).where(eq(refundRequests.id, requestId))
  return request ?? null
}

/** Returns the latest request of a kind for an order. */
export async function findLatestRequest(
  db: Pick<Statements, 'select'>,
  orderId: string,
  kind: RefundKind,
): Promise<RefundRequest | null> {
  const [request] = await db
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.orderId, orderId), eq(refundRequests.kind, kind)))
    .orderBy(desc(refundRequests.requestedAt))
    .limit(1)

  return request ?? null
}

/** What the page shows on which a learner gets the money of an order back. */
export type RefundView = {
  kind: RefundKind
  order: {
    id: string
    courseTitle: string
    totalMinor: number
    currency: string
    /** ISO 8601. */
    orderedAt: string
  }
  /** Is null for a course that the learner bought for themselves. */
  gift: 'waiting' | 'redeemed' | null
  /** The last day on which the money can be requested (ISO 8601), or null once it can't. */
  lastDay: string | null
  /** The confirmed request, if there is one. */
  request: {
    status: Exclude<RefundRequest['status'], 'stated'>
    /** When a withdrawal was received, and when a refund was granted or asked for (ISO 8601). */
    at: string
    answer: string | null
  } | null
}

type RefundViewOptions = { order: Order; kind: RefundKind; at?: Date }

/** @param options.at the time that counts for the deadline */
export async function getRefundView(
  { db, currentRefundPeriods }: Pick<Shop, 'db' | 'currentRefundPeriods'>,
  { order, kind, at = new Date() }: RefundViewOptions,
): Promise<RefundView> {
  const conditions = await getRefundConditions(db, order)
  const options = listRefundOptions(conditions, currentRefundPeriods, at)
  const option = options.find((candidate) => candidate.kind === kind)
  const request = await findLatestRequest(db, order.id, kind)
  const { id, courseTitle, totalMinor, currency, createdAt } = order

  return {
    kind,
    order: { id, courseTitle, totalMinor, currency, orderedAt: createdAt.toISOString() },
    gift: await findGiftStatus(db, id),
    lastDay: option?.lastDay.toISOString() ?? null,
    request: request && toConfirmedRequest(request),
  }
}

async function findGiftStatus(db: Database, orderId: string): Promise<RefundView['gift']> {
  const [gift] = await db
    .select({ redeemedAt: gifts.redeemedAt })
    .from(gifts)
    .where(eq(gifts.orderId, orderId))
  if (!gift) {
    return null
  }

  return gift.redeemedAt === null ? 'waiting' : 'redeemed'
}

function toConfirmedRequest(request: RefundRequest): RefundView['request'] {
  const { kind, status, requestedAt, answeredAt, answer } = request
  if (status === 'stated') {
    return null
  }

  // A withdrawal takes effect when it is received, whenever the money goes back.
  const at = kind === 'withdrawal' ? requestedAt : (answeredAt ?? requestedAt)
  return { status, at: at.toISOString(), answer }
}

/** Returns the page behind the link of an email, or null once the link has expired. */
export async function findRefundRequestView(
  shop: Pick<Shop, 'db' | 'currentRefundPeriods'>,
  requestId: string,
): Promise<RefundView | null> {
  const request = await findRefundRequest(shop.db, requestId)
  if (request === null) {
    return null
  }

  const isUnconfirmed = request.status === 'stated'
  if (isUnconfirmed && isExpired(request, new Date())) {
    return null
  }

  const [order] = await shop.db.select().from(orders).where(eq(orders.id, request.orderId))
  if (!order) {
    throw new Error(`The order of refund request ${requestId} does not exist.`)
  }

  return getRefundView(shop, { order, kind: request.kind, at: request.requestedAt })
}
