import { unknownCourse } from '~/features/desk/learner-acts.server'
import { amountOf } from '~/features/desk/orders/order-acts.server'
import { listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import {
  createCoupons,
  describeCoupon,
  endCoupons,
  type ListedCoupon,
  listCoupons,
  type NewCoupon,
} from '~/features/orders/coupons/coupon-administration.server'
import { moneyText } from '~/features/orders/money'
import { env, StartError } from '~/server/env.server'
import { audited } from '~/server/operations/audit.server'
import { byCount, formatNumber } from '~/ui/format-count'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatFacts,
  formatInstant,
  formatTable,
  limitOf,
  limitOption,
  listed,
} from './admin-command.server'

const mostCodes = 10_000
const mostUses = 1_000_000

const termsOptions = {
  percent: { value: 'N', says: 'take off this percentage, 1 to 100' },
  amount: { value: 'AMOUNT', says: 'or take off this amount, like 10.50' },
  course: { value: 'COURSE,COURSE', says: 'only for these courses; by default for all' },
  from: { value: 'DATE', says: 'from this day or time on, in UTC: 2026-12-01 or 2026-12-01T09:00' },
  until: { value: 'DATE', says: 'to the end of this day, or until this time' },
  'per-learner': { value: 'N', says: 'how many orders of one learner may use it; 1 by default' },
  name: { value: 'NAME', says: 'what it is for; finds and ends all of its codes' },
}

export const couponCommands: AdminCommand[] = [
  {
    name: 'coupons create',
    takes: ['[CODE]'],
    options: { ...termsOptions, uses: { value: 'N', says: 'how many orders may use it; any number by default' } },
    says: 'make a coupon; without a CODE, one that can’t be guessed',
    effect: 'changes',
    run: createOne,
  },
  {
    name: 'coupons bulk',
    takes: ['COUNT'],
    options: { ...termsOptions, uses: { value: 'N', says: 'how many orders may use each; 1 by default' } },
    says: 'make many codes that can’t be guessed, and print them as CSV',
    effect: 'changes',
    run: createMany,
  },
  {
    name: 'coupons list',
    takes: ['[TEXT]'],
    options: { limit: limitOption(50, mostCodes) },
    says: 'list coupons, newest first, by part of their code or name',
    effect: 'reads',
    run: ({ db, given: [text = ''], options, now }) =>
      listed({
        options,
        usual: 50,
        most: mostCodes,
        find: (limit) => listCoupons(db, text, limit),
        shown: (coupon) => ({
          CODE: coupon.code,
          STATE: stateOf(coupon, now),
          OFF: offText(coupon),
          USES: usesOf(coupon),
          UNTIL: formatInstant(coupon.endsAt),
          COURSES: coupon.courseIds?.join(' ') ?? 'all',
          NAME: coupon.name,
        }),
        none: 'There’s no such coupon.',
      }),
  },
  {
    name: 'coupons show',
    takes: ['CODE'],
    says: 'show a coupon, its link and the newest orders with it',
    effect: 'reads',
    run: showCoupon,
  },
  {
    name: 'coupons end',
    takes: ['CODE|NAME'],
    says: 'end a coupon, or all that share a name; orders that were made with it stay',
    effect: 'changes',
    run: endOnes,
  },
]

async function createOne(call: CommandCall): Promise<Answer> {
  const [chosen = ''] = call.given
  const terms = await termsOf(call, null)
  const { code, outcome } = await audited(call.db, call.actor, async (transaction) => {
    const [code = ''] = await createCoupons(transaction, chosen ? [chosen] : 1, terms)
    return { subject: null, arguments: { code, off: offText(terms) }, outcome: 'The coupon is made.', code }
  })
  return { data: { code }, text: [outcome, code, ...linksOf(code, terms)].join('\n') }
}

async function createMany(call: CommandCall): Promise<Answer> {
  const count = countOf(call.given[0])
  const terms = await termsOf(call, 1)
  const { codes } = await audited(call.db, call.actor, async (transaction) => {
    const codes = await createCoupons(transaction, count, terms)
    const outcome = byCount(count, '1 coupon is made.', `${formatNumber(count)} coupons are made.`)
    return { subject: null, arguments: { off: offText(terms), name: terms.name }, outcome, codes }
  })
  const lines = codes.map((code) => [code, ...linksOf(code, terms).slice(0, 1)].join(','))
  return { text: [terms.courseIds ? 'code,link' : 'code', ...lines].join('\n') }
}

/** @throws {StartError} */
function countOf(given = ''): number {
  const count = /^\d{1,5}$/.test(given) ? Number(given) : 0
  if (count < 1 || count > mostCodes) throw new StartError(`COUNT is a number from 1 to ${mostCodes}.`)
  return count
}

