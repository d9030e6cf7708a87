import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'

/**
 * SQL for the part of a payment `p` that is neither given back nor on its way back. A refund that
 * failed does not count. Stripe's refunds may exceed the payment, because their amounts are rounded
 * up.
 *
 * @param before counts only refunds that were created before this time
 */
export function remainingOfPayment(before?: SQL): SQL {
  const isCounted = before ? sql`and r.created_at < ${before}` : sql``
  return sql`greatest(0, p.amount_minor - coalesce((
    select sum(r.amount_minor) from refunds r
    where r.payment_id = p.id and r.state <> 'failed' ${isCounted}), 0))`
}

/** SQL for the amount of an order `o` that can still be given back. */
export const remainingToRefund = sql`coalesce((
  select sum(${remainingOfPayment()})
  from payments p
  where p.order_id = o.id and p.state = 'succeeded'), 0)::int`

/** Returns the amount of an order that can still be given back, or null if there is no order. */
export async function findRemainingToRefund(
  db: Pick<Database, 'execute'>,
  orderId: string,
): Promise<number | null> {
  const { rows } = await db.execute<{ remainingMinor: number }>(
    sql`select ${remainingToRefund} as "remainingMinor" from orders o where o.id = ${orderId}`,
  )
  return rows[0]?.remainingMinor ?? null
}
