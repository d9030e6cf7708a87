/**
 * Starts the payment of a course.
 *
 * The order and its payment are stored before the payment provider hears of them. An open order is
 * continued, so that two tabs, a double click or the back button end at the same payment page. A
 * learner never pays more than the page displayed: if the price has risen, nothing is charged and
 * checkout shows the new price.
 */
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { lockLearner } from '~/features/enrollment/learner-locks.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { createRandomCode, randomId } from '~/server/database/random-id.server'
import { type Buyer, courses, orders, payments } from '~/server/database/schema'
import {
  type CouponCodeAttemptContext,
  consumeCouponCodeAttempt,
  reserveCoupon,
} from '../coupons/apply-coupon.server'
import type { AppliedCoupon, CouponProblem } from '../coupons/coupon'
import { couponProblems, tooManyCodes } from '../coupons/coupon'
import type { Gift } from '../gifts/gift'
import { saveGift } from '../gifts/gift-orders.server'
import { fulfillOrder } from '../order-fulfillment.server'
import { type Order, updateOrder } from '../order-record.server'
import { getNextAttempt, syncOrderWithProvider } from '../payments/sync-order.server'
import { getTaxRate } from '../receipts/tax'
import type { Shop } from '../shop.server'
import {
  type CheckoutSubmission,
  checkWaiver,
  countryMissing,
  type DisplayedPrice,
} from './checkout-form'
import type { CheckoutPrice } from './checkout-page'
import { findOpenOrder, isOpenOrder } from './checkout-queries.server'

/** How long a payment page stays open. Until then, the price that it displays stays valid. */
const paymentPageMinutes = 60
const maxCheckoutTries = 3
const orderIdLength = 10

type Payment = typeof payments.$inferSelect

type CheckoutResult =
  | { outcome: 'pay'; url: string }
  /** There is nothing to pay, and the learner is enrolled. */
  | { outcome: 'enrolled'; orderId: string }
  /** An earlier payment, such as a bank debit, is on its way. */
  | { outcome: 'processing'; orderId: string }
  /** The learner has the course already. */
  | { outcome: 'owned' }
  | { outcome: 'not for sale' }
  | { outcome: 'coupon refused'; problem: CouponProblem }
  | { outcome: 'invalid'; errors: Partial<Record<'country' | 'waiver', string>> }
  /** The order costs more than the page displayed, or another currency. */
  | { outcome: 'price changed'; price: CheckoutPrice }

/** As `CheckoutResult`, but with a sentence about a refused coupon. */
export type CheckoutFormResult =
  | Exclude<CheckoutResult, { outcome: 'coupon refused' }>
  | { outcome: 'coupon refused'; problem: string }

type Learner = { uid: string; displayName: string; email: string }

/** Starts the payment for the form that a learner has submitted at checkout. */
export async function submitCheckout(
  shop: Shop,
  attemptContext: CouponCodeAttemptContext,
  learner: Learner,
  { courseId, submission }: { courseId: string; submission: CheckoutSubmission },
): Promise<CheckoutFormResult> {
  const { couponCode, wasCouponRefusedOnPage, gift } = submission
  const { uid, displayName: name, email } = learner
  const purchase: NewPurchase = {
    uid,
    courseId,
    buyer: { ...submission.buyer, name, email },
    gift,
    waiver: submission.waiver,
    displayedPrice: submission.displayedPrice,
  }

  const result = await startCheckoutCountingCodeAttempts(shop, attemptContext, purchase, couponCode)
  if (result.outcome === 'coupon refused' && wasCouponRefusedOnPage) {
    // The page has already said that it refuses this coupon, and its button has named the price
    // without the coupon.
    return toFormResult(await startCheckout(shop, purchase))
  }

  return result
}

async function startCheckoutCountingCodeAttempts(
  shop: Shop,
  attemptContext: CouponCodeAttemptContext,
  purchase: NewPurchase,
  couponCode: string | null,
): Promise<CheckoutFormResult> {
  const { uid, courseId, gift } = purchase
  const { currency } = shop
  const openOrder = await findOpenOrder(shop.db, { uid, courseId, isGift: gift !== null, currency })
  // Only a code that is not part of the order yet may be a guess.
  const isNewCode = couponCode !== null && openOrder?.couponCode !== couponCode
  if (!isNewCode) {
    return toFormResult(await startCheckout(shop, { ...purchase, couponCode }))
  }

  const attempt = await consumeCouponCodeAttempt(attemptContext, uid)
  if (attempt === null) {
    return { outcome: 'coupon refused', problem: tooManyCodes }
  }

  const result = await startCheckout(shop, { ...purchase, couponCode })
  const isUnknownCode = result.outcome === 'coupon refused' && result.problem === 'unknown'
  if (!isUnknownCode) {
    await attempt.giveBack()
  }

  return toFormResult(result)
}

