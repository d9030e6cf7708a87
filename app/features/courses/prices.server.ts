import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { siteCurrency } from '~/server/site/site.server'

/** Adds a row to the price history of each course whose price differs from its last row. */
export async function recordPrices(
  db: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
  now: Date,
  currency = siteCurrency(),
): Promise<void> {
  await db.execute(sql`
    insert into price_history (course_id, at, price_minor, currency, is_reduced)
    select
      id,
      ${now.toISOString()}::timestamptz,
      price_cents,
      ${currency}::text,
      original_price_cents > price_cents
    from courses
    where id = any(${sql.param(courseIds)}::text[])
      and not coalesce((
        select
          price_minor = price_cents
          and currency = ${currency}
          and is_reduced = (original_price_cents > price_cents)
        from price_history
        where course_id = courses.id
        order by at desc
        limit 1
      ), false)
    on conflict do nothing`)
}

/**
 * Ends the sales whose last day is over: the full price holds again. No other code decides when a
 * sale ends.
 *
 * @param courseIds limits the courses; all courses by default
 * @returns the IDs of the courses whose sale has ended now
 */
export async function endSales(
  tx: Pick<Statements, 'execute'>,
  now: Date,
  courseIds?: readonly string[],
): Promise<string[]> {
  const courseCondition = courseIds ? sql`and id = any(${sql.param(courseIds)}::text[])` : sql``
  const { rows } = await tx.execute<{ id: string }>(sql`
    update courses
    set price_cents = original_price_cents, price_until = null
    where price_until < ${getEarliestDayOnEarth(now)}::date
      ${courseCondition}
    returning id`)

  return rows.map(({ id }) => id)
}

const twelveHoursMs = 12 * 60 * 60_000

/**
 * Returns the earliest day that it still is anywhere on earth, twelve hours behind UTC. A sale
 * lasts until its last day is over there, too.
 */
export function getEarliestDayOnEarth(now: Date): string {
  return new Date(now.getTime() - twelveHoursMs).toISOString().slice(0, 10)
}

/**
 * Selects the lowest price in the 30 days before the current price or its reduction began, in the
 * smallest unit of the site's currency. It is null while the history has no such price. The
 * statement belongs into a query on `courses`.
 *
 * Source: Directive 98/6/EC, article 6a.
 */
export const selectLowestPriorPrice = () => sql<number | null>`(
  select min(price_minor) filter (
    where began_at < current_began_at
      and ended_at > current_began_at - interval '30 days'
  )
  from (
    select
      price_minor,
      at as began_at,
      lead(at) over (order by at) as ended_at,
      max(at) over () as current_began_at
    from price_history
    where price_history.course_id = courses.id
      and price_history.currency = ${siteCurrency()}
  ) prices
)`
