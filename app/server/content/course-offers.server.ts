import { eq, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../database/client.server'
import { courseOffers, type OfferOfFile } from '../database/schema'
import { StartError } from '../env.server'
import { siteCurrency } from '../site/site.server'
import { lastDayAt, recordPrices } from './prices.server'

/**
 * How a course is offered: published or not, and what it costs.
 *
 * - The desk's word holds, whatever the file says, until the desk follows the file again: separately for publishing and for the price.
 * - `courses` has what holds. Catalog, search, checkout and pages read nothing else.
 * - `course_offers` has the desk's word, and the file's to go back to.
 * - A price is in a currency. After a change of the site's currency, the file's price holds.
 * - A course whose folder is gone is not published, and the desk can't change that.
 */

/** In the smallest unit of the site's currency. */
type Price = {
  priceMinor: number
  /** The full price; the same for a course whose price isn't reduced. */
  originalPriceMinor: number
  /** The last day of a reduced price, in UTC; null without an end. */
  priceUntil: string | null
}

/** Null follows the file; what is left out stays as it is. */
export type OfferChange = { published?: boolean | null; price?: Price | null }

export type Offer = Price & {
  published: boolean
  /** Whether the desk says so, not the file. */
  isPublishedByDesk: boolean
  isPricedByDesk: boolean
}

/** @returns null for a course that doesn't exist or whose folder is gone. */
export async function findOffer(
  db: Pick<Transaction, 'execute'>,
  courseId: string,
  lock: SQL = sql``,
): Promise<Offer | null> {
  const { rows } = await db.execute<Offer>(sql`
    select c.published, c.price_cents as "priceMinor", c.original_price_cents as "originalPriceMinor",
      c.price_until::text as "priceUntil", o.published is not null as "isPublishedByDesk",
      o.price_minor is not null and o.currency = ${siteCurrency()} as "isPricedByDesk"
    from courses c left join course_offers o on o.course_id = c.id
    where c.id = ${courseId} and exists (select from content_courses where course_id = c.id) ${lock}`)
  const [row] = rows
  return row ? { ...row, isPricedByDesk: row.isPricedByDesk ?? false } : null
}

/**
 * Changes what the desk says about a course.
 *
 * @returns the offer before and after.
 * @throws {StartError} for a course without a folder.
 */
export async function changeOffer(
  transaction: Transaction,
  courseId: string,
  { published, price }: OfferChange,
  now: Date,
): Promise<{ before: Offer; after: Offer }> {
  const before = await findOffer(transaction, courseId, sql`for update of c`)
  if (!before) throw new StartError(`No course has the ID '${courseId}', or its folder is gone.`)
  const file: OfferOfFile = {
    published: before.published,
    priceCents: before.priceMinor,
    originalPriceCents: before.originalPriceMinor,
    priceUntil: before.priceUntil,
  }
  // Without a row, what holds is what the file says.
  await transaction.insert(courseOffers).values({ courseId, file }).onConflictDoNothing()
  const pricing = price && {
    ...price,
    currency: siteCurrency(),
  }
  const unpriced = { priceMinor: null, originalPriceMinor: null, priceUntil: null, currency: null }
  await transaction
    .update(courseOffers)
    .set({
      ...(published !== undefined && { published }),
      ...(price !== undefined && (pricing ?? unpriced)),
      courseId,
    })
    .where(eq(courseOffers.courseId, courseId))
  await applyOffers(transaction, [courseId], now)
  await recordPrices(transaction, [courseId], now)
  await transaction.execute(sql`
    delete from course_offers where course_id = ${courseId} and published is null and price_minor is null`)
  const after = await findOffer(transaction, courseId)
  if (!after) throw new Error('The course is locked.')
  return { before, after }
}

/** After the files of these courses were stored: remembers what they say, and lets the desk's word hold. */
export async function takeFileOffers(transaction: Transaction, courseIds: readonly string[], now: Date): Promise<void> {
  await transaction.execute(sql`
    update course_offers o set file = jsonb_build_object('published', c.published, 'priceCents', c.price_cents,
      'originalPriceCents', c.original_price_cents, 'priceUntil', c.price_until)
    from courses c where c.id = o.course_id and c.id = any(${sql.param(courseIds)}::text[])`)
  await applyOffers(transaction, courseIds, now)
}

/** Writes to `courses` what holds. A reduced price whose last day is over is the full one. */
async function applyOffers(transaction: Transaction, courseIds: readonly string[], now: Date): Promise<void> {
  const isOver = sql`w.until < ${lastDayAt(now)}::date`
  await transaction.execute(sql`
    update courses c set published = w.published, original_price_cents = w.original,
      price_cents = case when ${isOver} then w.original else w.price end,
      price_until = case when not ${isOver} then w.until end
    from (
      select course_id, coalesce(published, (file ->> 'published')::boolean) as published,
        case when is_priced then price_minor else (file ->> 'priceCents')::int end as price,
        case when is_priced then original_price_minor else (file ->> 'originalPriceCents')::int end as original,
        case when is_priced then price_until else (file ->> 'priceUntil')::date end as until
      from (select *, price_minor is not null and currency = ${siteCurrency()} as is_priced from course_offers) o) w
    where w.course_id = c.id and c.id = any(${sql.param(courseIds)}::text[])`)
}
