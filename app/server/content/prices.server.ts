import { sql } from 'drizzle-orm'
import type { Statements } from '../database/client.server'
import { env } from '../env.server'

/** Adds a row to the history of each course whose price isn't the last one there. */
export async function recordPrices(
  db: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
  now: Date,
): Promise<void> {
  await db.execute(sql`
    insert into price_history (course_id, at, price_minor, currency)
    select id, ${now.toISOString()}::timestamptz, price_cents, ${env.CURRENCY}::text from courses
    where id = any(${sql.param(courseIds)}::text[]) and not coalesce((
      select price_minor = price_cents and currency = ${env.CURRENCY} from price_history
      where course_id = courses.id order by at desc limit 1), false)
    on conflict do nothing`)
}

/**
 * The lowest price in the 30 days before the present one began, in the smallest unit of the site's currency; null while
 * the history has none. A statement about the row of `courses`.
 *
 * Source: Directive 98/6/EC, article 6a.
 */
export const lowestPriceBefore = sql<number | null>`(
  select min(price_minor) filter (where at < began and ended > began - interval '30 days') from (
    select at, price_minor, lead(at) over (order by at) as ended, max(at) over () as began from price_history
    where price_history.course_id = courses.id and price_history.currency = ${env.CURRENCY}) h)`
