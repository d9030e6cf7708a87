/**
 * Stores the order of a course and its payment, before the payment page is opened.
 *
 * A learner has at most one open order for a course. If its payment page is still open, the order
 * keeps the price that this page displays. Otherwise the order gets the current price and a new
 * payment.
 *
 * `listMinor` is the price of the course, and `totalMinor` the amount to pay, which a coupon may
 * have reduced. Both are in the smallest unit of the currency.
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { hasAccess } from '~/features/enrollment/course-access.server'
import type { Transaction } from '~/server/database/client.server'
import { createRandomCode, randomId } from '~/server/database/random-id.server'
import { courses, orders, payments } from '~/server/database/schema'
import { reserveCoupon } from '../coupons/apply-coupon.server'
import type { AppliedCoupon } from '../coupons/coupon'
import { saveGift } from '../gifts/gift-orders.server'
import { fulfillOrder } from '../order-fulfillment.server'
import { type Order, type Payment, updateOrder } from '../order-record.server'
import { getNextAttemptNumber } from '../payments/payment-queries.server'
import { getTaxRate } from '../receipts/tax'
import type { Shop } from '../shop.server'
import { checkWaiver, countryMissingError, type DisplayedPrice } from './checkout-form'
import type { CheckoutPrice } from './checkout-page'
import { whereOpenOrder } from './checkout-queries.server'
import { type CheckoutResult, getOpenOrderKey, type Purchase } from './purchase.server'

/** How long a payment page stays open. Until then, the price that it displays stays valid. */
const paymentPageMinutes = 60
const orderIdLength = 10

export type PreparedPayment = {
  outcome: 'prepared'
  order: Order
  payment: Payment
  /** Whether this call created the payment. */
  isNewPayment: boolean
  /**
   * Whether the payment no longer fits, because the coupon, the currency or the price has changed.
   * It has to expire before another payment can be prepared.
   */
  isPaymentOutdated: boolean
}

/**
 * Finds or creates the open order and its payment. The caller has locked the learner.
 *
 * @returns a result of the whole checkout if there is nothing to pay, or nothing can be
 *   paid for
 */
export async function preparePayment(
  tx: Transaction,
  shop: Shop,
  purchase: Purchase,
): Promise<PreparedPayment | CheckoutResult> {
  const { uid, courseId, gift } = purchase
  const [course] = await tx
    .select({ title: courses.title, priceMinor: courses.priceMinor })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))
  if (!course) {
    return { outcome: 'not for sale' }
  }

  // The order is locked, because a payment for it may arrive at the same time.
  const [openOrder] = await tx
    .select()
    .from(orders)
    .where(whereOpenOrder(getOpenOrderKey(purchase)))
    .for('update')
  if (gift === null && (await hasAccess(tx, uid, courseId))) {
    return { outcome: 'owned' }
  }

  if (course.priceMinor === 0) {
    return { outcome: 'not for sale' }
  }

  if (openOrder?.status === 'processing') {
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
  purchase: Purchase,
  { openOrder, payment, course }: { openOrder: Order; payment: Payment; course: CourseForSale },
): Promise<PreparedPayment | CheckoutResult> {
  const hasPriceFallen = openOrder.listMinor > course.priceMinor
  const isPaymentOutdated =
    openOrder.couponCode !== purchase.couponCode ||
    openOrder.currency !== shop.currency ||
    hasPriceFallen
  if (isPaymentOutdated) {
    return {
      outcome: 'prepared',
      order: openOrder,
      payment,
      isNewPayment: false,
      isPaymentOutdated,
    }
  }

  const { totalMinor, currency, listMinor: priceMinor, couponCode } = openOrder
  if (costsMoreThanDisplayed({ totalMinor, currency }, purchase.displayedPrice)) {
    const coupon = couponCode === null ? null : { code: couponCode, totalMinor }
    return { outcome: 'price changed', price: toCheckoutPrice(priceMinor, coupon) }
  }

  const terms = checkOrderTerms(shop, purchase, totalMinor)
  if (!terms.ok) {
    return { outcome: 'invalid', errors: terms.errors }
  }

  // The learner may have gone back and added a company or a country.
  const order = await updateOrder(tx, openOrder.id, terms.columns)
  if (purchase.gift !== null) {
    await saveGift(tx, order, purchase.gift)
  }

  return {
    outcome: 'prepared',
    order,
    payment,
    isNewPayment: false,
    isPaymentOutdated: false,
  }
}

/** Creates a payment at the current price, for a new order or for one without an open page. */
async function createPayment(
  tx: Transaction,
  shop: Shop,
  purchase: Purchase,
  { openOrder, course }: { openOrder: Order | null; course: CourseForSale },
): Promise<PreparedPayment | CheckoutResult> {
  const { couponCode, gift, displayedPrice } = purchase
  const openOrderKey = getOpenOrderKey(purchase)
  const { currency } = shop
  const { priceMinor } = course

  let coupon: AppliedCoupon | null = null
  if (couponCode !== null) {
    const couponUse = { ...openOrderKey, code: couponCode, priceMinor, currency }
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

  const terms = checkOrderTerms(shop, purchase, totalMinor)
  if (!terms.ok) {
    return { outcome: 'invalid', errors: terms.errors }
  }

  const order = await saveOrder(tx, openOrder, {
    ...openOrderKey,
    ...terms.columns,
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
  return { outcome: 'prepared', order, payment, isNewPayment: true, isPaymentOutdated: false }
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
 * Checks the country and the waiver of an order, and returns what the order stores of its buyer,
 * tax, waiver and days for refunds, which checkout has promised. A free order gets no receipt and
 * has no right of withdrawal, so it needs neither a country nor the waiver, and has no days.
 */
function checkOrderTerms(
  { taxRates, waiver, currentRefundPeriods }: Shop,
  purchase: Purchase,
  totalMinor: number,
) {
  const { country, ...buyer } = purchase.buyer
  if (totalMinor > 0 && country === null) {
    return { ok: false as const, errors: { country: countryMissingError } }
  }

  const agreedWaiver = checkWaiver(totalMinor === 0 ? null : waiver, purchase.waiver)
  if (!agreedWaiver.ok) {
    return { ok: false as const, errors: { waiver: agreedWaiver.problem } }
  }

  const taxCountry = totalMinor === 0 ? noTaxCountry : (country ?? undefined)
  return {
    ok: true as const,
    columns: {
      buyer: taxCountry === undefined ? buyer : { ...buyer, country: taxCountry },
      taxBasisPoints: getTaxRate(taxRates, taxCountry),
      waiver: agreedWaiver.value,
      waivedAt: agreedWaiver.value === null ? null : sql`now()`,
      withdrawalDays: totalMinor === 0 ? null : currentRefundPeriods.withdrawal,
      refundDays: totalMinor === 0 ? null : currentRefundPeriods.refund,
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
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ['started', 'processing'])))

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
      attempt: await getNextAttemptNumber(tx, order.id),
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
