import { eq } from 'drizzle-orm'
import type { Statements, Transaction } from '~/server/database/client.server'
import { orders, type payments } from '~/server/database/schema'
import { canTransition, type Initiator, type OrderStatus, orderTransitions } from './order-statuses'

export type Order = typeof orders.$inferSelect
export type Payment = typeof payments.$inferSelect

/** An order whose account still exists. */
export type OwnedOrder = Order & { uid: string }

export function isOwned(order: Order): order is OwnedOrder {
  return order.uid !== null
}

export async function findOrder(
  db: Pick<Statements, 'select'>,
  orderId: string,
): Promise<Order | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return order ?? null
}

/**
 * Locks an order until the transaction ends. Every change of an order, its payments and its refunds
 * locks the order first, so that changes of the same order run one after the other.
 */
export async function lockOrder(tx: Transaction, orderId: string): Promise<Order | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
  return order ?? null
}

/**
 * Changes the status of a locked order. The order stays as it is if `orderTransitions` does not
 * allow the initiator to make the change: the provider, for example, can't open a paid order again.
 *
 * @returns the order afterwards
 */
export async function transitionOrderIfAllowed(
  tx: Transaction,
  order: Order,
  nextStatus: OrderStatus,
  initiator: Initiator,
): Promise<Order> {
  if (!canTransition(orderTransitions, order.status, nextStatus, initiator)) {
    return order
  }

  return updateOrder(tx, order.id, { status: nextStatus })
}

/**
 * Writes columns of a locked order.
 *
 * @returns the order afterwards
 */
export async function updateOrder(
  tx: Transaction,
  orderId: string,
  columns: Parameters<ReturnType<typeof tx.update<typeof orders>>['set']>[0],
): Promise<Order> {
  const [order] = await tx.update(orders).set(columns).where(eq(orders.id, orderId)).returning()
  if (!order) {
    throw new Error(`Order ${orderId} does not exist.`)
  }

  return order
}
