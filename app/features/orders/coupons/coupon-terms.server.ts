import { listCourseAvailability } from '~/features/courses/course-lookup.server'
import {
  formatTimeZone,
  getEndOfDay,
  getStartOfDay,
  parseLocalTime,
} from '~/features/school/local-time'
import { parseOptionalAmount } from '~/features/school/money'
import type { Statements } from '~/server/database/client.server'
import type { coupons } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { siteCurrency, siteTimeZone } from '~/server/site/site.server'
import { cleanText } from '~/ui/form/clean-text'

/** What a coupon does, for whom and when. Coupons that are made together have the same terms. */
export type CouponTerms = Omit<typeof coupons.$inferInsert, 'code' | 'createdAt' | 'endedAt'>

/** The fields of the form as they were submitted. An empty field is an empty text. */
export type SubmittedTerms = Record<
  'percent' | 'amount' | 'from' | 'until' | 'uses' | 'perLearner' | 'name',
  string
> & { courseIds: readonly string[] }

const maxNameLength = 200
const maxUses = 1_000_000

/**
 * Parses and checks the terms of a new coupon.
 *
 * @param options.maxUsesByDefault how often a code can be used if the field is empty
 */
export async function parseTerms(
  db: Pick<Statements, 'execute'>,
  submitted: SubmittedTerms,
  options: { maxUsesByDefault: number | null },
): Promise<Result<CouponTerms>> {
  const { name } = submitted
  if (name.length > maxNameLength) {
    return failure(`A name has at most ${maxNameLength} characters.`)
  }

  const discount = parseDiscount(submitted)
  if (!discount.ok) {
    return discount
  }

  const period = parsePeriod(submitted)
  if (!period.ok) {
    return period
  }

  const courseIds = await findCourseIds(db, submitted.courseIds)
  if (!courseIds.ok) {
    return courseIds
  }

  const uses = parseOptionalCount(submitted.uses, { max: maxUses, label: 'The limit of uses' })
  if (!uses.ok) {
    return uses
  }

  const label = 'The limit of uses by one learner'
  const perLearner = parseOptionalCount(submitted.perLearner, { max: maxUses, label })
  if (!perLearner.ok) {
    return perLearner
  }

  return success({
    name,
    ...discount.value,
    ...period.value,
    courseIds: courseIds.value,
    maxUses: uses.value ?? options.maxUsesByDefault,
    maxUsesPerLearner: perLearner.value ?? 1,
  })
}

type CountOptions = {
  max: number
  /** The subject of the sentence about a mistake. */
  label: string
}

/** Parses a whole number from 1 to `max`. */
export function parseCount(text: string, { max, label }: CountOptions): Result<number> {
  const digits = cleanText(text)
  const count = /^\d{1,9}$/.test(digits) ? Number(digits) : 0
  if (count < 1 || count > max) {
    return failure(`${label} is a number from 1 to ${max}.`)
  }

  return success(count)
}

function parseOptionalCount(text: string, options: CountOptions): Result<number | null> {
  return text === '' ? success(null) : parseCount(text, options)
}

type StoredDiscount = Pick<CouponTerms, 'percent' | 'amountMinor' | 'currency'>

/** A coupon takes off either a percentage or an amount. */
function parseDiscount({ percent, amount }: SubmittedTerms): Result<StoredDiscount> {
  const currency = siteCurrency()
  const amountMinor = parseOptionalAmount(amount, currency)
  if (!amountMinor.ok) {
    return amountMinor
  }

  const percentText = cleanText(percent).replace(/ ?%$/, '')
  const percentage = parseOptionalCount(percentText, { max: 100, label: 'The percentage' })
  if (!percentage.ok) {
    return percentage
  }

  if (percentage.value !== null && amountMinor.value === null) {
    return success({ percent: percentage.value, amountMinor: null, currency: null })
  }

  const hasAmount = amountMinor.value !== null && amountMinor.value > 0
  if (hasAmount && percentage.value === null) {
    return success({ percent: null, amountMinor: amountMinor.value, currency })
  }

  return failure('Say what the coupon takes off: a percentage like 20, or an amount like 10.50.')
}

type Period = { startsAt: Date | null; endsAt: Date | null }

function parsePeriod({ from, until }: SubmittedTerms): Result<Period> {
  const start = parseTime(from, getStartOfDay)
  if (!start.ok) {
    return start
  }

  // A day that was given as the end counts completely.
  const end = parseTime(until, getEndOfDay)
  if (!end.ok) {
    return end
  }

  const startsAt = start.value
  const endsAt = end.value
  if (startsAt && endsAt && startsAt >= endsAt) {
    return failure('The end is before the beginning.')
  }

  return success({ startsAt, endsAt })
}

/**
 * Parses a day or a time in the school's time zone, such as 2026-12-24 or 2026-12-24T18:00.
 *
 * @param getTimeOnDay returns the time that a day without a time of day stands for
 */
function parseTime(
  text: string,
  getTimeOnDay: (day: string, timeZone: string) => Date | null,
): Result<Date | null> {
  if (text === '') {
    return success(null)
  }

  const timeZone = siteTimeZone()
  const time = text.includes('T') ? parseLocalTime(text, timeZone) : getTimeOnDay(text, timeZone)
  if (time === null) {
    return failure(
      `A coupon begins and ends on a day like 2026-12-24 or at a time like 2026-12-24T18:00, in the school’s time zone (${formatTimeZone(timeZone)}).`,
    )
  }

  return success(time)
}

/** @returns null for all courses */
async function findCourseIds(
  db: Pick<Statements, 'execute'>,
  courseIds: readonly string[],
): Promise<Result<string[] | null>> {
  if (courseIds.length === 0) {
    return success(null)
  }

  const knownCourses = await listCourseAvailability(db, courseIds)
  const unknownIds = courseIds.filter((id) => !knownCourses.has(id))
  if (unknownIds.length > 0) {
    const quotedIds = unknownIds.map((id) => `'${id}'`)
    const list = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(quotedIds)
    return failure(`No course has the ID ${list}.`)
  }

  return success([...courseIds])
}
