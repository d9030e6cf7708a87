/**
 * Checks that orders, payments, refunds, receipts, the ledger and the learners' access agree.
 *
 * Each part of the query finds one kind of contradiction. A school without a fault has none.
 */
import { and, eq, sql } from 'drizzle-orm'
import { hasPaidOrder } from '~/features/enrollment/course-access.server'
import { isSameMoney } from '~/features/school/money'
import type { Database, Statements } from '~/server/database/client.server'
import { orders, payments, refunds } from '~/server/database/schema'
import { log } from '~/server/operations/log.server'
import { orderProblems } from '~/server/operations/metrics/counters.server'
import { formatCommand } from '~/server/operations/operator-command.server'
import type { Readiness } from '~/server/operations/readiness.server'
import type { ProviderPayment } from './payments/payment-provider.server'
import { remainingToRefund } from './refunds/remaining-amount.server'
import type { Shop } from './shop.server'

type ReadOnlyDatabase = Statements & Pick<Database, '$count'>

type OrderProblem = { kind: string; orderId: string }

/**
 * Lists orders that contradict themselves, the ledger, the learners' access or the provider.
 *
 * @param shop with a shop, each payment of the last 90 days is also compared with the provider,
 *   which takes a second for every few orders; null leaves the provider out
 */
export async function checkOrders(
  db: ReadOnlyDatabase,
  shop: Shop | null = null,
): Promise<OrderProblem[]> {
  const { rows } = await db.execute<OrderProblem>(sql`
    with order_balances as (
      select order_id, sum(amount_minor) as balance_minor
      from ledger
      group by order_id)

    select 'paid, but not enrolled' as kind, o.id as "orderId"
    from orders o
    where o.state = 'paid' and o.uid is not null and not o.is_gift
      and not exists (
        select from enrollments e
        where e.uid = o.uid and e.course_id = o.course_id)
      and not exists (
        select from activities a
        where a.uid = o.uid and a.id = 'enrollment:' || o.course_id)

    union all
    select 'enrolled without an order that grants it', e.uid || ' ' || e.course_id
    from enrollments e
    where e.by_order and not ${hasPaidOrder(sql`e.uid`, sql`e.course_id`)}

    union all
    select 'a gift without its code', o.id
    from orders o
    where o.is_gift and not exists (select from gifts g where g.order_id = o.id)

    union all
    select 'redeemed, but not enrolled', o.id
    from orders o join gifts g on g.order_id = o.id
    where o.state = 'paid' and g.redeemed_by is not null
      and not exists (
        select from enrollments e
        where e.uid = g.redeemed_by and e.course_id = o.course_id)
      and not exists (
        select from activities a
        where a.uid = g.redeemed_by and a.id = 'enrollment:' || o.course_id)

    union all
    select 'paid, but the ledger says otherwise', o.id
    from orders o left join order_balances b on b.order_id = o.id
    where case
        when o.total_minor > 0 then (o.state = 'paid') <> (coalesce(b.balance_minor, 0) > 0)
        else (o.state <> 'paid' and o.ended_at is null) or coalesce(b.balance_minor, 0) <> 0
      end
      and not exists (
        select from refunds r
        where r.order_id = o.id and r.state in ('requested', 'pending'))

    union all
    select 'paid without a receipt', o.id
    from orders o
    where o.state in ('paid', 'refunded') and o.total_minor > 0
      and not exists (select from receipts r where r.order_id = o.id)

    union all
    select 'paid twice', p.order_id
    from payments p
      left join (
        select payment_id, sum(amount_minor) as refunded_minor
        from refunds
        where state <> 'failed'
        group by payment_id) r on r.payment_id = p.id
    where p.state = 'succeeded' and p.amount_minor > coalesce(r.refunded_minor, 0)
    group by p.order_id
    having count(*) > 1

    union all
    select 'bought twice', max(o.id)
    from orders o
    where o.state = 'paid' and o.uid is not null and not o.is_gift
    group by o.uid, o.course_id
    having count(*) > 1

    union all
    select 'a payment without its line in the ledger', p.order_id
    from payments p
    where p.state = 'succeeded'
      and not exists (
        select from ledger l
        where l.id = p.id and l.amount_minor = p.amount_minor)

    union all
    select 'a refund without its line in the ledger', r.order_id
    from refunds r
    where r.state = 'succeeded'
      and not exists (
        select from ledger l
        where l.id = r.id and l.amount_minor = -r.amount_minor)

    union all
    select 'a refund without a credit note', r.order_id
    from refunds r
    where r.state = 'succeeded'
      and exists (select from receipts p where p.ledger_id = r.payment_id)
      and not exists (select from receipts c where c.ledger_id = r.id)

    union all
    select 'a line of the ledger that no payment or refund explains', l.order_id
    from ledger l
    where not exists (
        select from payments p
        where (p.id, p.order_id, p.amount_minor) = (l.id, l.order_id, l.amount_minor)
          and p.state = 'succeeded')
      and not exists (
        select from refunds r
        where r.order_id = l.order_id
          and (
            (r.id, -r.amount_minor) = (l.id, l.amount_minor)
            or (r.id || ' came back', r.amount_minor, r.state) = (l.id, l.amount_minor, 'failed')))

    union all
    select 'a receipt that differs from the ledger', r.order_id
    from receipts r join ledger l on l.id = r.ledger_id
    where (r.order_id, (r.document ->> 'totalMinor')::int, r.document ->> 'currency')
      is distinct from (l.order_id, l.amount_minor, l.currency)

    union all
    select 'open long after its page to pay on has expired', p.order_id
    from payments p
    where p.state = 'started' and p.expires_at < now() - interval '1 hour'

    union all
    select 'a refund waits for more than an hour', r.order_id
    from refunds r
    where r.state = 'requested' and r.created_at < now() - interval '1 hour'

    union all
    select 'a refund was granted, but nothing has gone back', q.order_id
    from refund_requests q
    where q.state = 'granted'
      and not exists (
        select from refunds r
        where r.order_id = q.order_id and r.state <> 'failed')

    union all
    select 'a withdrawal was granted, but not all goes back', o.id
    from orders o
    where ${remainingToRefund} > 0
      and exists (
        select from refund_requests q
        where (q.order_id, q.kind, q.state) = (o.id, 'withdrawal', 'granted'))

    union all
    select 'an event of the provider that fails: ' || e.type, e.order_id
    from payment_events e
    where e.failed_at < now() - interval '10 minutes'

    union all
    select 'receipts have a gap before this one', r.order_id
    from receipts r
    where r.number > 1
      and not exists (select from receipts s where s.number = r.number - 1)

    union all
    select 'receipts are missing at the end', ''
    from receipt_counter c
    where c.last <> (select coalesce(max(number), 0) from receipts)

    order by 1, 2
    limit 1000`)

  return shop === null ? rows : [...rows, ...(await compareWithProvider(db, shop))]
}

