/** Checks after a sale whether payments, orders, access, receipts, emails and sums agree. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from 'pg'

/** The payments and refunds that the imitation of the payment provider has stored. */
export type ProviderBooks = {
  sessions: Record<
    string,
    { id: string; state: string; intentId: string; amount: number; metadata: { order: string } }
  >
  refunds: Record<string, { amount: number }>
}

type BookSources = {
  /** The product's DATA_DIR. */
  folder: string
  readProviderBooks(): Promise<ProviderBooks>
}

/** Returns a sentence for each contradiction. */
export async function listProblems(
  { folder, readProviderBooks }: BookSources,
  database: Client,
): Promise<string[]> {
  const providerBooks = await readProviderBooks()

  return [
    ...(await findContradictions(database)),
    ...(await findUnknownPayments(database, providerBooks)),
    ...(await compareSums(database, providerBooks)),
    ...(await findWrongEmails(database, path.join(folder, 'mail'))),
  ]
}

/** Each query finds the ids of records that contradict each other. */
const contradictions = {
  'a paid order is not enrolled exactly once': `
    select id
    from orders o
    where state = 'paid' and not is_gift and 1 <> (
      select count(*) from enrollments e
      where e.uid = o.uid and e.course_id = o.course_id
    )`,
  'a redeemed gift is not enrolled exactly once': `
    select o.id
    from orders o
    join gifts g on g.order_id = o.id
    where o.state = 'paid' and g.redeemed_at is not null and 1 <> (
      select count(*) from enrollments e
      where e.uid = g.redeemed_by and e.course_id = o.course_id
    )`,
  'a course is open without a paid order or gift': `
    select uid as id
    from enrollments e
    where by_order
      and not exists (
        select from orders o
        where o.uid = e.uid
          and o.course_id = e.course_id
          and o.state = 'paid'
          and not o.is_gift
      )
      and not exists (
        select from orders o
        join gifts g on g.order_id = o.id
        where g.redeemed_by = e.uid and o.course_id = e.course_id and o.state = 'paid'
      )`,
  'an order that was paid has not one receipt': `
    select id
    from orders o
    where paid_at is not null and (total_minor > 0)::int <> (
      select count(*) from receipts r
      where r.order_id = o.id and r.document ->> 'kind' = 'receipt'
    )`,
  // Orders of less than 50 cents are free.
  'an order costs something else than its coupon says': `
    select o.id
    from orders o
    left join coupons c on c.code = o.coupon_code,
    lateral (
      select greatest(0, floor(
        case
          when c.code is null then o.list_minor
          when c.percent is null then o.list_minor - c.amount_minor
          else o.list_minor * (100 - c.percent) / 100.0
        end
      )) as total
    ) discounted
    where o.total_minor <> case when discounted.total < 50 then 0 else discounted.total end`,
  'a coupon was used more often than it may be': `
    select c.code as id
    from coupons c
    join orders o on o.coupon_code = c.code and o.state in ('processing', 'paid', 'refunded')
    group by c.code
    having count(*) > c.max_uses`,
  'a learner used a coupon more often than they may': `
    select c.code as id
    from coupons c
    join orders o on o.coupon_code = c.code and o.state in ('processing', 'paid', 'refunded')
    group by c.code, o.uid
    having count(*) > c.max_uses_per_learner`,
  'a charge bought nothing and did not go back': `
    select l.order_id as id
    from ledger l
    where kind = 'charge'
      and not exists (select from receipts r where r.ledger_id = l.id)
      and not exists (
        select from refunds r
        where r.payment_id = l.id and r.state = 'succeeded'
      )`,
  'a refund waits': `
    select order_id as id
    from refunds
    where state in ('requested', 'pending')`,
  'a mail waits': `
    select order_id as id
    from outbox
    where order_id is not null`,
  'receipts have a gap': `
    select max(number)::text as id
    from receipts
    having max(number) <> count(*)`,
}

async function findContradictions(database: Client): Promise<string[]> {
  const problems: string[] = []
  for (const [contradiction, query] of Object.entries(contradictions)) {
    const { rows } = await database.query<{ id: string }>(query)
    if (rows.length > 0) {
      problems.push(`${contradiction}: ${rows.length} times, such as ${rows[0]?.id}`)
    }
  }

  return problems
}

