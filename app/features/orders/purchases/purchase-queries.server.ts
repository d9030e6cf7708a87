import { and, eq, sql } from 'drizzle-orm'
import { sellsCourses } from '~/features/enrollment/course-access.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { orders, receipts } from '~/server/database/schema'
import type { RefundRequestStatus } from '../order-statuses'
import type { IssuedReceipt } from '../receipts/receipts.server'
import {
  listRefundOptions,
  type OrderRefundDays,
  type RefundKind,
  type RefundPeriods,
} from '../refunds/refund-options'
import { remainingToRefund } from '../refunds/remaining-amount.server'
import type { Purchase } from './purchases-page'

/**
 * Tells whether links lead to a learner's purchases. They do if the school sells courses, or if the
 * learner bought one before the school stopped selling.
 */
export async function hasPurchasesPage(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<boolean> {
  if (sellsCourses()) {
    return true
  }

  const { rows } = await db.execute(sql`
    select from orders
    where uid = ${uid} and state <> 'canceled'
    limit 1`)
  return rows.length > 0
}

const maxPurchases = 200

type PurchaseRow = Omit<Purchase, 'refundOptions' | 'request'> &
  OrderRefundDays & {
    paidAt: string | null
    isWithdrawalWaived: boolean
    remainingMinor: number
    requests: { kind: RefundKind; status: RefundRequestStatus; at: string }[]
  }

/**
 * Lists a learner's orders, newest first. Canceled orders are left out.
 *
 * @param currentPeriods null if the school does not sell courses any more
 */
export async function listPurchases(
  db: Database,
  uid: string,
  currentPeriods: RefundPeriods | null,
): Promise<Purchase[]> {
  const { rows } = await db.execute<PurchaseRow>(sql`
    select o.id,
      o.course_id as "courseId",
      exists (
        select from courses c
        where c.id = o.course_id and c.published) as "isOffered",
      o.course_title as "courseTitle",
      o.state as status,
      o.total_minor as "totalMinor",
      o.currency,
      ${isoText(sql`o.created_at`)} as "orderedAt",
      ${isoText(sql`o.paid_at`)} as "paidAt",
      o.waived_at is not null as "isWithdrawalWaived",
      o.withdrawal_days as "withdrawalDays",
      o.refund_days as "refundDays",
      ${remainingToRefund} as "remainingMinor",
      coalesce((
        select json_agg(
          json_build_object('number', r.number, 'kind', r.document ->> 'kind')
          order by r.number)
        from receipts r
        where r.order_id = o.id), '[]') as documents,
      coalesce((
        select json_agg(
          json_build_object(
            'kind', q.kind,
            'status', q.state,
            'at', ${isoText(sql`coalesce(q.answered_at, q.stated_at)`)})
          order by q.stated_at)
        from refund_requests q
        where q.order_id = o.id), '[]') as requests,
      (
        select json_build_object(
          'code', g.code,
          'recipientEmail', g.recipient_email,
          'redeemedAt', ${isoText(sql`g.redeemed_at`)})
        from gifts g
        where g.order_id = o.id) as gift
    from orders o
    where o.uid = ${uid} and o.state <> 'canceled'
    order by o.created_at desc
    limit ${maxPurchases}`)

  const now = new Date()
  return rows.map((row) => toPurchase(row, currentPeriods, now))
}

function toPurchase(
  {
    paidAt,
    isWithdrawalWaived,
    withdrawalDays,
    refundDays,
    remainingMinor,
    requests,
    ...purchase
  }: PurchaseRow,
  currentPeriods: RefundPeriods | null,
  now: Date,
): Purchase {
  const conditions = {
    status: purchase.status,
    paidAt: paidAt === null ? null : new Date(paidAt),
    isWithdrawalWaived,
    withdrawalDays,
    refundDays,
    remainingMinor,
    requests,
  }
  const refundOptions =
    currentPeriods === null ? [] : listRefundOptions(conditions, currentPeriods, now)

  return {
    ...purchase,
    refundOptions: refundOptions.map(({ kind }) => kind),
    request: requests.findLast(isConfirmed) ?? null,
  }
}

type ListedRequest = PurchaseRow['requests'][number]
type ConfirmedRequest = ListedRequest & { status: Exclude<RefundRequestStatus, 'stated'> }

function isConfirmed(request: ListedRequest): request is ConfirmedRequest {
  return request.status !== 'stated'
}

/**
 * Returns a receipt or credit note of a learner's own order.
 *
 * @param number the number in the URL, which may be any text
 */
export async function findReceipt(
  db: Database,
  uid: string,
  number: string,
): Promise<IssuedReceipt | null> {
  if (!/^\d{1,9}$/.test(number)) {
    return null
  }

  const [receipt] = await db
    .select({ number: receipts.number, document: receipts.document })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .where(and(eq(receipts.number, Number(number)), eq(orders.uid, uid)))

  return receipt ?? null
}