function toFormResult(result: CheckoutResult): CheckoutFormResult {
  if (result.outcome !== 'coupon refused') {
    return result
  }

  return { outcome: 'coupon refused', problem: couponProblems[result.problem] }
}

/** What a learner buys, and under which terms. */
export type NewPurchase = {
  uid: string
  courseId: string
  /** The country is null if the form offers countries and none was chosen. */
  buyer: Omit<Buyer, 'country'> & { country?: string | null }
  couponCode?: string | null
  /** Null if the learner buys the course for themselves. */
  gift?: Gift | null
  /** The text by which the learner gave up the right of withdrawal. */
  waiver?: string | null
  /** Null for a form without a price. */
  displayedPrice?: DisplayedPrice | null
}

/**
 * Opens the payment page of a course, or enrolls the learner if there is nothing to pay.
 *
 * @throws if the payment provider can't open a payment page
 */
export async function startCheckout(
  shop: Shop,
  purchaseInput: NewPurchase,
): Promise<CheckoutResult> {
  const purchase = { ...purchaseDefaults, ...purchaseInput }
  await syncOpenOrder(shop, purchase)

  for (let tryNumber = 1; tryNumber <= maxCheckoutTries; tryNumber++) {
    const isLastTry = tryNumber === maxCheckoutTries
    const result = await tryCheckout(shop, purchase, { isLastTry })
    if (result.outcome !== 'try again') {
      return result
    }
  }

  throw new Error(
    `The open order for the course ${purchase.courseId} changed during each of ${maxCheckoutTries} tries.`,
  )
}

/** Reads from the provider whether the open order was paid, or its payment page has expired. */
async function syncOpenOrder(shop: Shop, purchase: Required<NewPurchase>): Promise<void> {
  const [openOrder] = await shop.db
    .select({ id: orders.id })
    .from(orders)
    .where(isOpenOrder(toOrderedCourse(purchase)))
  if (openOrder) {
    await syncOrderWithProvider(shop, openOrder.id)
  }
}

async function tryCheckout(
  shop: Shop,
  purchase: Required<NewPurchase>,
  { isLastTry }: { isLastTry: boolean },
): Promise<CheckoutResult | { outcome: 'try again' }> {
  const preparation = await shop.db.transaction(async (tx) => {
    await lockLearner(tx, purchase.uid, 'orders')
    return preparePayment(tx, shop, purchase)
  })
  if ('outcome' in preparation) {
    shop.wakeEmailSender()
    return preparation
  }

  const { order, payment, isNew, isOutdated } = preparation
  if (isOutdated) {
    await closeOutdatedPage(shop, payment)
    return { outcome: 'try again' }
  }

  if (payment.url) {
    return { outcome: 'pay', url: payment.url }
  }

  try {
    return { outcome: 'pay', url: await openPaymentPage(shop, order, payment) }
  } catch (error) {
    await expireUnopenedPayment(shop.db, payment.id)
    // If an earlier process stored the payment, the provider may refuse to open its page now, because
    // the page would expire too soon or because a setting has changed. A new payment may still work.
    if (isNew || isLastTry) {
      throw error
    }

    return { outcome: 'try again' }
  }
}

const purchaseDefaults = { couponCode: null, gift: null, waiver: null, displayedPrice: null }

function toOrderedCourse({ uid, courseId, gift }: Required<NewPurchase>) {
  return { uid, courseId, isGift: gift !== null }
}

type PreparedPayment = {
  order: Order
  payment: Payment
  /** The payment was created by this call. */
  isNew: boolean
  /** The payment page that is already open has another price, so it has to be closed first. */
  isOutdated: boolean
}

/** Finds or creates the open order and its payment. The payment page is opened afterwards. */
async function preparePayment(
  tx: Transaction,
  shop: Shop,
  purchase: Required<NewPurchase>,
): Promise<PreparedPayment | CheckoutResult> {
  const { uid, courseId, gift } = purchase
  const [course] = await tx
    .select({ title: courses.title, priceMinor: courses.priceCents })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))
  if (!course) {
    return { outcome: 'not for sale' }
  }

  // The order is locked, because a payment for it may arrive at the same time.
  const [openOrder] = await tx
    .select()
    .from(orders)
    .where(isOpenOrder(toOrderedCourse(purchase)))
    .for('update')
  if (gift === null && (await hasAccess(tx, uid, courseId))) {
    return { outcome: 'owned' }
  }

  if (course.priceMinor === 0) {
    return { outcome: 'not for sale' }
  }

  if (openOrder?.state === 'processing') {
    return { outcome: 'processing', orderId: openOrder.id }
  }

  if (!openOrder) {
    return createPayment(tx, shop, purchase, { openOrder: null, course })
  }

  const payment = await findUnsettledPayment(tx, openOrder.id)
  return payment
    ? continuePayment(tx, shop, purchase, { openOrder, payment, course })
    : createPayment(tx, shop, purchase, { openOrder, course })
}

