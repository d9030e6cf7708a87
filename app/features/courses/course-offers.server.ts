/**
 * Whether a course is published, and its price.
 *
 * - Both come from the course's file, or from staff, who change them at the desk (the admin area).
 * - The desk overrides the course's file until it returns to the file, separately for publishing
 *   and for the price.
 * - `courses` has the values in effect. The catalog, search, checkout and pages read only these.
 * - `course_offers` has the desk's values, and the file's values to return to.
 * - The desk's price is in one currency. If the site's currency changes, the file's price is in
 *   effect.
 * - A course whose folder is deleted isn't published, and the desk can't change that.
 */

import { eq, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { courseOffers, type OfferOfFile } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { endSales, recordPrices } from './prices.server'

/** Amounts are in the smallest unit of the site's currency. */
export type OfferPrice = {
  priceMinor: number
  /** The price before a reduction. Equal to `priceMinor` if there is none. */
  originalPriceMinor: number
  /** The last day of a reduced price, like '2026-11-20'; null without an end. */
  priceUntil: string | null
}

export type Offer = OfferPrice & {
  published: boolean
  /** Whether the value comes from the desk, not from the file. */
  isPublishedByDesk: boolean
  isPricedByDesk: boolean
}

/** Returns null for a course that doesn't exist or whose folder is gone. */
export function findOffer(
  db: Pick<Transaction, 'execute'>,
  courseId: string,
): Promise<Offer | null> {
  return selectOffer(db, courseId, sql``)
}

function lockOffer(transaction: Transaction, courseId: string): Promise<Offer | null> {
  return selectOffer(transaction, courseId, sql`for update of c`)
}

async function selectOffer(
  db: Pick<Transaction, 'execute'>,
  courseId: string,
  lockClause: SQL,
): Promise<Offer | null> {
  const {
    rows: [offer],
  } = await db.execute<Offer>(sql`
    select
      c.published,
      c.price_cents as "priceMinor",
      c.original_price_cents as "originalPriceMinor",
      c.price_until::text as "priceUntil",
      o.published is not null as "isPublishedByDesk",
      coalesce(
        o.price_minor is not null and o.currency = ${siteCurrency()},
        false
      ) as "isPricedByDesk"
    from courses c
    left join course_offers o on o.course_id = c.id
    where c.id = ${courseId}
      and exists (
        select from content_courses where course_id = c.id
      )
    ${lockClause}`)

  return offer ?? null
}

/**
 * What the desk changes. Values that are left out stay as they are, and 'follow-file' returns to
 * the course's file.
 */
export type OfferChange = {
  published?: boolean | 'follow-file'
  price?: OfferPrice | 'follow-file'
}

type ChangedOffer = { before: Offer; after: Offer }

/** Overrides a course's file, or returns to it. Fails for a course without a folder. */
export async function changeOffer(
  transaction: Transaction,
  courseId: string,
  change: OfferChange,
  now: Date,
): Promise<Result<ChangedOffer>> {
  const before = await lockOffer(transaction, courseId)
  if (!before) {
    return failure(`No course has the ID '${courseId}', or its folder is gone.`)
  }

  // Without a row in `course_offers`, the values in effect are those of the file.
  const fileOffer: OfferOfFile = {
    published: before.published,
    priceCents: before.priceMinor,
    originalPriceCents: before.originalPriceMinor,
    priceUntil: before.priceUntil,
  }
  await transaction.insert(courseOffers).values({ courseId, file: fileOffer }).onConflictDoNothing()
  await transaction
    .update(courseOffers)
    // An update needs at least one column, even if the change is empty.
    .set({ courseId, ...toPublishedColumn(change), ...toPriceColumns(change) })
    .where(eq(courseOffers.courseId, courseId))

  await applyOffers(transaction, [courseId], now)
  await recordPrices(transaction, [courseId], now)
  await transaction.execute(sql`
    delete from course_offers
    where course_id = ${courseId}
      and published is null
      and price_minor is null`)

  const after = await findOffer(transaction, courseId)
  if (!after) {
    throw new Error('The course was locked, so its folder cannot be gone.')
  }

  return success({ before, after })
}

function toPublishedColumn({ published }: OfferChange) {
  if (published === undefined) {
    return {}
  }

  return { published: published === 'follow-file' ? null : published }
}

function toPriceColumns({ price }: OfferChange) {
  if (price === undefined) {
    return {}
  }

  if (price === 'follow-file') {
    return { priceMinor: null, originalPriceMinor: null, priceUntil: null, currency: null }
  }

  return { ...price, currency: siteCurrency() }
}

/**
 * Remembers the values of the courses' files, and applies the desk's values again. It runs after
 * the files of the courses were stored.
 */
export async function applyFileOffers(
  transaction: Transaction,
  courseIds: readonly string[],
  now: Date,
): Promise<void> {
  await transaction.execute(sql`
    update course_offers o
    set file = jsonb_build_object(
      'published', c.published,
      'priceCents', c.price_cents,
      'originalPriceCents', c.original_price_cents,
      'priceUntil', c.price_until
    )
    from courses c
    where c.id = o.course_id
      and c.id = any(${sql.param(courseIds)}::text[])`)

  await applyOffers(transaction, courseIds, now)
}

/** Writes the values in effect to `courses`. A sale that is over is not in effect. */
async function applyOffers(
  transaction: Transaction,
  courseIds: readonly string[],
  now: Date,
): Promise<void> {
  await transaction.execute(sql`
    update courses c
    set
      published = effective.published,
      original_price_cents = effective.original_price,
      price_cents = effective.price,
      price_until = effective.price_until
    from (
      select
        course_id,
        coalesce(published, (file ->> 'published')::boolean) as published,
        case when is_priced then price_minor
          else (file ->> 'priceCents')::int end as price,
        case when is_priced then original_price_minor
          else (file ->> 'originalPriceCents')::int end as original_price,
        case when is_priced then price_until
          else (file ->> 'priceUntil')::date end as price_until
      from (
        select *, price_minor is not null and currency = ${siteCurrency()} as is_priced
        from course_offers
      ) offers
    ) effective
    where effective.course_id = c.id
      and c.id = any(${sql.param(courseIds)}::text[])`)

  await endSales(transaction, now, courseIds)
}
