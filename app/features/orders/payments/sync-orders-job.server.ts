/**
 * The background job that syncs orders with the payment provider, in case the provider's events got
 * lost, and cancels orders that can't be paid any more or were not paid in time.
 *
 * An order is due for a sync while it has an unsettled payment or refund. Another process may take
 * over the job at any time, so each step can be repeated.
 */
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { orders, payments } from '~/server/database/schema'
import { forEachSettled } from '~/server/operations/for-each-settled.server'
import { reportError } from '~/server/operations/log.server'
import { lockOrder } from '../order-record.server'
import { canTransition, orderTransitions, type PaymentStatus } from '../order-statuses'
import type { Shop } from '../shop.server'
import { syncOrderWithProvider } from './sync-order.server'

const unsettledStatuses: PaymentStatus[] = ['started', 'processing']
const batchSize = 100
/** Stripe limits requests, and each order takes a connection to the database. */
const concurrentOrders = 4
/** Closing a payment page takes a request to the provider. */
const maxUnavailablePerRun = 20

/**
 * Syncs the orders that are due, and cancels those that can't or won't be paid.
 *
 * @param mayContinue returns false once another process runs the background jobs
 * @param failingOrderIds the orders that failed in the previous run, and are reported already. This
 *   run updates the set.
 */
export async function syncPendingOrders(
  shop: Shop,
  mayContinue: () => boolean,
  failingOrderIds = new Set<string>(),
): Promise<void> {
  await syncDueOrders(shop, mayContinue, failingOrderIds)
  await cancelOrdersOfUnavailableCourses(shop, mayContinue)
  await cancelAbandonedOrders(shop.db, mayContinue)
}

/**
 * Syncs all orders that are due, each of them once. Otherwise, orders whose payment page was left
 * open would delay orders that are paid.
 */
async function syncDueOrders(
  shop: Shop,
  mayContinue: () => boolean,
  failingOrderIds: Set<string>,
): Promise<void> {
  // In a long run, the first orders are due again before the last ones are synced.
  const syncedOrderIds = new Set<string>()

  while (mayContinue()) {
    const dueOrderIds = await listDueOrders(shop.db)
    const orderIds = dueOrderIds.filter((id) => !syncedOrderIds.has(id))
    if (orderIds.length === 0) {
      return
    }

    await syncOrders(shop, orderIds, { mayContinue, failingOrderIds })
    for (const id of orderIds) {
      syncedOrderIds.add(id)
    }
  }
}

/** Lists the orders that were checked longest ago, with an unsettled payment or refund. */
async function listDueOrders(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ orderId: string }>(sql`
    (
      select order_id as "orderId" from ${payments}
      where state in ${unsettledStatuses} and checked_at < now() - interval '15 seconds'
      order by checked_at
      limit ${batchSize}
    )
    union
    (
      select p.order_id from refunds r join payments p on p.id = r.payment_id
      where r.state in ('requested', 'pending')
        and r.created_at < now() - interval '15 seconds'
        and p.checked_at < now() - interval '15 seconds'
      order by p.checked_at
      limit ${batchSize}
    )`)

  return rows.map(({ orderId }) => orderId)
}

type SyncOptions = { mayContinue: () => boolean; failingOrderIds: Set<string> }

async function syncOrders(
  shop: Shop,
  orderIds: readonly string[],
  { mayContinue, failingOrderIds }: SyncOptions,
): Promise<void> {
  // All workers take their next order from the same iterator.
  const remainingOrderIds = orderIds.values()

  const runWorker = async () => {
    for (const orderId of remainingOrderIds) {
      if (!mayContinue()) {
        return
      }

      await syncDueOrder(shop, orderId, failingOrderIds)
    }
  }

  await Promise.all(Array.from({ length: concurrentOrders }, runWorker))
}

async function syncDueOrder(
  shop: Shop,
  orderId: string,
  failingOrderIds: Set<string>,
): Promise<void> {
  await postponeNextCheck(shop.db, orderId)

  try {
    await syncOrderWithProvider(shop, orderId)
    failingOrderIds.delete(orderId)
  } catch (error) {
    if (!failingOrderIds.has(orderId)) {
      reportError(error)
    }

    failingOrderIds.add(orderId)
  }
}

/** Moves the order to the end of the list, so that an order that fails waits for all others. */
async function postponeNextCheck(db: Database, orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrder(tx, orderId)
    await tx.update(payments).set({ checkedAt: sql`now()` }).where(eq(payments.orderId, orderId))
  })
}

/**
 * Cancels open orders for courses that became free or were taken off sale. Their order is random,
 * so that orders that can't be canceled don't hold up the others.
 */
async function cancelOrdersOfUnavailableCourses(
  shop: Shop,
  mayContinue: () => boolean,
): Promise<void> {
  const { rows } = await shop.db.execute<{ orderId: string }>(sql`
    select o.id as "orderId"
    from orders o join courses c on c.id = o.course_id
    where o.state = 'open' and (c.price_cents = 0 or not c.published)
    order by random()
    limit ${maxUnavailablePerRun}`)

  for (const { orderId } of rows) {
    if (!mayContinue()) {
      return
    }

    await cancelOrder(shop, orderId).catch((error) => reportError(error))
  }
}

/** Closes the payment page of an order and cancels it, unless it was paid before. */
async function cancelOrder(shop: Shop, orderId: string): Promise<void> {
  const { db, provider } = shop
  const openPayments = await db
    .select({ sessionId: sql<string>`${payments.sessionId}` })
    .from(payments)
    .where(
      and(
        eq(payments.orderId, orderId),
        eq(payments.status, 'started'),
        isNotNull(payments.sessionId),
      ),
    )
  for (const { sessionId } of openPayments) {
    await provider.closePaymentPage(sessionId)
  }

  await syncOrderWithProvider(shop, orderId)
  await cancelUnpaidOrder(db, orderId)
}

/**
 * Cancels orders that were not paid within a day, and have no unsettled payment. Their order is
 * random, so that orders that can't be canceled don't hold up the others.
 *
 * @throws the first error, after the other orders
 */
async function cancelAbandonedOrders(db: Database, mayContinue: () => boolean): Promise<void> {
  const { rows } = await db.execute<{ orderId: string }>(sql`
    select id as "orderId"
    from orders
    where state = 'open'
      and created_at < now() - interval '1 day'
      and not exists (
        select from payments p
        where p.order_id = orders.id and p.state in ${unsettledStatuses})
    order by random()
    limit ${batchSize}`)

  await forEachSettled(rows, async ({ orderId }) => {
    if (mayContinue()) {
      await cancelUnpaidOrder(db, orderId)
    }
  })
}

/** Cancels an order, unless it was paid or its learner has started another payment meanwhile. */
async function cancelUnpaidOrder(db: Database, orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order === null) {
      return
    }

    const [unsettledPayment] = await tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.orderId, orderId), inArray(payments.status, unsettledStatuses)))
    if (unsettledPayment) {
      return
    }

    if (canTransition(orderTransitions, order.status, 'canceled', 'expiry-job')) {
      await tx.update(orders).set({ status: 'canceled' }).where(eq(orders.id, orderId))
    }
  })
}