/**
 * Creates the check for `/readyz`, the log and `/metrics`, which leaves the provider out.
 *
 * @returns a function that checks once. Of several failing checks in a row, only the first is
 *   logged.
 */
export function createOrderCheck(
  readiness: Pick<Readiness, 'setWarning'>,
): (db: ReadOnlyDatabase) => Promise<void> {
  let isLogged = false

  return async (db) => {
    const problems = await checkOrders(db)
    const hasProblems = problems.length > 0
    const command = formatCommand('admin', 'orders check')
    const warning = `Orders contradict their books: '${command}' says which.`

    orderProblems.set(problems.length)
    readiness.setWarning('orders', hasProblems ? warning : null)
    if (hasProblems && !isLogged) {
      log.error({ problems: problems.slice(0, 20) }, warning)
    }

    isLogged = hasProblems
  }
}

/** Older payments are not compared with the provider. */
const comparedDays = 90

/** Lists the orders whose payments or refunds differ from what the provider reports. */
async function compareWithProvider(db: ReadOnlyDatabase, shop: Shop): Promise<OrderProblem[]> {
  const rows = await db
    .select({
      payment: payments,
      sessionId: sql<string>`${payments.sessionId}`,
      order: orders,
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      sql`${payments.sessionId} is not null and ${payments.provider} = ${shop.provider.name}
        and ${payments.createdAt} > now() - make_interval(days => ${comparedDays})`,
    )

  const problems: OrderProblem[] = []
  for (const { payment, sessionId, order } of rows) {
    const providerPayment = await shop.provider.readPayment(sessionId)
    const refundCount = await db.$count(
      refunds,
      and(eq(refunds.paymentId, payment.id), eq(refunds.status, 'succeeded')),
    )

    const hasSamePayment = isSamePayment(providerPayment, { ...payment, currency: order.currency })
    const hasSameRefunds = countSucceededRefunds(providerPayment) === refundCount
    if (!hasSamePayment || !hasSameRefunds) {
      problems.push({ kind: 'the provider says otherwise', orderId: order.id })
    }
  }

  return problems
}

type StoredPayment = Pick<typeof payments.$inferSelect, 'status' | 'amountMinor'> & {
  currency: string
}

function isSamePayment(providerPayment: ProviderPayment, payment: StoredPayment): boolean {
  const isPaidAtProvider = providerPayment.status === 'paid'
  const isPaidHere = payment.status === 'succeeded'
  if (isPaidAtProvider !== isPaidHere) {
    return false
  }

  // The provider may leave out the amount of a payment that is not paid.
  return !isPaidAtProvider || isSameMoney(providerPayment, payment)
}

function countSucceededRefunds(providerPayment: ProviderPayment): number {
  return providerPayment.refunds.filter(({ status }) => status === 'succeeded').length
}
