import { sql } from 'drizzle-orm'
import { formatMoney } from '~/features/school/money'
import { findChanges, type NewAuditEntry } from '~/features/staff/audit.server'
import type { StaffActionDefinition } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import { cleanCode } from '~/ui/form/clean-text'
import { lockOrder, type Order } from './order-record.server'

/** What staff can do to orders, refunds, gifts and coupons, with the permission that each needs. */
export const orderStaffActions = {
  refund: { name: 'orders refund', permission: 'refund orders', needsRecentSignIn: true },
  grantRefund: { name: 'orders grant', permission: 'refund orders', needsRecentSignIn: true },
  declineRefund: { name: 'orders decline', permission: 'refund orders', needsRecentSignIn: true },
  markPaid: { name: 'orders mark-paid', permission: 'refund orders', needsRecentSignIn: true },
  end: { name: 'orders end', permission: 'refund orders', needsRecentSignIn: true },
  resendGift: { name: 'orders resend-gift', permission: 'resend gifts', needsRecentSignIn: true },
  createCoupon: { name: 'coupons create', permission: 'manage coupons', needsRecentSignIn: true },
  createCoupons: { name: 'coupons bulk', permission: 'manage coupons', needsRecentSignIn: true },
  endCoupons: { name: 'coupons end', permission: 'manage coupons', needsRecentSignIn: true },
} as const satisfies Record<string, StaffActionDefinition>

/**
 * Locks an order, changes it, and adds the values that have changed to the audit entry.
 *
 * @param change returns the audit entry without `changes`, or a failure
 */
export async function changeOrder<Entry extends NewAuditEntry>(
  tx: Transaction,
  submittedOrderId: string,
  change: (order: Order) => Promise<Result<Entry>>,
): Promise<Result<Entry>> {
  const order = await lockOrder(tx, cleanCode(submittedOrderId))
  if (order === null) {
    return failure(`There’s no order '${submittedOrderId}'.`)
  }

  const valuesBefore = await getAuditedValues(tx, order)
  const result = await change(order)
  if (!result.ok) {
    return result
  }

  const changes = findChanges(valuesBefore, await getAuditedValues(tx, order))
  return success({ ...result.value, changes })
}

/**
 * Returns the values of an order that staff can change. The learner's own words are left out,
 * because the audit log is kept forever.
 */
async function getAuditedValues(
  tx: Transaction,
  { id, currency }: Order,
): Promise<Record<string, unknown>> {
  const { rows } = await tx.execute<{
    status: string
    accessEnded: boolean
    refundedMinor: number
    requests: Record<string, string>
  }>(sql`
    select o.state as status,
      o.ended_at is not null as "accessEnded",
      coalesce((
        select sum(amount_minor) from refunds
        where order_id = o.id and state <> 'failed'), 0)::int as "refundedMinor",
      (
        select coalesce(json_object_agg('request for a ' || kind, state order by stated_at), '{}')
        from refund_requests
        where order_id = o.id) as requests
    from orders o where o.id = ${id}`)

  const [row] = rows
  if (!row) {
    throw new Error(`Order ${id} does not exist.`)
  }

  const { status, accessEnded, refundedMinor, requests } = row
  return {
    // The audit log has the status under the key `state`.
    state: status,
    accessEnded,
    givenBack: formatMoney(refundedMinor, currency),
    ...requests,
  }
}
