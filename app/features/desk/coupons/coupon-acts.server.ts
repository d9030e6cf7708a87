import { listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import {
  createCoupons,
  endCoupons,
  type ListedCoupon,
  type MeantCoupons,
  type NewCoupon,
} from '~/features/orders/coupons/coupon-administration.server'
import { formatMoney } from '~/features/school/money'
import { changesBetween } from '~/features/staff/audit.server'
import type { Statements, Transaction } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import { siteCurrency } from '~/server/site/site.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { unknownCourse } from '../learner-acts.server'
import { readTime } from '../list-pages.server'
import { amountOf } from '../orders/order-acts.server'

/**
 * The acts on coupons, for `npm run admin` and the desk. A refusal is a `StartError` with a
 * sentence.
 */

const mostCodes = 10_000
const mostUses = 1_000_000
const longestName = 200

/** The fields as they were typed; '' for an empty one. */
export type TypedTerms = Record<
  'percent' | 'amount' | 'courses' | 'from' | 'until' | 'uses' | 'perLearner' | 'name',
  string
>

/** @param usualUses the limit of a code for which none was typed. @throws {StartError} */
export async function readTerms(
  db: Pick<Statements, 'execute'>,
  typed: TypedTerms,
  usualUses: number | null,
): Promise<NewCoupon> {
  if (typed.name.length > longestName) {
    throw new StartError(`A name has at most ${longestName} characters.`)
  }

  const amountMinor = amountOf(typed.amount, siteCurrency())
  const percent = countOf(typed.percent, 100, 'The percentage')
  if ((percent === null) === (amountMinor === null) || amountMinor === 0) {
    throw new StartError(
      'Say what the coupon takes off: a percentage like 20, or an amount like 10.50.',
    )
  }

  const startsAt = timeOf(typed.from, 'from')
  const endsAt = timeOf(typed.until, 'until')
  if (startsAt && endsAt && startsAt >= endsAt) {
    throw new StartError('The end is before the beginning.')
  }

  return {
    name: typed.name,
    percent,
    amountMinor,
    currency: amountMinor === null ? null : siteCurrency(),
    courseIds: await coursesOf(db, typed.courses),
    startsAt,
    endsAt,
    maxUses: countOf(typed.uses, mostUses, 'The limit of uses') ?? usualUses,
    maxUsesPerLearner: countOf(typed.perLearner, mostUses, 'The limit of uses by one learner') ?? 1,
  }
}

/** @param chosen the code, or '' for a random one. */
export async function makeCoupon(transaction: Transaction, chosen: string, terms: NewCoupon) {
  const [code = ''] = await createCoupons(transaction, chosen ? [chosen] : 1, terms)
  const changes = changesOf(1, terms)

  return {
    subject: null,
    arguments: { code, off: offText(terms) },
    changes,
    outcome: 'The coupon is made.',
    code,
  }
}

/**
 * Keeps the codes out of the audit, because any reader could use them.
 *
 * @param typed the number of codes.
 */
export async function makeCoupons(transaction: Transaction, typed: string, terms: NewCoupon) {
  const count = countOf(typed, mostCodes, 'The count of codes')
  if (count === null) {
    throw new StartError(`The count of codes is a number from 1 to ${mostCodes}.`)
  }

  const codes = await createCoupons(transaction, count, terms)
  const outcome = byCount(count, '1 coupon is made.', `${formatNumber(count)} coupons are made.`)
  const changes = changesOf(count, terms)

  return {
    subject: null,
    arguments: { off: offText(terms), name: terms.name },
    changes,
    outcome,
    codes,
  }
}

export async function endMeant(transaction: Transaction, which: MeantCoupons) {
  const count = await endCoupons(transaction, which)
  const outcome = byCount(
    count,
    '1 coupon has ended.',
    `${formatNumber(count)} coupons have ended.`,
  )
  const changes = changesBetween({ ended: 0 }, { ended: count })

  return { subject: null, arguments: { named: Object.values(which)[0] }, changes, outcome }
}

/** The changes for the audit: the number of new coupons, and their terms. */
function changesOf(made: number, terms: NewCoupon) {
  const { percent, amountMinor, currency, ...others } = terms
  return changesBetween<Record<string, unknown>>(
    { coupons: 0 },
    { coupons: made, off: offText(terms), ...others },
  )
}

/** @returns null for ''. @throws {StartError} */
function countOf(text: string, most: number, what: string): number | null {
  if (text === '') {
    return null
  }

  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > most) {
    throw new StartError(`${what} is a number from 1 to ${most}.`)
  }

  return count
}

async function coursesOf(db: Pick<Statements, 'execute'>, text: string): Promise<string[] | null> {
  const ids = text.split(/[\s,]+/).filter(Boolean)
  if (ids.length === 0) {
    return null
  }

  const known = await listEnrollable(db, ids)
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) {
    throw unknownCourse(unknown)
  }

  return ids
}

const dayMs = 24 * 60 * 60_000

/** @throws {StartError} */
function timeOf(text: string, end: 'from' | 'until'): Date | null {
  if (text === '') {
    return null
  }

  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d)?Z?$/.exec(text) ?? []
  const at = readTime(`${day}${time ?? 'T00:00'}Z`)
  if (!at) {
    throw new StartError(
      'A coupon begins and ends on a day like 2026-12-24 or at a time like 2026-12-24T18:00, in UTC.',
    )
  }

  return end === 'until' && !time ? new Date(at.getTime() + dayMs) : at
}

export function offText(coupon: Pick<NewCoupon, 'percent' | 'amountMinor' | 'currency'>): string {
  return coupon.percent
    ? `${coupon.percent}%`
    : formatMoney(coupon.amountMinor ?? 0, coupon.currency ?? siteCurrency())
}

export const usesText = ({ uses, maxUses }: Pick<ListedCoupon, 'uses' | 'maxUses'>) =>
  maxUses === null ? formatNumber(uses) : `${formatNumber(uses)} of ${formatNumber(maxUses)}`

/** The links that bring a coupon to checkout, one for each of its courses. */
export function couponLinks(code: string, { courseIds }: Pick<NewCoupon, 'courseIds'>): string[] {
  return (courseIds ?? []).map((id) => couponLink(code, id))
}

export const couponLink = (code: string, courseId: string) =>
  `${env.PUBLIC_URL}/Checkout/${courseId}?coupon=${code}`

/**
 * `other currency`: checkout refuses it, because its amount isn't in the site's currency any more.
 */
export type CouponState = 'open' | 'early' | 'used up' | 'expired' | 'ended' | 'other currency'

export function couponState(
  {
    endedAt,
    startsAt,
    endsAt,
    maxUses,
    uses,
    currency,
  }: Pick<ListedCoupon, 'endedAt' | 'startsAt' | 'endsAt' | 'maxUses' | 'uses' | 'currency'>,
  now: Date,
): CouponState {
  if (endedAt) {
    return 'ended'
  }

  if (currency !== null && currency !== siteCurrency()) {
    return 'other currency'
  }

  if (endsAt && endsAt <= now) {
    return 'expired'
  }

  if (startsAt && startsAt > now) {
    return 'early'
  }

  return maxUses !== null && uses >= maxUses ? 'used up' : 'open'
}
