/**
 * The actions by which staff change a course's offer: they publish or withdraw the course, and set
 * its price.
 *
 * A change at the desk overrides the course's file until somebody returns to the file. Two members
 * of staff can't overwrite each other's changes: a form sends back what its page displayed, which
 * is a fingerprint of the offer, and is refused if the offer has changed since.
 */

import { lockContentForRequest } from '~/features/courses/content/content-lock.server'
import {
  changeOffer,
  findOffer,
  type Offer,
  type OfferChange,
  type OfferPrice,
} from '~/features/courses/course-offers.server'
import { findPriceProblem } from '~/features/courses/price-rules'
import { getEarliestDayOnEarth } from '~/features/courses/prices.server'
import { formatMoney, parseOptionalAmount } from '~/features/school/money'
import { findChanges } from '~/features/staff/audit.server'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import { siteCurrency } from '~/server/site/site.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { indexContent } from './search/search-index.server'

/** Staff publish or withdraw a course, or let the course's file decide again. */
export type PublicationChange = 'publish' | 'withdraw' | 'follow-file'

/** The value that `OfferChange` has for each change. */
const publishedByChange = { publish: true, withdraw: false, 'follow-file': 'follow-file' } as const

type CourseInput = {
  courseId: string
  /** The fingerprint of the offer that the form's page displayed. */
  fingerprint: string
}

export function changePublication(
  context: StaffActionContext,
  input: CourseInput,
  change: PublicationChange,
) {
  const name = change === 'withdraw' ? 'course withdraw' : 'course publish'

  return performStaffAction(context, { name, permission: 'change courses' }, async (tx) => {
    const unchangedOffer = await findUnchangedOffer(tx, input, getPublicationFingerprint)
    if (!unchangedOffer.ok) {
      return unchangedOffer
    }

    const published = publishedByChange[change]
    const storedOffer = await storeOffer(tx, input.courseId, { published }, context.now)
    if (!storedOffer.ok) {
      return storedOffer
    }

    const { offer, auditEntry } = storedOffer.value
    const status = offer.published ? 'published' : 'not published'
    const source = change === 'follow-file' ? ', as its file says' : ''

    return success({ ...auditEntry, outcome: `The course is ${status}${source}.` })
  })
}

/**
 * Withdraws several courses, for example all sample courses. Each course is withdrawn in its own
 * transaction and has its own audit entry. Courses that are not published stay as they are. A
 * failure leaves the courses before it withdrawn, and says how many they are.
 */
export function withdrawCourses(
  context: StaffActionContext,
  courseIds: readonly string[],
): Promise<Result<{ outcome: string }>> {
  return changeSeveralCourses(context, courseIds, {
    actionName: 'course withdraw',
    isUnchanged: ({ published }) => !published,
    published: false,
    formatCount: (count) =>
      byCount(count, '1 course withdrawn.', `${formatNumber(count)} courses withdrawn.`),
    nothingChanged: 'Every chosen course was withdrawn already.',
  })
}

/**
 * Lets the files of several courses decide again whether they are published, after the desk has
 * withdrawn the courses. It works like `withdrawCourses`.
 */
export function restoreWithdrawnCourses(
  context: StaffActionContext,
  courseIds: readonly string[],
): Promise<Result<{ outcome: string }>> {
  return changeSeveralCourses(context, courseIds, {
    actionName: 'course publish',
    isUnchanged: ({ published, isPublishedByDesk }) => published || !isPublishedByDesk,
    published: 'follow-file',
    formatCount: (count) =>
      byCount(
        count,
        '1 course follows its file again.',
        `${formatNumber(count)} courses follow their files again.`,
      ),
    nothingChanged: 'No chosen course was withdrawn at the desk.',
  })
}

type SeveralCoursesChange = {
  actionName: 'course withdraw' | 'course publish'
  isUnchanged: (offer: Offer) => boolean
  published: OfferChange['published']
  /** Returns a sentence about the number of changed courses. */
  formatCount: (count: number) => string
  nothingChanged: string
}

async function changeSeveralCourses(
  context: StaffActionContext,
  courseIds: readonly string[],
  change: SeveralCoursesChange,
): Promise<Result<{ outcome: string }>> {
  let changedCount = 0

  for (const courseId of new Set(courseIds)) {
    const result = await changeOneOfSeveral(context, courseId, change)
    if (!result.ok) {
      return changedCount === 0
        ? result
        : failure(`${change.formatCount(changedCount)} ${result.problem}`)
    }

    if (result.value === 'changed') {
      changedCount += 1
    }
  }

  return success({
    outcome: changedCount === 0 ? change.nothingChanged : change.formatCount(changedCount),
  })
}

async function changeOneOfSeveral(
  context: StaffActionContext,
  courseId: string,
  { actionName, isUnchanged, published }: SeveralCoursesChange,
): Promise<Result<'changed' | 'unchanged'>> {
  const definition = { name: actionName, permission: 'change courses' } as const
  let hasNothingToChange = false

  const result = await performStaffAction(context, definition, async (tx) => {
    const lockResult = await lockContentForRequest(tx)
    if (!lockResult.ok) {
      return lockResult
    }

    const offer = await findOffer(tx, courseId)
    if (offer && isUnchanged(offer)) {
      hasNothingToChange = true
      // A failure stores no audit entry.
      return failure('The course is like this already.')
    }

    const storedOffer = await storeOffer(tx, courseId, { published }, context.now)
    if (!storedOffer.ok) {
      return storedOffer
    }

    const { offer: changedOffer, auditEntry } = storedOffer.value
    const status = changedOffer.published ? 'published' : 'not published'
    return success({ ...auditEntry, outcome: `The course is ${status}.` })
  })

  if (hasNothingToChange) {
    return success('unchanged')
  }

  return result.ok ? success('changed') : result
}

