import { eq } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { orders } from '~/server/database/schema'
import { mayMove, type OrderState, orderMoves } from './order-states'
import type { Order } from './shop.server'

/** All that happens to an order happens one after another. */
export async function lockOrder(transaction: Transaction, orderId: string): Promise<Order | null> {
  const [order] = await transaction
    .select()
    .from(orders)
    .where(eq(orders.id, orderId))
    .for('update')

  return order ?? null
}

/** Moves by the provider's word; a move that the table doesn't know is none. */
export async function moveOrder(
  transaction: Transaction,
  { id, state }: Order,
  next: OrderState,
): Promise<void> {
  if (mayMove(orderMoves, state, next, 'provider')) {
    await transaction.update(orders).set({ state: next }).where(eq(orders.id, id))
  }
}
