import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { lockOrder } from '~/features/orders/order-record.server'
import { createRefund } from '~/features/orders/refunds/refunds.server'
import type { Shop } from '~/features/orders/shop.server'
import type { Database } from '~/server/database/client.server'
import { type Buyer, coupons, payments, users } from '~/server/database/schema'
import type { PurchaseInput } from '../../app/features/orders/checkout/purchase.server'
import { startCheckout } from '../../app/features/orders/checkout/start-checkout.server'
import { syncOrderWithProvider } from '../../app/features/orders/payments/sync-order.server'
import type { SampleShop } from './sample-shop'

export const courseId = 'python-from-zero'
export const priceMinor = 8_900
export const buyer: Buyer = { name: 'Ada Byron', email: 'ada@example.com' }

/** Stores a learner and returns the uid. */
export async function insertLearner(db: Database): Promise<string> {
  const uid = randomUUID()
  await db.insert(users).values({
    id: uid,
    email: `${uid}@example.com`,
    name: 'Ada Byron',
    firstName: 'Ada',
    lastName: 'Byron',
  })

  return uid
}

type PurchaseOptions = Partial<Omit<PurchaseInput, 'uid' | 'courseId'>>

/** Starts a checkout. Returns the new order and the payment provider's session, which is unpaid. */
export async function openCheckout(shop: Shop, uid: string, options: PurchaseOptions = {}) {
  const checkout = await startCheckout(shop, { uid, courseId, buyer, ...options })
  if (checkout.outcome !== 'pay') {
    throw new Error(JSON.stringify(checkout))
  }

  const sessionId = checkout.url.split('/').at(-1) ?? ''
  const [payment] = await shop.db.select().from(payments).where(eq(payments.sessionId, sessionId))
  if (!payment) {
    throw new Error('The checkout created no payment.')
  }

  return {
    orderId: payment.orderId,
    sessionId,
    url: checkout.url,
    amountMinor: payment.amountMinor,
  }
}

type UnpaidOrder = { orderId: string; sessionId: string }

/** Pays at the provider and handles the provider's event. */
export async function payOrder(
  { shop, sample }: Pick<SampleShop, 'shop' | 'sample'>,
  { orderId, sessionId }: UnpaidOrder,
) {
  await sample.pay(sessionId, 'paid')
  return syncOrderWithProvider(shop, orderId)
}

/** Creates a refund without sending it to the provider. */
export async function insertRefund(
  db: Database,
  orderId: string,
  refund: { amountMinor: number | null; reason: string } = { amountMinor: null, reason: 'test' },
): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order === null) {
      throw new Error(`Order ${orderId} does not exist.`)
    }

    const result = await createRefund(tx, order, refund)
    if (!result.ok) {
      throw new Error(result.problem)
    }
  })
}

/** Stores a coupon with a random code and returns the code. */
export async function insertCoupon(
  db: Database,
  terms: Partial<typeof coupons.$inferInsert> = {},
): Promise<string> {
  const code = randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()
  await db.insert(coupons).values({ code, ...terms })

  return code
}
