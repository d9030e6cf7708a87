import { and, eq, sql } from 'drizzle-orm'
import { canonicalEmail } from '~/features/accounts/email-address/email-address.server'
import type { Database, Statements } from '~/server/database/client.server'
import { gifts, orders, refundRequests, users } from '~/server/database/schema'
import type { Shop } from '../shop.server'
import { isFresh, listRefundChances, type RefundKind } from './refund-options'

export type RefundRequest = typeof refundRequests.$inferSelect

/**
 * In SQL about an order `o`: what was paid for it, and is neither given back nor on its way back.
 */
export const leftToRefund = sql`coalesce((
  select sum(p.amount_minor - coalesce((
    select sum(r.amount_minor) from refunds r where r.payment_id = p.id and r.state <> 'failed'), 0))
  from payments p where p.order_id = o.id and p.state = 'succeeded'), 0)::int`

/** What `listRefundChances` asks, and how the money came. */
export async function readRefundFacts(db: Pick<Statements, 'execute' | 'select'>, orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  if (!order) {
    return null
  }

  const requests = await db
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.orderId, orderId))
    .orderBy(refundRequests.statedAt)
  const { rows } = await db.execute<{ leftMinor: number; byTransfer: boolean }>(sql`
    select ${leftToRefund} as "leftMinor", exists (select from payments p where p.order_id = o.id
      and p.state = 'succeeded' and p.provider = 'transfer') as "byTransfer" from orders o where o.id = ${orderId}`)
  const { leftMinor = 0, byTransfer = false } = rows[0] ?? {}

  return {
    order,
    requests,
    state: order.state,
    paidAt: order.paidAt,
    isWaived: order.waivedAt !== null,
    leftMinor,
    byTransfer,
  }
}

/**
 * What the learner asked back when they confirmed a request: less than the price where a part had
 * gone back before.
 */
export async function readAskedBack(
  db: Pick<Statements, 'execute'>,
  requestId: string,
): Promise<number> {
  const { rows } = await db.execute<{ minor: number }>(sql`
    select coalesce(sum(p.amount_minor - coalesce((select sum(r.amount_minor) from refunds r
      where r.payment_id = p.id and r.state <> 'failed' and r.created_at < q.confirmed_at), 0)), 0)::int as minor
    from refund_requests q join payments p on p.order_id = q.order_id and p.state = 'succeeded'
    where q.id = ${requestId}`)

  return rows[0]?.minor ?? 0
}

/**
 * By what somebody types who is signed out.
 *
 * @returns the order's number; null unless both belong together.
 */
export async function findOrderByAddress(
  db: Database,
  number: string,
  email: string,
): Promise<string | null> {
  const address = canonicalEmail(email)
  if (!address) {
    return null
  }

  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.uid))
    .where(
      and(
        eq(orders.id, number.trim().toUpperCase()),
        sql`${address} in (${users.email}, lower(${orders.buyer} ->> 'email'))`,
      ),
    )

  return order?.id ?? null
}

/** The request that a mailed link confirms, while it can. */
export async function findStated(
  db: Pick<Statements, 'select'>,
  id: string,
): Promise<RefundRequest | null> {
  const [request] = await db.select().from(refundRequests).where(eq(refundRequests.id, id))
  return request ?? null
}

/** The latest request of a kind about an order; for a mail. */
export async function findLatest(
  db: Pick<Statements, 'select'>,
  orderId: string,
  kind: RefundKind,
): Promise<RefundRequest | null> {
  const found = await db
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.orderId, orderId), eq(refundRequests.kind, kind)))
    .orderBy(refundRequests.statedAt)

  return found.at(-1) ?? null
}

/** An order's money, as the page shows it that asks for it back. */
export type RefundView = {
  kind: RefundKind
  order: {
    id: string
    courseTitle: string
    totalMinor: number
    currency: string
    orderedAt: string
  }
  /** Null for a course that the learner bought for themselves. */
  gift: 'waiting' | 'redeemed' | null
  /** Until when it can be asked for; null once it can't. */
  lastDay: string | null
  /** What was asked for already. */
  request: {
    state: Exclude<RefundRequest['state'], 'stated'>
    at: string
    answer: string | null
  } | null
}

/**
 * @param uid of the order's learner; undefined for the reader of a mailed link.
 * @returns null for an order of another.
 */
export async function findRefundView(
  { db, refundDays }: Pick<Shop, 'db' | 'refundDays'>,
  {
    orderId,
    kind,
    uid,
    at = new Date(),
  }: { orderId: string; kind: RefundKind; uid?: string; at?: Date },
): Promise<RefundView | null> {
  const facts = await readRefundFacts(db, orderId)
  if (!facts || (uid !== undefined && facts.order.uid !== uid)) {
    return null
  }

  const { id, courseTitle, totalMinor, currency, createdAt } = facts.order
  const chance = listRefundChances(facts, refundDays, at).find((each) => each.kind === kind)
  const asked = facts.requests.findLast((request) => request.kind === kind)
  const [gift] = await db
    .select({ redeemedAt: gifts.redeemedAt })
    .from(gifts)
    .where(eq(gifts.orderId, id))

  return {
    kind,
    order: { id, courseTitle, totalMinor, currency, orderedAt: createdAt.toISOString() },
    gift: gift ? (gift.redeemedAt ? 'redeemed' : 'waiting') : null,
    lastDay: chance?.lastDay.toISOString() ?? null,
    request:
      asked && asked.state !== 'stated' ? shownRequest({ ...asked, state: asked.state }) : null,
  }
}

function shownRequest<State extends string>(
  request: Pick<RefundRequest, 'statedAt' | 'answer'> & { state: State },
) {
  return { state: request.state, at: request.statedAt.toISOString(), answer: request.answer }
}

/** Behind the link of a mail. @returns null once it is too old. */
export async function findStatedView(
  shop: Pick<Shop, 'db' | 'refundDays'>,
  requestId: string,
): Promise<RefundView | null> {
  const request = await findStated(shop.db, requestId)
  if (!request || (request.state === 'stated' && !isFresh(request, new Date()))) {
    return null
  }

  const { orderId, kind, statedAt } = request

  return findRefundView(shop, { orderId, kind, at: statedAt })
}
