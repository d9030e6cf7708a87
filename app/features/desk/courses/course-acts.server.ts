import { sql } from 'drizzle-orm'
import { indexContent } from '~/features/catalog/search/search-index.server'
import { shelfLength } from '~/features/catalog/shelf-queries.server'
import { formatMoney, parseOptionalAmount } from '~/features/school/money'
import { changesBetween } from '~/features/staff/audit.server'
import { lockContent } from '~/server/content/content-loader.server'
import { changeOffer, type Offer, type OfferChange } from '~/server/content/course-offers.server'
import { lastDayAt } from '~/server/content/prices.server'
import type { Transaction } from '~/server/database/client.server'
import { homeCourses } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { siteCurrency } from '~/server/site/site.server'
import { unknownCourse } from '../learner-acts.server'
import { priceProblem } from './price-form'

/**
 * The acts on courses, for `npm run admin` and the desk. A refusal is a `StartError` with a
 * sentence.
 */

/** @param published null returns to the course's file. */
export async function publishCourse(
  transaction: Transaction,
  courseId: string,
  published: boolean | null,
  now: Date,
) {
  const done = await change(transaction, courseId, { published }, now)
  const state = done.after.published ? 'published' : 'not published'

  return {
    ...done.record,
    outcome:
      published === null ? `The course is ${state}, as its file says.` : `The course is ${state}.`,
  }
}

/** The fields as they were typed, with prices like '49.00'. */
type PriceForm = { price: string; sale: string; until: string }

/** @param form null returns to the course's file. */
export async function priceCourse(
  transaction: Transaction,
  courseId: string,
  form: PriceForm | null,
  now: Date,
) {
  const price = form && readPrice(form, now)
  const done = await change(transaction, courseId, { price }, now)
  const text = priceText(done.after)

  return {
    ...done.record,
    outcome: form ? `The course costs ${text}.` : `The course costs ${text}, as its file says.`,
  }
}

/** Returns to the state and the price of the course's file. */
export async function followFile(transaction: Transaction, courseId: string, now: Date) {
  const { after, record } = await change(
    transaction,
    courseId,
    { published: null, price: null },
    now,
  )
  const state = after.published ? 'published' : 'not published'

  return {
    ...record,
    outcome: `The course is ${state} and costs ${priceText(after)}, as its file says.`,
  }
}

/** @throws {StartError} */
function amountOf(text: string, currency: string): number | null {
  const amount = parseOptionalAmount(text, currency)
  if (!amount.ok) {
    throw new StartError(amount.problem)
  }

  return amount.value
}

function readPrice({ price, sale, until }: PriceForm, now: Date) {
  const currency = siteCurrency()
  const typed = { price: amountOf(price, currency), sale: amountOf(sale, currency), until }
  const problem = priceProblem(typed, currency, lastDayAt(now))
  if (problem || typed.price === null) {
    throw new StartError(problem ?? '')
  }

  return {
    priceMinor: typed.sale ?? typed.price,
    originalPriceMinor: typed.price,
    priceUntil: typed.sale !== null && until ? until : null,
  }
}

/** Like '$49.00 until 2026-12-24, then $69.00'. */
export function priceText({ priceMinor, originalPriceMinor, priceUntil }: Offer): string {
  const [price, full] = [
    formatMoney(priceMinor, siteCurrency()),
    formatMoney(originalPriceMinor, siteCurrency()),
  ]
  if (priceMinor === originalPriceMinor) {
    return price
  }

  return priceUntil ? `${price} until ${priceUntil}, then ${full}` : `${price} instead of ${full}`
}

async function change(transaction: Transaction, courseId: string, change: OfferChange, now: Date) {
  // Loading content at the same time would change the same courses, and the search's word counts.
  await lockContent(transaction)
  const { before, after } = await changeOffer(transaction, courseId, change, now)
  await indexContent(transaction, [courseId])
  const { priceMinor, originalPriceMinor, ...shown } = after
  const { priceMinor: _p, originalPriceMinor: _o, ...former } = before
  const changes = changesBetween(
    {
      ...former,
      price: formatMoney(before.priceMinor, siteCurrency()),
      fullPrice: formatMoney(before.originalPriceMinor, siteCurrency()),
    },
    {
      ...shown,
      price: formatMoney(priceMinor, siteCurrency()),
      fullPrice: formatMoney(originalPriceMinor, siteCurrency()),
    },
  )

  return { after, record: { subject: courseId, changes } }
}

/**
 * Sets the courses that Home shows first, in this order.
 *
 * @param courseIds empty for the most popular ones.
 */
export async function arrangeHome(transaction: Transaction, courseIds: readonly string[]) {
  // Two who save at the same time wait for one another.
  await lockContent(transaction)
  const ids = [...new Set(courseIds)]
  if (ids.length > shelfLength) {
    throw new StartError(`Home shows ${shelfLength} courses.`)
  }

  const { rows } = await transaction.execute<{ id: string }>(sql`
    select id from courses where id = any(${sql.param(ids)}::text[]) and published and in_catalogue`)
  const unknown = ids.filter((id) => rows.every((row) => row.id !== id))
  if (unknown.length > 0) {
    throw unknownCourse(unknown, 'No course of the catalog')
  }

  const former = await transaction.delete(homeCourses).returning()
  if (ids.length > 0) {
    await transaction
      .insert(homeCourses)
      .values(ids.map((courseId, index) => ({ place: index + 1, courseId })))
  }

  const before = former
    .sort((one, other) => one.place - other.place)
    .map(({ courseId }) => courseId)

  return {
    subject: null,
    changes: changesBetween({ courses: before }, { courses: ids }),
    outcome:
      ids.length === 0
        ? 'Home shows the most popular courses.'
        : `Home shows ${ids.join(', ')} first.`,
  }
}