type CourseForSale = { title: string; priceMinor: number }

/** Continues an order whose payment page is still open. Its price stays as it was displayed. */
async function continuePayment(
  tx: Transaction,
  shop: Shop,
  purchase: Required<NewPurchase>,
  { openOrder, payment, course }: { openOrder: Order; payment: Payment; course: CourseForSale },
): Promise<PreparedPayment | CheckoutResult> {
  const hasPriceFallen = openOrder.listMinor > course.priceMinor
  const isOutdated =
    openOrder.couponCode !== purchase.couponCode ||
    openOrder.currency !== shop.currency ||
    hasPriceFallen
  if (isOutdated) {
    return { order: openOrder, payment, isNew: false, isOutdated }
  }

  const { totalMinor, currency, listMinor: priceMinor, couponCode } = openOrder
  if (costsMoreThanDisplayed({ totalMinor, currency }, purchase.displayedPrice)) {
    const coupon = couponCode === null ? null : { code: couponCode, totalMinor }
    return { outcome: 'price changed', price: toCheckoutPrice(priceMinor, coupon) }
  }

  const receipt = getReceiptDetails(shop, purchase, totalMinor)
  if (!receipt.ok) {
    return { outcome: 'invalid', errors: receipt.errors }
  }

  // The learner may have gone back and added a company or a country.
  const order = await updateOrder(tx, openOrder.id, receipt.details)
  if (purchase.gift !== null) {
    await saveGift(tx, order, purchase.gift)
  }

  return { order, payment, isNew: false, isOutdated: false }
}

/** Creates a payment at the current price, for a new order or for one without an open page. */
async function createPayment(
  tx: Transaction,
  shop: Shop,
  purchase: Required<NewPurchase>,
  { openOrder, course }: { openOrder: Order | null; course: CourseForSale },
): Promise<PreparedPayment | CheckoutResult> {
  const { couponCode, gift, displayedPrice } = purchase
  const orderedCourse = toOrderedCourse(purchase)
  const { currency } = shop
  const { priceMinor } = course

  let coupon: AppliedCoupon | null = null
  if (couponCode !== null) {
    const couponUse = { ...orderedCourse, code: couponCode, priceMinor, currency }
    const reservation = await reserveCoupon(tx, couponUse)
    if ('problem' in reservation) {
      return { outcome: 'coupon refused', problem: reservation.problem }
    }

    coupon = reservation
  }

  const totalMinor = coupon === null ? priceMinor : coupon.totalMinor
  if (costsMoreThanDisplayed({ totalMinor, currency }, displayedPrice)) {
    return { outcome: 'price changed', price: toCheckoutPrice(priceMinor, coupon) }
  }

  const receipt = getReceiptDetails(shop, purchase, totalMinor)
  if (!receipt.ok) {
    return { outcome: 'invalid', errors: receipt.errors }
  }

  const order = await saveOrder(tx, openOrder, {
    ...orderedCourse,
    ...receipt.details,
    courseTitle: course.title,
    currency,
    listMinor: priceMinor,
    totalMinor,
    couponCode,
  })
  if (gift !== null) {
    await saveGift(tx, order, gift)
  }

  if (totalMinor === 0) {
    await fulfillOrder(tx, order, 'learner')
    return { outcome: 'enrolled', orderId: order.id }
  }

  const payment = await insertPayment(tx, shop.provider.name, order)
  return { order, payment, isNew: true, isOutdated: false }
}

function costsMoreThanDisplayed(
  price: { totalMinor: number; currency: string },
  displayedPrice: DisplayedPrice | null,
): boolean {
  if (displayedPrice === null) {
    return false
  }

  const hasOtherCurrency =
    displayedPrice.currency !== null && displayedPrice.currency !== price.currency
  return hasOtherCurrency || price.totalMinor > displayedPrice.totalMinor
}

function toCheckoutPrice(priceMinor: number, coupon: AppliedCoupon | null): CheckoutPrice {
  return { priceMinor, code: coupon?.code ?? '', coupon, problem: null }
}

/** The country that is stored with a free order, for which no tax is calculated. */
const noTaxCountry = ''

/**
 * Returns what the order stores for its receipt. A free order gets no receipt and has no right of
 * withdrawal, so it needs neither a country nor the waiver.
 */
