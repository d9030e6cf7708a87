import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { formatMoney } from '~/features/school/money'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import {
  gifts,
  ledger,
  orders,
  paymentEvents,
  payments,
  receipts,
  refundRequests,
  refunds,
  users,
} from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { followAccess } from './follow-access.server'
import { learnerOf } from './gifts/gift-orders.server'
import { lockOrder } from './move-order.server'
import { mayMove, orderMoves } from './order-states'
import { isBoughtByAnother, takeMoney } from './payments/sync-order.server'
import type { Order, Shop } from './shop.server'

/** What operators see of orders and do to them. */

/** The newest orders with the text in their number, course or learner's address. */
export async function listOrders(db: Pick<Statements, 'select'>, text: string, limit: number) {
  const searched = sql`${orders.id} || ' ' || ${orders.courseId} || ' ' || ${orders.courseTitle} || ' ' || coalesce(${users.email}, '')`
  return db
    .select({ order: orders, email: users.email })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.uid))
    .where(sql`position(lower(${text.trim()}) in lower(${searched})) > 0`)
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
}

/** Leaves out the code, which opens the course. */
const { code: _, ...giftColumns } = getTableColumns(gifts)

/** An order with everything that happened to it. @throws {StartError} */
export async function describeOrder(db: Database, orderId: string) {
  const order = await getOrder(db, orderId)
  const [paid, back, moved, documents, events, requests, [gift = null]] = await Promise.all([
    db.select().from(payments).where(eq(payments.orderId, order.id)).orderBy(payments.attempt),
    db.select().from(refunds).where(eq(refunds.orderId, order.id)).orderBy(refunds.createdAt),
    db.select().from(ledger).where(eq(ledger.orderId, order.id)).orderBy(ledger.at),
    db.select().from(receipts).where(eq(receipts.orderId, order.id)).orderBy(receipts.number),
    db
      .select()
      .from(paymentEvents)
      .where(eq(paymentEvents.orderId, order.id))
      .orderBy(paymentEvents.receivedAt),
    db
      .select()
      .from(refundRequests)
      .where(eq(refundRequests.orderId, order.id))
      .orderBy(refundRequests.statedAt),
    db.select(giftColumns).from(gifts).where(eq(gifts.orderId, order.id)),
  ])

  return {
    order,
    payments: paid,
    refunds: back,
    ledger: moved,
    receipts: documents,
    events,
    requests,
    gift,
  }
}

/** @throws {StartError} */
export async function getOrder(db: Pick<Statements, 'select'>, orderId: string): Promise<Order> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId.trim().toUpperCase()))
  if (!order) {
    throw new StartError(`There’s no order '${orderId}'.`)
  }

  return order
}

/**
 * Asks for a refund. It is sent after the commit (`sendRefunds`); if that fails, the background
 * work repeats it.
 *
 * @param amountMinor null for everything that is left.
 * @throws {StartError} if there is less to give back.
 */
export async function requestRefund(
  transaction: Transaction,
  orderId: string,
  { amountMinor, reason }: { amountMinor: number | null; reason: string },
): Promise<{ order: Order; amountMinor: number }> {
  const { id } = await getOrder(transaction, orderId)
  const order = await lockOrder(transaction, id)
  const { rows: paid } = await transaction.execute<{ paymentId: string; left: number }>(sql`
    select p.id as "paymentId", (p.amount_minor - coalesce((select sum(r.amount_minor) from refunds r
      where r.payment_id = p.id and r.state <> 'failed'), 0))::int as left
    from payments p where p.order_id = ${id} and p.state = 'succeeded' order by p.attempt`)
  if (!order || paid.length === 0) {
    throw new StartError('This order has not been paid.')
  }

  // A second payment has gone back already.
  const { paymentId, left } = paid.find((payment) => payment.left > 0) ?? { paymentId: '', left: 0 }
  if (!paymentId) {
    throw new StartError('This order is refunded already.')
  }

  const amount = amountMinor ?? left
  if (amount <= 0 || amount > left) {
    throw new StartError(`There are ${formatMoney(left, order.currency)} left to give back.`)
  }

  await transaction
    .insert(refunds)
    .values({ id: randomId(), orderId: id, paymentId, amountMinor: amount, reason })

  return { order, amountMinor: amount }
}