async function showCoupon({ db, given: [code = ''], now }: CommandCall): Promise<Answer> {
  const data = await describeCoupon(db, code)
  const { coupon } = data
  const facts = formatFacts({
    code: coupon.code,
    state: stateOf(coupon, now),
    name: coupon.name,
    off: offText(coupon),
    courses: coupon.courseIds?.join(' ') ?? 'all',
    from: formatInstant(coupon.startsAt),
    until: formatInstant(coupon.endsAt),
    uses: usesOf(coupon),
    'per learner': coupon.maxUsesPerLearner ?? 'any number',
    links: linksOf(coupon.code, coupon).join(' '),
  })
  const orders = data.orders.map(({ order, email }) => ({
    ORDER: order.id,
    AT: formatInstant(order.createdAt),
    STATE: order.state,
    TOTAL: moneyText(order.totalMinor, order.currency),
    COURSE: order.courseId,
    LEARNER: email ?? 'deleted',
  }))
  return { data, text: `${facts}\n\n${formatTable(orders, 'No order has used it yet.')}` }
}

async function endOnes(call: CommandCall): Promise<Answer> {
  const [named = ''] = call.given
  const { outcome } = await audited(call.db, call.actor, async (transaction) => {
    const count = await endCoupons(transaction, named)
    const outcome = byCount(count, '1 coupon has ended.', `${formatNumber(count)} coupons have ended.`)
    return { subject: null, arguments: { named }, outcome }
  })
  return { text: outcome }
}

/** @param usualUses without `--uses`. @throws {StartError} */
async function termsOf({ db, options }: CommandCall, usualUses: number | null): Promise<NewCoupon> {
  const amountMinor = amountOf(String(options.amount ?? ''), env.CURRENCY)
  const percent = options.percent === undefined ? null : limitOf(options.percent, 0, 100, 'percent')
  if ((percent === null) === (amountMinor === null) || amountMinor === 0)
    throw new StartError('Say what the coupon takes off: --percent 20, or --amount 10.50.')
  const startsAt = timeOf(options.from, 'from')
  const endsAt = timeOf(options.until, 'until')
  if (startsAt && endsAt && startsAt >= endsAt) throw new StartError('--until is before --from.')
  return {
    name: String(options.name ?? '').trim(),
    percent,
    amountMinor,
    currency: amountMinor === null ? null : env.CURRENCY,
    courseIds: await coursesOf(db, options.course),
    startsAt,
    endsAt,
    maxUses: options.uses === undefined ? usualUses : limitOf(options.uses, 1, mostUses, 'uses'),
    maxUsesPerLearner: limitOf(options['per-learner'], 1, mostUses, 'per-learner'),
  }
}

async function coursesOf(db: CommandCall['db'], given: unknown): Promise<string[] | null> {
  if (given === undefined) return null
  const ids = String(given)
    .split(/[\s,]+/)
    .filter(Boolean)
  const known = await listEnrollable(db, ids)
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0 || ids.length === 0) throw unknownCourse(unknown)
  return ids
}

const dayMs = 24 * 60 * 60_000

/** @throws {StartError} */
function timeOf(given: unknown, option: 'from' | 'until'): Date | null {
  if (given === undefined) return null
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d)?Z?$/.exec(String(given).trim()) ?? []
  const at = Date.parse(`${day}${time ?? 'T00:00'}Z`)
  if (Number.isNaN(at))
    throw new StartError(`--${option} takes a day like 2026-12-24 or a time like 2026-12-24T18:00, in UTC.`)
  return new Date(option === 'until' && !time ? at + dayMs : at)
}

function offText(coupon: Pick<NewCoupon, 'percent' | 'amountMinor' | 'currency'>): string {
  return coupon.percent ? `${coupon.percent}%` : moneyText(coupon.amountMinor ?? 0, coupon.currency ?? env.CURRENCY)
}

const usesOf = ({ uses, maxUses }: ListedCoupon) => (maxUses === null ? `${uses}` : `${uses} of ${maxUses}`)

/** What learners open to have the coupon: one for each of its courses. */
function linksOf(code: string, { courseIds }: Pick<NewCoupon, 'courseIds'>): string[] {
  return (courseIds ?? []).map((id) => `${env.PUBLIC_URL}/Checkout/${id}?coupon=${code}`)
}

function stateOf({ endedAt, startsAt, endsAt, maxUses, uses }: ListedCoupon, now: Date): string {
  if (endedAt) return 'ended'
  if (endsAt && endsAt <= now) return 'expired'
  if (startsAt && startsAt > now) return 'early'
  return maxUses !== null && uses >= maxUses ? 'used up' : 'open'
}
