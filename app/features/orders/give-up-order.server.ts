import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { orders, payments } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import { lockOrder } from './order-record.server'
import { canTransition, orderTransitions } from './order-states'
import { syncOrderWithProvider } from './payments/sync-order.server'
import type { Shop } from './shop.server'

/**
 * Ends the page to pay on of an order that needs no payment any more. What was paid before that is
 * an order all the same.
 */
async function giveUpOrder(shop: Shop, orderId: string): Promise<void> {
  const { db, provider } = shop
  const open = await db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.orderId, orderId),
        eq(payments.state, 'started'),
        isNotNull(payments.sessionId),
      ),
    )

  for (const { sessionId } of open) {
    await provider.close(sessionId ?? '')
  }

  await syncOrderWithProvider(shop, orderId)
  await db.transaction(async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    const isUnsettled = sql`${payments.state} in ('started', 'processing')`
    const [unsettled] = await transaction
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.orderId, orderId), isUnsettled))
    if (order && !unsettled && canTransition(orderTransitions, order.state, 'canceled', 'sweep')) {
      await transaction.update(orders).set({ state: 'canceled' }).where(eq(orders.id, orderId))
    }
  })
}

const atOnce = 20

/** Open orders of courses that became free or were withdrawn. */
export async function cancelOrdersOfUnavailableCourses(
  shop: Shop,
  mayGoOn: () => boolean,
): Promise<void> {
  const { rows } = await shop.db.execute<{ orderId: string }>(sql`
    select o.id as "orderId" from orders o join courses c on c.id = o.course_id
    where o.state = 'open' and (c.price_cents = 0 or not c.published) limit ${atOnce}`)
  for (const { orderId } of rows) {
    if (!mayGoOn()) {
      return
    }

    await giveUpOrder(shop, orderId).catch((error) => reportError(error))
  }
}
