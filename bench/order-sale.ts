/**
 * Simulates learners who buy courses, give them away, redeem gifts and get money back, and a
 * payment provider whose events are lost, doubled and delayed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase } from '../tests/support/product.ts'
import { fillCatalog } from './fill-catalog.ts'
import { addSignedInLearners, type Learner } from './learners.ts'
import {
  emptyBuyerFields,
  openReturnPage,
  pressPaymentButton,
  type School,
} from './order-school.ts'

const learnerCount = 50
const maxWithdrawals = 20
/** The longest time that a learner takes before an order. */
const maxThinkingMs = 1_000
const maxEventDelayMs = 5_000

/** Percentages and amounts; without limits, limited for all learners, and limited for each one. */
const couponsSql = `
  insert into coupons
    (code, percent, amount_minor, currency, max_uses, max_uses_per_learner)
  values
    ('QUARTER', 25, null, null, null, null),
    ('THIRDONCE', 33, null, null, null, 1),
    ('FIVELESS', null, 500, 'USD', null, null),
    ('HALFFORFEW', 50, null, null, 40, null),
    ('WHOLEFORFEW', 100, null, null, 60, 3)`
const couponCodes = ['QUARTER', 'THIRDONCE', 'FIVELESS', 'HALFFORFEW', 'WHOLEFORFEW']

/** The learners of a sale, and what they have bought so far. */
export type Sale = {
  learners: Learner[]
  courseIds: string[]
  /** The number of orders at the end, without gifts and repeated orders. */
  totalOrders: number
  finishedOrders: number
  /** Learners who have bought a gift. */
  givers: Learner[]
  /** Sessions whose payments are on their way, as by bank debit. */
  laterSessionIds: string[]
  withdrawals: { learner: Learner; orderId: string }[]
}

/** Adds learners, courses and coupons. Every learner buys each of the courses. */
export async function prepareSale(
  { folder, product }: School,
  { orderCount }: { orderCount: number },
): Promise<Sale> {
  await fillCatalog(folder, 100)
  const database = await connectDatabase({ folder })
  const { learners } = await addSignedInLearners(database, {
    count: learnerCount,
    folder,
    publicUrl: product.url,
  })
  const { rows } = await database.query<{ id: string }>(
    `select id
     from courses
     where id like 'sample-%' and price_cents > 0
     limit $1`,
    [Math.ceil(orderCount / learnerCount)],
  )
  await database.query(couponsSql)
  await database.end()

  return {
    learners,
    courseIds: rows.map(({ id }) => id),
    totalOrders: rows.length * learnerCount,
    finishedOrders: 0,
    givers: [],
    laterSessionIds: [],
    withdrawals: [],
  }
}

/** Simulates all learners until each of them has bought all courses. */
export async function simulateLearners(school: School, sale: Sale): Promise<void> {
  const isOver = () => sale.finishedOrders >= sale.totalOrders
  await Promise.all([
    ...sale.learners.map((learner) => simulateShopping(school, sale, learner)),
    redeemGifts(school, sale, isOver),
    withdraw(school, sale, isOver),
  ])
}

/** Ends the payments that are on their way. Most of them succeed. */
export async function settleLaterPayments({ payments }: School, sale: Sale): Promise<void> {
  for (const sessionId of sale.laterSessionIds) {
    await payments.sample.pay(sessionId, hasChance(0.7) ? 'paid' : 'failed')
  }
}

/** One learner buys every course in random order, and wants the money back for some of them. */
async function simulateShopping(school: School, sale: Sale, learner: Learner): Promise<void> {
  const courseIds = sale.courseIds.toSorted(() => Math.random() - 0.5)
  for (const courseId of courseIds) {
    await pause(Math.random() * maxThinkingMs)
    if (hasChance(0.12)) {
      await buy(school, sale, { learner, courseId, recipientEmail: 'friend@bench.example' })
      sale.givers.push(learner)
    }

    const order = await buy(school, sale, { learner, courseId })
    sale.finishedOrders += 1
    if (order !== null && hasChance(0.12)) {
      startRefund(school, sale, { learner, ...order })
      if (hasChance(0.5)) {
        await buy(school, sale, { learner, courseId })
      }
    }
  }
}

type PaidOrder = { orderId: string; sessionId: string }

/** Starts a refund at the provider, or lets the learner withdraw. */
function startRefund(
  { payments }: School,
  { withdrawals }: Sale,
  { learner, orderId, sessionId }: PaidOrder & { learner: Learner },
): void {
  const session = payments.sample.findSession(sessionId)
  if (session?.state !== 'paid' || hasChance(0.4)) {
    withdrawals.push({ learner, orderId })
    return
  }

  const amount = hasChance(0.5) ? session.amount : Math.ceil(session.amount / 3)
  // Refunds that start at the provider are known by their events only, so one event has to arrive.
  isEventGuaranteed = true
  payments.sample.refundAtProvider(session.intentId, amount)
  isEventGuaranteed = false
}

type Purchase = { learner: Learner; courseId: string; recipientEmail?: string }

/**
 * A learner orders a course for themselves or as a gift, sometimes with a coupon or a double click,
 * and pays it in one of several ways.
 *
 * @returns the order, or null if the learner has not paid
 */
