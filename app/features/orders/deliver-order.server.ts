import { eq, sql } from 'drizzle-orm'
import { enrollLearner } from '~/features/enrollment/enrollment-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { orders } from '~/server/database/schema'
import { queueOrderMail } from '~/server/mail/outbox.server'
import { type Mover, mayMove, orderMoves } from './order-states'
import type { Order } from './shop.server'

/** Makes an order paid, and gives what it buys. The caller has locked it. */
export async function deliverOrder(
  transaction: Transaction,
  order: Order,
  by: Mover,
): Promise<void> {
  const { id, uid, courseId, state } = order
  if (!uid || !mayMove(orderMoves, state, 'paid', by)) {
    throw new Error(`Order ${id} is ${state}.`)
  }

  await transaction
    .update(orders)
    .set({ state: 'paid', paidAt: sql`now()` })
    .where(eq(orders.id, id))
  if (order.isGift) {
    await queueOrderMail(transaction, uid, 'gift', id)
  } else {
    await enrollLearner(transaction, uid, courseId, { bought: true })
  }

  await queueOrderMail(transaction, uid, 'receipt', id)
}
