/**
 * What staff change about a course: whether it is published, what it costs, and whether Home shows
 * it. What staff change overrides the course's file until they return to the file.
 */
import { sql } from 'drizzle-orm'
import { lockContent } from '~/features/courses/content/content-loader.server'
import {
  changeOffer,
  findOffer,
  type Offer,
  type OfferChange,
} from '~/features/courses/course-offers.server'
import { findPriceProblem } from '~/features/courses/price-rules'
import { getEarliestDayOnEarth } from '~/features/courses/prices.server'
import { formatMoney, parseOptionalAmount } from '~/features/school/money'
import { changesBetween } from '~/features/staff/audit.server'
import { type ActionContext, performAction } from '~/features/staff/staff-action.server'
import { describeUnknownCourses } from '~/features/staff/staff-actions.server'
import type { Transaction } from '~/server/database/client.server'
import { homeCourses } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { indexContent } from './search/search-index.server'
import { coursesPerShelf } from './shelf-queries.server'

const changeCourses = 'change courses' as const

type CourseInput = {
  courseId: string
  /** What the form's page showed, from `describeShownStatus` or `describeShownPrice`. */
  shown: string
}

/** @param isPublished null returns to what the course's file says */
export function publishCourse(
  context: ActionContext,
  input: CourseInput,
  isPublished: boolean | null,
) {
  const name = isPublished === false ? 'course withdraw' : 'course publish'

  return performAction(context, { name, permission: changeCourses }, async (tx) => {
    const offer = await findUnchangedOffer(tx, input, describeShownStatus)
    if (!offer.ok) {
      return offer
    }

    const changed = await changeCourse(tx, input.courseId, { published: isPublished }, context.now)
    const status = changed.offer.published ? 'published' : 'not published'
    const source = isPublished === null ? ', as its file says' : ''

    return success({ ...changed.auditEntry, outcome: `The course is ${status}${source}.` })
  })
}

/** The fields of the form, with amounts such as '49.00' in the school's currency. */
type PriceFields = { price: string; sale: string; until: string }

export function priceCourse(context: ActionContext, input: CourseInput, priceFields: PriceFields) {
  const definition = { name: 'course price', permission: changeCourses }

  return performAction(context, definition, async (tx) => {
    const offer = await findUnchangedOffer(tx, input, describeShownPrice)
    if (!offer.ok) {
      return offer
    }

    const price = parsePrice(priceFields, context.now)
    if (!price.ok) {
      return price
    }

    const change = { price: price.value }
    const changed = await changeCourse(tx, input.courseId, change, context.now)

    return success({
      ...changed.auditEntry,
      outcome: `The course costs ${formatOfferPrice(changed.offer)}.`,
    })
  })
}

/** Lets the course's file say again what the course costs. */
export function followFilePrice(context: ActionContext, input: CourseInput) {
  const definition = { name: 'course price', permission: changeCourses }

  return performAction(context, definition, async (tx) => {
    const offer = await findUnchangedOffer(tx, input, describeShownPrice)
    if (!offer.ok) {
      return offer
    }

    if (!offer.value.isPricedByDesk) {
      return failure('The course costs what its file says already.')
    }

    const changed = await changeCourse(tx, input.courseId, { price: null }, context.now)

    return success({
      ...changed.auditEntry,
      outcome: `The course costs ${formatOfferPrice(changed.offer)}, as its file says.`,
    })
  })
}

/** Returns a text such as 'desk:published', which a form sends back. */
export function describeShownStatus({ published, isPublishedByDesk }: Offer): string {
  return `${isPublishedByDesk ? 'desk' : 'file'}:${published ? 'published' : 'withdrawn'}`
}

/** Returns a text such as 'desk:USD:4900:6900:2026-12-24', which a form sends back. */
export function describeShownPrice(offer: Offer): string {
  const { isPricedByDesk, priceMinor, originalPriceMinor, priceUntil } = offer
  const source = isPricedByDesk ? 'desk' : 'file'

  return [source, siteCurrency(), priceMinor, originalPriceMinor, priceUntil ?? ''].join(':')
}

