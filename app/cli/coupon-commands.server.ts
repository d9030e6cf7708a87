import {
  couponLinks,
  couponState,
  endMeant,
  makeCoupon,
  makeCoupons,
  offText,
  readTerms,
  usesText,
} from '~/features/desk/coupons/coupon-acts.server'
import {
  describeCoupon,
  findCoupon,
  listCoupons,
} from '~/features/orders/coupons/coupon-administration.server'
import { formatMoney } from '~/features/school/money'
import { audited } from '~/features/staff/audit.server'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatFacts,
  formatInstant,
  formatTable,
  limitOption,
  listed,
} from './command-definition.server'

const mostListed = 10_000

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
    options: {
      ...termsOptions,
      uses: { value: 'N', says: 'how many orders may use it; any number by default' },
    },
    says: 'make a coupon; without a CODE, one that can’t be guessed',
    effect: 'changes',
    run: createOne,
  },
  {
    name: 'coupons bulk',
    takes: ['COUNT'],
    options: {
      ...termsOptions,
      uses: { value: 'N', says: 'how many orders may use each; 1 by default' },
    },
    says: 'make many codes that can’t be guessed, and print them as CSV',
    effect: 'changes',
    run: createMany,
  },
  {
    name: 'coupons list',
    takes: ['[TEXT]'],
    options: { limit: limitOption(50, mostListed) },
    says: 'list coupons, newest first, by part of their code or name',
    effect: 'reads',
    run: ({ db, given: [text = ''], options, now }) =>
      listed({
        options,
        usual: 50,
        most: mostListed,
        find: (limit) => listCoupons(db, text, limit),
        shown: (coupon) => ({
          CODE: coupon.code,
          STATE: couponState(coupon, now),
          OFF: offText(coupon),
          USES: usesText(coupon),
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
    says: 'end the coupon with this code, otherwise all with this name; orders that were made with it stay',
    effect: 'changes',
    run: endOnes,
  },
]

async function createOne(call: CommandCall): Promise<Answer> {
  const terms = await termsOf(call, null)
  const { code, outcome } = await audited(call.db, call.actor, (transaction) =>
    makeCoupon(transaction, call.given[0] ?? '', terms),
  )
  return { data: { code }, text: [outcome, code, ...couponLinks(code, terms)].join('\n') }
}

async function createMany(call: CommandCall): Promise<Answer> {
  const terms = await termsOf(call, 1)
  const { codes } = await audited(call.db, call.actor, (transaction) =>
    makeCoupons(transaction, call.given[0] ?? '', terms),
  )
  const lines = codes.map((code) => [code, ...couponLinks(code, terms).slice(0, 1)].join(','))

  return { text: [terms.courseIds ? 'code,link' : 'code', ...lines].join('\n') }
}

async function showCoupon({ db, given: [code = ''], now }: CommandCall): Promise<Answer> {
  const data = await describeCoupon(db, code)
  const { coupon } = data
  const facts = formatFacts({
    code: coupon.code,
    state: couponState(coupon, now),
    name: coupon.name,
    off: offText(coupon),
    courses: coupon.courseIds?.join(' ') ?? 'all',
    from: formatInstant(coupon.startsAt),
    until: formatInstant(coupon.endsAt),
    uses: usesText(coupon),
    'per learner': coupon.maxUsesPerLearner ?? 'any number',
    links: couponLinks(coupon.code, coupon).join(' '),
  })
  const orders = data.orders.map(({ order, email }) => ({
    ORDER: order.id,
    AT: formatInstant(order.createdAt),
    STATE: order.state,
    TOTAL: formatMoney(order.totalMinor, order.currency),
    COURSE: order.courseId,
    LEARNER: email ?? 'deleted',
  }))

  return { data, text: `${facts}\n\n${formatTable(orders, 'No order has used it yet.')}` }
}

async function endOnes({ db, actor, given: [named = ''] }: CommandCall): Promise<Answer> {
  const { outcome } = await audited(db, actor, async (transaction) =>
    endMeant(
      transaction,
      (await findCoupon(transaction, named)) ? { code: named } : { name: named },
    ),
  )

  return { text: outcome }
}

/** @param usualUses without `--uses`. @throws {StartError} */
function termsOf({ db, options }: CommandCall, usualUses: number | null) {
  const textOf = (name: string) => String(options[name] ?? '').trim()
  const typed = {
    percent: textOf('percent'),
    amount: textOf('amount'),
    courses: textOf('course'),
    from: textOf('from'),
    until: textOf('until'),
    uses: textOf('uses'),
    perLearner: textOf('per-learner'),
    name: textOf('name'),
  }

  return readTerms(db, typed, usualUses)
}