function getReceiptDetails(
  { taxRates, waiver }: Shop,
  purchase: Required<NewPurchase>,
  totalMinor: number,
) {
  const { country, ...buyer } = purchase.buyer
  if (totalMinor > 0 && country === null) {
    return { ok: false as const, errors: { country: countryMissing } }
  }

  const agreedWaiver = checkWaiver(totalMinor === 0 ? null : waiver, purchase.waiver)
  if (!agreedWaiver.ok) {
    return { ok: false as const, errors: { waiver: agreedWaiver.problem } }
  }

  const taxCountry = totalMinor === 0 ? noTaxCountry : (country ?? undefined)
  return {
    ok: true as const,
    details: {
      buyer: taxCountry === undefined ? buyer : { ...buyer, country: taxCountry },
      taxBasisPoints: getTaxRate(taxRates, taxCountry),
      waiver: agreedWaiver.value,
      waivedAt: agreedWaiver.value === null ? null : sql`now()`,
    },
  }
}

type OrderColumns = Omit<typeof orders.$inferInsert, 'id' | 'waivedAt'> & { waivedAt: SQL | null }

async function saveOrder(
  tx: Transaction,
  openOrder: Order | null,
  columns: OrderColumns,
): Promise<Order> {
  if (openOrder !== null) {
    return updateOrder(tx, openOrder.id, columns)
  }

  // Order numbers are random, because counted numbers would tell how much a school sells.
  const id = createRandomCode(orderIdLength)
  const [order] = await tx
    .insert(orders)
    .values({ id, ...columns })
    .returning()
  if (!order) {
    throw new Error('An order was not stored.')
  }

  return order
}

async function findUnsettledPayment(
  tx: Transaction,
  orderId: string,
): Promise<Payment | undefined> {
  const [payment] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), inArray(payments.state, ['started', 'processing'])))

  return payment
}

async function insertPayment(
  tx: Transaction,
  provider: Payment['provider'],
  order: Order,
): Promise<Payment> {
  const [payment] = await tx
    .insert(payments)
    .values({
      id: randomId(),
      orderId: order.id,
      attempt: await getNextAttempt(tx, order.id),
      provider,
      amountMinor: order.totalMinor,
      // The provider counts in whole seconds.
      expiresAt: sql`date_trunc('second', now()) + make_interval(mins => ${paymentPageMinutes}::int)`,
    })
    .returning()
  if (!payment) {
    throw new Error('A payment was not stored.')
  }

  return payment
}

/**
 * Opens the payment page at the provider and stores its URL. After a crash, the same request is sent
 * again with the same idempotency key.
 */
async function openPaymentPage(shop: Shop, order: Order, payment: Payment): Promise<string> {
  const checkoutUrl = `${shop.publicUrl}/Checkout/${order.courseId}`
  const cancelSearch = new URLSearchParams({
    canceled: '1',
    ...(order.couponCode && { coupon: order.couponCode }),
    ...(order.isGift && { gift: '1' }),
  })

  const { sessionId, url } = await shop.provider.createPaymentPage({
    paymentId: payment.id,
    orderId: order.id,
    courseTitle: order.courseTitle,
    amountMinor: payment.amountMinor,
    currency: order.currency,
    email: order.buyer.email,
    returnUrl: `${checkoutUrl}/paid?order=${order.id}`,
    cancelUrl: `${checkoutUrl}?${cancelSearch}`,
    expiresAt: payment.expiresAt,
  })

  const { rowCount } = await shop.db
    .update(payments)
    .set({ sessionId, url })
    .where(and(eq(payments.id, payment.id), eq(payments.state, 'started')))
  if (rowCount === 0) {
    throw new Error(`Payment ${payment.id} was given up while its page was opened.`)
  }

  return url
}

/** Closes a payment page, so that nobody can pay the previous price of the order there. */
async function closeOutdatedPage(shop: Shop, { id, orderId, sessionId }: Payment): Promise<void> {
  if (sessionId === null) {
    await expireUnopenedPayment(shop.db, id)
    return
  }

  await shop.provider.closePaymentPage(sessionId)
  await syncOrderWithProvider(shop, orderId)
}

/**
 * Expires a payment whose page was never opened, so that nobody can pay there. The next payment has
 * another idempotency key, because the provider repeats its error for the same key.
 */
async function expireUnopenedPayment(
  db: Pick<Database, 'update'>,
  paymentId: string,
): Promise<void> {
  await db
    .update(payments)
    .set({ state: 'expired', settledAt: sql`now()` })
    .where(
      and(eq(payments.id, paymentId), eq(payments.state, 'started'), isNull(payments.sessionId)),
    )
}