/** Finds the course's offer, if it is still what the form's page showed. */
async function findUnchangedOffer(
  tx: Transaction,
  { courseId, shown }: CourseInput,
  describeShown: (offer: Offer) => string,
): Promise<Result<Offer>> {
  // The lock is held until the change is made, so that the offer can't change in between.
  await lockContent(tx)
  const offer = await findOffer(tx, courseId)
  if (offer === null || shown !== describeShown(offer)) {
    return failure('Somebody has changed this course in the meantime. Check it again.')
  }

  return success(offer)
}

function parsePrice(fields: PriceFields, now: Date): Result<NonNullable<OfferChange['price']>> {
  const currency = siteCurrency()
  const price = parseOptionalAmount(fields.price, currency)
  if (!price.ok) {
    return price
  }

  const sale = parseOptionalAmount(fields.sale, currency)
  if (!sale.ok) {
    return sale
  }

  const amounts = { priceMinor: price.value, saleMinor: sale.value, until: fields.until }
  const problem = findPriceProblem(amounts, currency, getEarliestDayOnEarth(now))
  if (problem !== null || price.value === null) {
    return failure(problem ?? 'Give a price; 0 is free.')
  }

  const isReduced = sale.value !== null
  return success({
    priceMinor: sale.value ?? price.value,
    originalPriceMinor: price.value,
    priceUntil: isReduced && fields.until !== '' ? fields.until : null,
  })
}

/** Formats a price like '$49.00 until 2026-12-24, then $69.00'. */
export function formatOfferPrice({ priceMinor, originalPriceMinor, priceUntil }: Offer): string {
  const price = formatMoney(priceMinor, siteCurrency())
  const fullPrice = formatMoney(originalPriceMinor, siteCurrency())
  if (priceMinor === originalPriceMinor) {
    return price
  }

  return priceUntil
    ? `${price} until ${priceUntil}, then ${fullPrice}`
    : `${price} instead of ${fullPrice}`
}

async function changeCourse(tx: Transaction, courseId: string, change: OfferChange, now: Date) {
  const { before, after } = await changeOffer(tx, courseId, change, now)
  await indexContent(tx, [courseId])
  const changes = changesBetween(getAuditedOffer(before), getAuditedOffer(after))

  return { offer: after, auditEntry: { subject: courseId, changes } }
}

/** Returns the values of an offer for the audit log, with prices as texts. */
function getAuditedOffer({ priceMinor, originalPriceMinor, ...offer }: Offer) {
  return {
    ...offer,
    price: formatMoney(priceMinor, siteCurrency()),
    fullPrice: formatMoney(originalPriceMinor, siteCurrency()),
  }
}

/**
 * Sets the courses that Home shows first, in this order.
 *
 * @param courseIds empty for the most popular courses
 */
export function arrangeHome(context: ActionContext, courseIds: readonly string[]) {
  const definition = { name: 'course home', permission: changeCourses }

  return performAction(context, definition, async (tx) => {
    // Two people who save at the same time wait for each other.
    await lockContent(tx)

    const ids = [...new Set(courseIds)]
    if (ids.length > coursesPerShelf) {
      return failure(`Home shows ${coursesPerShelf} courses.`)
    }

    const unlistedIds = await listCoursesOutsideCatalog(tx, ids)
    if (unlistedIds.length > 0) {
      return failure(describeUnknownCourses(unlistedIds, 'No course of the catalog'))
    }

    const idsBefore = await replaceHomeCourses(tx, ids)
    const outcome =
      ids.length === 0
        ? 'Home shows the most popular courses.'
        : `Home shows ${ids.join(', ')} first.`

    return success({
      subject: null,
      changes: changesBetween({ courses: idsBefore }, { courses: ids }),
      outcome,
    })
  })
}

async function listCoursesOutsideCatalog(
  tx: Transaction,
  courseIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from courses
    where id = any(${sql.param(courseIds)}::text[]) and published and in_catalogue`)
  const listedIds = new Set(rows.map(({ id }) => id))

  return courseIds.filter((id) => !listedIds.has(id))
}

/** @returns the courses that Home showed before, in their order */
async function replaceHomeCourses(
  tx: Transaction,
  courseIds: readonly string[],
): Promise<string[]> {
  const rowsBefore = await tx.delete(homeCourses).returning()
  if (courseIds.length > 0) {
    const rows = courseIds.map((courseId, index) => ({ place: index + 1, courseId }))
    await tx.insert(homeCourses).values(rows)
  }

  return rowsBefore
    .toSorted((one, other) => one.place - other.place)
    .map(({ courseId }) => courseId)
}
