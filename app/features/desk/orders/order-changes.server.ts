import { sql } from 'drizzle-orm'
import { lockOrder } from '~/features/orders/move-order.server'
import { formatMoney } from '~/features/school/money'
import { type AuditRecord, changesBetween } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'

/**
 * The values of an order that staff can change, without the learner's own words. Empty for an
 * unknown order.
 */
async function describeState(
  transaction: Transaction,
  orderId: string,
): Promise<Record<string, unknown>> {
  const order = await lockOrder(transaction, orderId)
  if (!order) {
    return {}
  }

  const { rows } = await transaction.execute<{
    givenBack: number
    requests: Record<string, string>
  }>(sql`
    select coalesce((select sum(amount_minor) from refunds where order_id = ${orderId} and state <> 'failed'), 0)::int
        as "givenBack",
      (select coalesce(json_object_agg('request for a ' || kind, state order by stated_at), '{}')
        from refund_requests where order_id = ${orderId}) as requests`)
  const { givenBack = 0, requests = {} } = rows[0] ?? {}

  return {
    state: order.state,
    accessEnded: order.endedAt !== null,
    givenBack: formatMoney(givenBack, order.currency),
    ...requests,
  }
}

/**
 * Runs an act on an order, and records its changes. Later answers of the payment provider don't
 * belong to the act.
 */
export async function withOrderChanges<Result extends AuditRecord>(
  transaction: Transaction,
  typed: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const orderId = typed.trim().toUpperCase()
  const before = await describeState(transaction, orderId)
  const done = await act()

  return { ...done, changes: changesBetween(before, await describeState(transaction, orderId)) }
}