/** Finds payments that the provider has received, and the product does not know. */
async function findUnknownPayments(
  database: Client,
  { sessions }: ProviderBooks,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select session_id as id from payments where state = 'succeeded'`,
  )
  const knownIds = new Set(rows.map(({ id }) => id))
  const unknownSessions = listPaidSessions(sessions).filter(({ id }) => !knownIds.has(id))
  if (unknownSessions.length === 0) {
    return []
  }

  const example = unknownSessions[0]?.metadata.order
  return [`paid there, and not here: ${unknownSessions.length}, such as ${example}`]
}

/** Compares the sum of the product's ledger with what the provider has received and refunded. */
async function compareSums(
  database: Client,
  { sessions, refunds }: ProviderBooks,
): Promise<string[]> {
  const { rows } = await database.query<{ sum: number }>(
    'select coalesce(sum(amount_minor), 0)::int as sum from ledger',
  )
  const ledgerSum = rows[0]?.sum ?? 0
  const providerSum = sumAmounts(listPaidSessions(sessions)) - sumAmounts(Object.values(refunds))

  return ledgerSum === providerSum
    ? []
    : [`the ledger has ${ledgerSum}, the provider ${providerSum}`]
}

function listPaidSessions(sessions: ProviderBooks['sessions']) {
  return Object.values(sessions).filter(({ state }) => state === 'paid')
}

function sumAmounts(records: readonly { amount: number }[]): number {
  return records.reduce((sum, { amount }) => sum + amount, 0)
}

/** There is one email for each receipt, credit note, free order and unredeemed gift. */
async function findWrongEmails(database: Client, mailFolder: string): Promise<string[]> {
  const messageIds = await readMessageIds(mailFolder)
  const { rows } = await database.query<{ id: string; emailCount: number }>(`
    select order_id as id, count(*)::int as "emailCount"
    from receipts
    group by order_id
    union all
    select id, 1
    from orders
    where total_minor = 0 and paid_at is not null
    union all
    select g.code, 1
    from gifts g
    join orders o on o.id = g.order_id
    where o.state = 'paid' and g.redeemed_at is null`)

  const wrongRows = rows.filter(({ id, emailCount }) => messageIds.get(id)?.size !== emailCount)
  if (wrongRows.length === 0) {
    return []
  }

  return [
    `not one mail a receipt, credit note, free order or gift: ${wrongRows.length}, such as ${wrongRows[0]?.id}`,
  ]
}

/**
 * Returns the message ids of the emails about each order or gift code. An id counts once, because a
 * kill between sending and recording makes the product send the same message again.
 */
async function readMessageIds(mailFolder: string): Promise<Map<string, Set<string>>> {
  const messageIds = new Map<string, Set<string>>()
  const names = await readdir(mailFolder).catch(() => [])
  // The name of a file begins with a dot while the product writes the file.
  const completeNames = names.filter((name) => !name.startsWith('.'))

  for (const name of completeNames) {
    const email = await readFile(path.join(mailFolder, name), 'utf8')
    const text = email.replaceAll(/=\n/g, '').replaceAll('\n', ' ')
    const orderId = /order number is (\w{10})/.exec(text)?.[1]
    const giftCode = /\/Gift\/(\w{16})/.exec(text)?.[1]
    const subjectId = orderId ?? giftCode ?? name
    const messageId = /^message-id: (.*)$/im.exec(email)?.[1] ?? name

    const subjectMessageIds = messageIds.get(subjectId) ?? new Set()
    messageIds.set(subjectId, subjectMessageIds)
    subjectMessageIds.add(messageId)
  }

  return messageIds
}

/** Describes what was sold, given and refunded. */
export async function formatOrderCounts(database: Client): Promise<string> {
  const { rows } = await database.query(`
    select
      count(*)::int as orders,
      count(paid_at)::int as paid,
      count(coupon_code) filter (where paid_at is not null)::int as coupons,
      count(*) filter (where paid_at is not null and total_minor = 0)::int as free,
      count(*) filter (where paid_at is not null and is_gift)::int as gifts,
      (select count(*)::int from gifts where redeemed_at is not null) as redeemed,
      (select count(*)::int from refunds where state = 'succeeded') as refunds
    from orders`)
  const { orders, paid, coupons, free, gifts, redeemed, refunds } = rows[0]

  return `${orders} orders, ${paid} paid (${coupons} with a coupon, ${free} of them free; ${gifts} gifts, ${redeemed} redeemed), ${refunds} refunds`
}