const priceAction = { name: 'course price', permission: 'change courses' } as const

/** The fields of the form, with amounts such as '49.00' in the school's currency. */
type PriceFields = { price: string; sale: string; until: string }

export function setPrice(
  context: StaffActionContext,
  input: CourseInput,
  priceFields: PriceFields,
) {
  return performStaffAction(context, priceAction, async (tx) => {
    const unchangedOffer = await findUnchangedOffer(tx, input, getPriceFingerprint)
    if (!unchangedOffer.ok) {
      return unchangedOffer
    }

    const price = parsePrice(priceFields, context.now)
    if (!price.ok) {
      return price
    }

    const change = { price: price.value }
    const storedOffer = await storeOffer(tx, input.courseId, change, context.now)
    if (!storedOffer.ok) {
      return storedOffer
    }

    const { offer, auditEntry } = storedOffer.value

    return success({ ...auditEntry, outcome: `The course costs ${formatOfferPrice(offer)}.` })
  })
}

/** Removes the price that was set at the desk, so that the price in the course's file applies. */
export function resetPriceToFile(context: StaffActionContext, input: CourseInput) {
  return performStaffAction(context, priceAction, async (tx) => {
    const unchangedOffer = await findUnchangedOffer(tx, input, getPriceFingerprint)
    if (!unchangedOffer.ok) {
      return unchangedOffer
    }

    if (!unchangedOffer.value.isPricedByDesk) {
      return failure('The course costs what its file says already.')
    }

    const change: OfferChange = { price: 'follow-file' }
    const storedOffer = await storeOffer(tx, input.courseId, change, context.now)
    if (!storedOffer.ok) {
      return storedOffer
    }

    const { offer, auditEntry } = storedOffer.value

    return success({
      ...auditEntry,
      outcome: `The course costs ${formatOfferPrice(offer)}, as its file says.`,
    })
  })
}

/** Returns a text such as 'desk:published', which a form sends back. */
export function getPublicationFingerprint({ published, isPublishedByDesk }: Offer): string {
  return `${isPublishedByDesk ? 'desk' : 'file'}:${published ? 'published' : 'withdrawn'}`
}

/** Returns a text such as 'desk:USD:4900:6900:2026-12-24', which a form sends back. */
export function getPriceFingerprint(offer: Offer): string {
  const { isPricedByDesk, priceMinor, originalPriceMinor, priceUntil } = offer
  const source = isPricedByDesk ? 'desk' : 'file'

  return [source, siteCurrency(), priceMinor, originalPriceMinor, priceUntil ?? ''].join(':')
}

/** Finds the course's offer, if it is still the one that the form's page displayed. */
async function findUnchangedOffer(
  tx: Transaction,
  { courseId, fingerprint }: CourseInput,
  getFingerprint: (offer: Offer) => string,
): Promise<Result<Offer>> {
  // The lock is held until the change is made, so that the offer can't change in between.
  const lockResult = await lockContentForRequest(tx)
  if (!lockResult.ok) {
    return lockResult
  }

  const offer = await findOffer(tx, courseId)
  if (offer === null) {
    return failure(`No course has the ID '${courseId}', or its folder is gone.`)
  }

  if (fingerprint !== getFingerprint(offer)) {
    return failure('Somebody has changed this course in the meantime. Check it again.')
  }

  return success(offer)
}

function parsePrice(fields: PriceFields, now: Date): Result<OfferPrice> {
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
  // The day of the sale's end may be over in some time zones, but not in all of them.
  const problem = findPriceProblem(amounts, currency, getEarliestDayOnEarth(now))
  if (problem !== null) {
    return failure(problem)
  }

  const fullPriceMinor = price.value
  if (fullPriceMinor === null) {
    return failure('Give a price; 0 is free.')
  }

  const isReduced = sale.value !== null
  return success({
    priceMinor: sale.value ?? fullPriceMinor,
    originalPriceMinor: fullPriceMinor,
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

/**
 * Changes the offer and its entry in the search index.
 *
 * @returns the new offer, and the audit entry without its outcome
 */
async function storeOffer(tx: Transaction, courseId: string, change: OfferChange, now: Date) {
  const result = await changeOffer(tx, courseId, change, now)
  if (!result.ok) {
    return result
  }

  await indexContent(tx, [courseId])
  const { before, after } = result.value
  const changes = findChanges(getAuditedOffer(before), getAuditedOffer(after))

  return success({ offer: after, auditEntry: { subject: courseId, changes } })
}

/** Returns the values of an offer for the audit log, with prices as texts. */
function getAuditedOffer({ priceMinor, originalPriceMinor, ...offer }: Offer) {
  return {
    ...offer,
    price: formatMoney(priceMinor, siteCurrency()),
    fullPrice: formatMoney(originalPriceMinor, siteCurrency()),
  }
}