async function buy(
  school: School,
  { laterSessionIds }: Sale,
  purchase: Purchase,
): Promise<PaidOrder | null> {
  const { workload, payments } = school
  const couponCode = hasChance(0.4) ? (pickOne(couponCodes) ?? '') : ''
  const isDoubleClick = hasChance(0.2)
  const pageUrls = await Promise.all(
    Array.from({ length: isDoubleClick ? 2 : 1 }, () => submitOrder(school, purchase, couponCode)),
  )

  // Otherwise the learner has the course, the course is free, or a payment is on its way.
  const [pageUrl] = pageUrls
  if (pageUrl === undefined || !pageUrl.startsWith(payments.url)) {
    return null
  }

  if (couponCode === '' && new Set(pageUrls).size > 1) {
    workload.failures.push(`${purchase.courseId}: 499 a double click led to two pages`)
  }

  const givesUp = hasChance(0.05)
  if (givesUp) {
    return null
  }

  if (hasChance(0.1)) {
    await pressPaymentButton(pageUrl, 'decline')
  }

  const sessionId = pageUrl.split('/').at(-1) ?? ''
  const isPaidLater = hasChance(0.1)
  const returnUrl = await pressPaymentButton(pageUrl, isPaidLater ? 'later' : 'pay')
  if (isPaidLater) {
    laterSessionIds.push(sessionId)
  }

  // Other learners close the tab.
  if (hasChance(0.6)) {
    await openReturnPage(school, purchase.learner, returnUrl)
  }

  return { orderId: returnUrl.searchParams.get('order') ?? '', sessionId }
}

/** Submits the form at checkout until the product accepts it. Returns the URL to which it leads. */
async function submitOrder(
  { workload }: School,
  { learner, courseId, recipientEmail }: Purchase,
  couponCode: string,
): Promise<string> {
  const giftFields = {
    gift: 'on',
    recipientEmail: recipientEmail ?? '',
    senderName: 'Ben',
    message: '',
  }
  const form = { ...emptyBuyerFields, ...(recipientEmail !== undefined && giftFields) }
  let coupon = couponCode

  while (true) {
    const kind = coupon === '' ? 'checkout' : 'coupon'
    const { status, location } = await workload.request(kind, `/Checkout/${courseId}`, {
      cookie: learner.cookie,
      form: { ...form, coupon },
    })

    const wasCouponRefusedOnPage = coupon !== '' && status === 400
    if (wasCouponRefusedOnPage) {
      // The coupon is used up, or this learner has used it already.
      coupon = ''
    } else if (status > 0 && status < 500) {
      return location
    }

    await pause(200)
  }
}

/**
 * Learners redeem gifts that others have bought, some by two at once. A learner who has the course
 * passes the link on.
 */
async function redeemGifts(
  { workload }: School,
  { givers, learners }: Sale,
  isOver: () => boolean,
): Promise<void> {
  const form = { act: 'redeem' }
  const maxRecipients = 5

  while (!isOver()) {
    await pause(100)
    const giver = pickOne(givers)
    if (giver === undefined) {
      continue
    }

    const purchases = await workload.request('purchases', '/Profile/purchases', {
      cookie: giver.cookie,
    })
    const [giftPath] = /\/Gift\/\w{16}/.exec(purchases.text) ?? []
    if (giftPath === undefined) {
      continue
    }

    let isRedeemed = false
    for (let recipient = 0; recipient < maxRecipients && !isRedeemed; recipient++) {
      const takers = Array.from({ length: hasChance(0.2) ? 2 : 1 }, () => pickOne(learners))
      await Promise.all(
        takers.map((taker) => workload.request('gift', giftPath, { cookie: taker?.cookie, form })),
      )
      const { text } = await workload.request('gift', giftPath)
      isRedeemed = text.includes('redeemed already')
    }
  }
}

/**
 * Learners withdraw from purchases while the product is killed. A request that fails, or that comes
 * before the payment, is not repeated.
 */
async function withdraw(
  school: School,
  { withdrawals }: Sale,
  isOver: () => boolean,
): Promise<void> {
  let count = 0

  while (count < maxWithdrawals && (!isOver() || withdrawals.length > 0)) {
    const withdrawal = withdrawals.shift()
    if (withdrawal === undefined) {
      await pause(200)
      continue
    }

    const { learner, orderId } = withdrawal
    count += 1
    await fetch(`${school.product.url}/Profile/purchases/${orderId}/withdrawal`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: school.product.url, Cookie: learner.cookie },
      body: new URLSearchParams(),
    }).catch(() => {})
  }
}

/** Whether the event that is being sent has to arrive, however often it is sent. */
let isEventGuaranteed = false

/** Loses, doubles and delays events, so that they also arrive in another order. */
export async function deliverUnreliably(send: () => Promise<void>): Promise<void> {
  const isGuaranteed = isEventGuaranteed
  if (!isGuaranteed && hasChance(0.3)) {
    return
  }

  const deliveryCount = hasChance(0.3) ? 2 : 1
  for (let delivery = 1; delivery <= deliveryCount; delivery++) {
    await pause(Math.random() * maxEventDelayMs)
    await send().catch(() => {})
  }

  if (isGuaranteed) {
    await sendUntilAccepted(send)
  }
}

async function sendUntilAccepted(send: () => Promise<void>): Promise<void> {
  let isAccepted = false
  while (!isAccepted) {
    isAccepted = await send().then(
      () => true,
      () => false,
    )
    if (!isAccepted) {
      await pause(500)
    }
  }
}

function hasChance(probability: number): boolean {
  return Math.random() < probability
}

function pickOne<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)]
}
