import { eq, getTableColumns } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import {
  gifts,
  paymentEvents,
  payments,
  receipts,
  refundRequests,
  refunds,
} from '~/server/database/schema'
import { findOrder } from './order-record.server'

export type OrderHistory = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>

/** Returns an order with everything that happened to it, or null if there is no such order. */
export async function findOrderHistory(db: Database, orderId: string) {
  const order = await findOrder(db, orderId)
  if (order === null) {
    return null
  }

  // Whoever knows the code of a gift can open the course, so the code is left out.
  const { code: _, ...giftColumns } = getTableColumns(gifts)
  const [gift = null] = await db.select(giftColumns).from(gifts).where(eq(gifts.orderId, orderId))

  return {
    order,
    gift,
    payments: await db
      .select()
      .from(payments)
      .where(eq(payments.orderId, orderId))
      .orderBy(payments.attempt),
    refunds: await db
      .select()
      .from(refunds)
      .where(eq(refunds.orderId, orderId))
      .orderBy(refunds.createdAt),
    receipts: await db
      .select()
      .from(receipts)
      .where(eq(receipts.orderId, orderId))
      .orderBy(receipts.number),
    events: await db
      .select()
      .from(paymentEvents)
      .where(eq(paymentEvents.orderId, orderId))
      .orderBy(paymentEvents.receivedAt),
    requests: await db
      .select()
      .from(refundRequests)
      .where(eq(refundRequests.orderId, orderId))
      .orderBy(refundRequests.statedAt),
  }
}
