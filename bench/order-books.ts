/** Compares the database, the provider's books and the mails after the sale. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from 'pg'

/** The stored state of the stand-in for the provider. */
export type OrderBooks = {
  sessions: Record<
    string,
    { id: string; state: string; intentId: string; amount: number; metadata: { order: string } }
  >
  refunds: Record<string, { amount: number }>
}

type Place = {
  /** The product's DATA_DIR. */
  folder: string
  readBooks(): Promise<OrderBooks>
}

/** Each query finds orders that break a promise. */
const contradictions = {
  'a paid order is not enrolled exactly once': `select id from orders o where state = 'paid' and not is_gift and 1 <>
    (select count(*) from enrollments e where e.uid = o.uid and e.course_id = o.course_id)`,
  'a redeemed gift is not enrolled exactly once': `select o.id from orders o join gifts g on g.order_id = o.id
    where o.state = 'paid' and g.redeemed_at is not null and 1 <>
    (select count(*) from enrollments e where e.uid = g.redeemed_by and e.course_id = o.course_id)`,
  'a course is open without a paid order or gift': `select uid as id from enrollments e where by_order and not exists
    (select from orders o where o.uid = e.uid and o.course_id = e.course_id and o.state = 'paid' and not o.is_gift)
    and not exists (select from orders o join gifts g on g.order_id = o.id
      where g.redeemed_by = e.uid and o.course_id = e.course_id and o.state = 'paid')`,
  'an order that was paid has not one receipt': `select id from orders o where paid_at is not null
    and (total_minor > 0)::int <>
    (select count(*) from receipts r where r.order_id = o.id and r.document ->> 'kind' = 'receipt')`,
  'an order costs something else than its coupon says': `select o.id from orders o left join coupons c on c.code = o.coupon_code,
    lateral (select greatest(0, floor(case when c.code is null then o.list_minor when c.percent is null then o.list_minor - c.amount_minor
      else o.list_minor * (100 - c.percent) / 100.0 end)) as due) t
    where o.total_minor <> case when t.due < 50 then 0 else t.due end`,
  'a coupon was used more often than it may be': `select c.code as id from coupons c join orders o on o.coupon_code = c.code
    and o.state in ('processing', 'paid', 'refunded') group by c.code having count(*) > c.max_uses`,
  'a learner used a coupon more often than they may': `select c.code as id from coupons c join orders o on o.coupon_code = c.code
    and o.state in ('processing', 'paid', 'refunded') group by c.code, o.uid having count(*) > c.max_uses_per_learner`,
  'a charge bought nothing and did not go back': `select l.order_id as id from ledger l where kind = 'charge'
    and not exists (select from receipts r where r.ledger_id = l.id)
    and not exists (select from refunds r where r.payment_id = l.id and r.state = 'succeeded')`,
  'a refund waits': `select order_id as id from refunds where state in ('requested', 'pending')`,
  'a mail waits': `select order_id as id from outbox where order_id is not null`,
  'receipts have a gap': `select max(number)::text as id from receipts having max(number) <> count(*)`,
}

/** @returns sentences about contradictions. */
export async function listProblems(
  { folder, readBooks }: Place,
  database: Client,
): Promise<string[]> {
  const problems: string[] = []
  for (const [what, query] of Object.entries(contradictions)) {
    const { rows } = await database.query<{ id: string }>(query)
    if (rows.length > 0) {
      problems.push(`${what}: ${rows.length} times, such as ${rows[0]?.id}`)
    }
  }

  const { sessions, refunds } = await readBooks()
  const paid = Object.values(sessions).filter(({ state }) => state === 'paid')
  const known = await database.query<{ id: string }>(
    `select session_id as id from payments where state = 'succeeded'`,
  )
  const here = new Set(known.rows.map(({ id }) => id))
  const unpaid = paid.filter(({ id }) => !here.has(id))
  if (unpaid.length > 0) {
    problems.push(
      `paid there, and not here: ${unpaid.length}, such as ${unpaid[0]?.metadata.order}`,
    )
  }

  const sumOf = (list: { amount: number }[]) => list.reduce((sum, { amount }) => sum + amount, 0)
  const there = sumOf(paid) - sumOf(Object.values(refunds))
  const { rows } = await database.query(
    'select coalesce(sum(amount_minor), 0)::int as sum from ledger',
  )
  if (rows[0].sum !== there) {
    problems.push(`the ledger has ${rows[0].sum}, the provider ${there}`)
  }

  const mails = await countEmails(path.join(folder, 'mail'))
  const expected = await database.query<{ id: string; mails: number }>(`
    select order_id as id, count(*)::int as mails from receipts group by order_id
    union all select id, 1 from orders where total_minor = 0 and paid_at is not null
    union all select g.code, 1 from gifts g join orders o on o.id = g.order_id
      where o.state = 'paid' and g.redeemed_at is null`)
  const wrong = expected.rows.filter(({ id, mails: count }) => mails.get(id)?.size !== count)
  if (wrong.length > 0) {
    problems.push(
      `not one mail a receipt, credit note, free order or gift: ${wrong.length}, such as ${wrong[0]?.id}`,
    )
  }

  return problems
}

/**
 * @returns message IDs by order or gift code. A kill between sending and recording may send the
 * same message again.
 */
async function countEmails(folder: string): Promise<Map<string, Set<string>>> {
  const mails = new Map<string, Set<string>>()
  // Files of mails that are still being written begin with a dot.
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'))
  for (const name of names) {
    const text = await readFile(path.join(folder, name), 'utf8')
    const words = text.replaceAll(/=\n/g, '').replaceAll('\n', ' ')
    const about =
      (/order number is (\w{10})/.exec(words) ?? /\/Gift\/(\w{16})/.exec(words))?.[1] ?? name
    mails.set(
      about,
      (mails.get(about) ?? new Set()).add(/^message-id: (.*)$/im.exec(text)?.[1] ?? name),
    )
  }

  return mails
}

export async function formatOrderCounts(database: Client): Promise<string> {
  const { rows } =
    await database.query(`select count(*)::int as orders, count(paid_at)::int as paid,
    count(coupon_code) filter (where paid_at is not null)::int as coupons,
    count(*) filter (where paid_at is not null and total_minor = 0)::int as free,
    count(*) filter (where paid_at is not null and is_gift)::int as gifts,
    (select count(*)::int from gifts where redeemed_at is not null) as redeemed,
    (select count(*)::int from refunds where state = 'succeeded') as refunds from orders`)
  const { orders, paid, coupons, free, gifts, redeemed, refunds } = rows[0]
  return `${orders} orders, ${paid} paid (${coupons} with a coupon, ${free} of them free; ${gifts} gifts, ${redeemed} redeemed), ${refunds} refunds`
}
