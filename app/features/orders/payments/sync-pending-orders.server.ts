import { eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { payments } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import { cancelOrdersOfUnavailableCourses } from '../give-up-order.server'
import { lockOrder } from '../order-record.server'
import type { PaymentState } from '../order-states'
import type { Shop } from '../shop.server'
import { syncOrderWithProvider } from './sync-order.server'

const unsettledStates: PaymentState[] = ['started', 'processing']
const sweepAtOnce = 100
/** Few, because Stripe limits requests, and each takes a connection to the database. */
const sweepSideBySide = 4

/**
 * Asks the provider about payments that no event has settled, and sends refunds that are still to
 * be sent.
 *
 * @param failing the orders that failed last time, and are reported already.
 * @param mayGoOn false once another process does the background work.
 */
export async function syncPendingOrders(
  shop: Shop,
  mayGoOn: () => boolean,
  failing = new Set<string>(),
): Promise<void> {
  // All that are due, because learners who leave their page open must not keep those waiting who
  // have paid.
  for (
    let due = await listDue(shop.db);
    due.length > 0 && mayGoOn();
    due = await listDue(shop.db)
  ) {
    const waiting = due.values()
    const takeUp = async () => {
      for (const orderId of waiting) {
        if (!mayGoOn()) {
          return
        }

        await countAsAsked(shop.db, orderId)
        await syncOrderWithProvider(shop, orderId).then(
          () => failing.delete(orderId),
          (error) => {
            if (!failing.has(orderId)) {
              reportError(error)
            }

            failing.add(orderId)
          },
        )
      }
    }

    await Promise.all(Array.from({ length: sweepSideBySide }, takeUp))
  }

  await cancelOrdersOfUnavailableCourses(shop, mayGoOn)
  if (mayGoOn()) {
    await cancelAbandoned(shop.db)
  }
}

/** The orders that were not asked about for the longest time. */
async function listDue(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ orderId: string }>(sql`
    (select order_id as "orderId" from ${payments}
      where state in ${unsettledStates} and checked_at < now() - interval '15 seconds'
      order by checked_at limit ${sweepAtOnce})
    union
    (select p.order_id from refunds r join payments p on p.id = r.payment_id
      where r.state in ('requested', 'pending') and r.created_at < now() - interval '15 seconds'
        and p.checked_at < now() - interval '15 seconds'
      order by p.checked_at limit ${sweepAtOnce})`)

  return [...new Set(rows.map(({ orderId }) => orderId))]
}

/** Before it is asked, so that an order that fails takes its turn with the others. */
async function countAsAsked(db: Database, orderId: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await lockOrder(transaction, orderId)
    await transaction
      .update(payments)
      .set({ checkedAt: sql`now()` })
      .where(eq(payments.orderId, orderId))
  })
}

/** Orders that were not paid within a day, and whose page to pay on has expired. */
async function cancelAbandoned(db: Database): Promise<void> {
  await db.execute(sql`
    update orders set state = 'canceled' where state = 'open' and created_at < now() - interval '1 day'
      and not exists (select from payments p where p.order_id = orders.id and p.state in ('started', 'processing'))`)
}