/**
 * Records money that came without the provider, like a bank transfer. It may arrive after the order
 * was closed.
 *
 * @throws {StartError} for an order that doesn't need to be paid.
 */
export async function markPaidByTransfer(
  transaction: Transaction,
  shop: Shop,
  orderId: string,
): Promise<Order> {
  const { id } = await getOrder(transaction, orderId)
  const order = await lockOrder(transaction, id)
  if (!order || order.state === 'paid' || !mayMove(orderMoves, order.state, 'paid', 'operator')) {
    throw new StartError('Only an order that is not paid yet can be marked as paid.')
  }

  if (!order.uid) {
    throw new StartError('The learner’s account is deleted. Send the money back.')
  }

  if (await isBoughtByAnother(transaction, order)) {
    throw new StartError(
      'The learner has bought this course already, or got it as a gift. Send the money back.',
    )
  }

  const [{ last } = { last: 0 }] = await transaction
    .select({ last: sql<number>`coalesce(max(${payments.attempt}), 0)::int` })
    .from(payments)
    .where(eq(payments.orderId, id))
  const [payment] = await transaction
    .insert(payments)
    .values({
      id: randomId(),
      orderId: id,
      attempt: last + 1,
      provider: 'transfer',
      state: 'succeeded',
      amountMinor: order.totalMinor,
      expiresAt: sql`now()`,
      settledAt: sql`now()`,
    })
    .returning()

  if (!payment) {
    throw new Error('A payment was not stored.')
  }

  await takeMoney(transaction, shop, order, payment)

  return order
}

/**
 * Ends a free order, and with it the access, as a refund does for a paid one. The coupon stays
 * used.
 *
 * @throws {StartError} for an order that was paid, or that gives no access.
 */
export async function endFreeOrder(transaction: Transaction, orderId: string): Promise<Order> {
  const { id } = await getOrder(transaction, orderId)
  const order = await lockOrder(transaction, id)
  if (!order || order.totalMinor > 0) {
    throw new StartError('This order was not free: give its money back instead.')
  }

  if (!mayMove(orderMoves, order.state, 'refunded', 'operator')) {
    throw new StartError('This order gives no access.')
  }

  await transaction
    .update(orders)
    .set({ state: 'refunded', endedAt: sql`now()` })
    .where(eq(orders.id, id))
  const learner = await learnerOf(transaction, order)
  if (learner) {
    await followAccess(transaction, order, learner)
  }

  return order
}

/** One line for each movement of money, for the bookkeeper. */
export async function* listLedgerRows(
  transaction: Transaction,
  atOnce: number,
): AsyncGenerator<LedgerRow[]> {
  for (let after = 0; ; ) {
    const { rows } = await transaction.execute<LedgerRow>(sql`
      select r.number, r.document ->> 'kind' as kind, l.at::text, l.amount_minor as "amountMinor", l.currency,
        (r.document ->> 'taxMinor')::int as "taxMinor", r.document #>> '{discount,code}' as coupon,
        (r.document #>> '{discount,amountMinor}')::int as "discountMinor", o.id as "orderId", o.course_id as "courseId",
        o.course_title as "courseTitle", o.is_gift as "isGift", c.instructor_name as instructor,
        r.document -> 'buyer' ->> 'country' as country, r.document -> 'buyer' ->> 'vatNumber' as "vatNumber"
      from receipts r join ledger l on l.id = r.ledger_id join orders o on o.id = r.order_id
        join courses c on c.id = o.course_id
      where r.number > ${after} order by r.number limit ${atOnce}`)

    yield rows
    if (rows.length < atOnce) {
      return
    }

    after = rows.at(-1)?.number ?? 0
  }
}

export type LedgerRow = {
  number: number
  kind: string
  at: string
  amountMinor: number
  currency: string
  taxMinor: number
  coupon: string | null
  discountMinor: number | null
  orderId: string
  courseId: string
  courseTitle: string
  isGift: boolean
  instructor: string
  country: string | null
  vatNumber: string | null
}
