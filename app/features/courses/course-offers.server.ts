import { eq, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { courseOffers, type OfferOfFile } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { siteCurrency } from '~/server/site/site.server'
import { endSales, recordPrices } from './prices.server'

/**
 * Whether a course is published, and its price.
 *
 * - The desk overrides the course's file until it returns to the file, separately for publishing
 * and for the price.
 * - `courses` has the values in effect. The catalog, search, checkout and pages read only these.
 * - `course_offers` has the desk's values, and those of the file to return to.
 * - The desk's price is in one currency. If the site's currency changes, the file's price is in
 * effect.
 * - A course whose folder is deleted isn't published, and the desk can't change that.
 */

/** In the smallest unit of the site's currency. */
type Price = {
  priceMinor: number
  /** The price before a reduction. Equal to `priceMinor` if there is none. */
  originalPriceMinor: number
  /** The last day of a reduced price, in UTC; null without an end. */
  priceUntil: string | null
}

/** Null returns to the file. Omitted values stay as they are. */
export type OfferChange = { published?: boolean | null; price?: Price | null }

export type Offer = Price & {
  published: boolean
  /** Whether the value comes from the desk, not from the file. */
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
 * Overrides a course's file, or returns to it.
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
  if (!before) {
    throw new StartError(`No course has the ID '${courseId}', or its folder is gone.`)
  }

  const file: OfferOfFile = {
    published: before.published,
    priceCents: before.priceMinor,
    originalPriceCents: before.originalPriceMinor,
    priceUntil: before.priceUntil,
  }

  // Without a row, the values in effect are those of the file.
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
  if (!after) {
    throw new Error('The course is locked.')
  }

  return { before, after }
}

/**
 * Runs after the files of these courses were stored. Remembers their values, and applies the desk's
 * again.
 */
export async function applyFileOffers(
  transaction: Transaction,
  courseIds: readonly string[],
  now: Date,
): Promise<void> {
  await transaction.execute(sql`
    update course_offers o set file = jsonb_build_object('published', c.published, 'priceCents', c.price_cents,
      'originalPriceCents', c.original_price_cents, 'priceUntil', c.price_until)
    from courses c where c.id = o.course_id and c.id = any(${sql.param(courseIds)}::text[])`)
  await applyOffers(transaction, courseIds, now)
}

/** Writes the values in effect to `courses`. A sale that is over is not in effect. */
async function applyOffers(
  transaction: Transaction,
  courseIds: readonly string[],
  now: Date,
): Promise<void> {
  await transaction.execute(sql`
    update courses c set published = w.published, original_price_cents = w.original,
      price_cents = w.price, price_until = w.until
    from (
      select course_id, coalesce(published, (file ->> 'published')::boolean) as published,
        case when is_priced then price_minor else (file ->> 'priceCents')::int end as price,
        case when is_priced then original_price_minor else (file ->> 'originalPriceCents')::int end as original,
        case when is_priced then price_until else (file ->> 'priceUntil')::date end as until
      from (select *, price_minor is not null and currency = ${siteCurrency()} as is_priced from course_offers) o) w
    where w.course_id = c.id and c.id = any(${sql.param(courseIds)}::text[])`)

  await endSales(transaction, now, courseIds)
}
