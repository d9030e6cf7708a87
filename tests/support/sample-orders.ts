import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { lockOrder } from '~/features/orders/order-record.server'
import { createRefund } from '~/features/orders/refunds/refunds.server'
import type { Shop } from '~/features/orders/shop.server'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import type { Database } from '~/server/database/client.server'
import { type Buyer, coupons, payments, users } from '~/server/database/schema'
import {
  type Purchase,
  startCheckout,
} from '../../app/features/orders/checkout/start-checkout.server'
import { syncOrderWithProvider } from '../../app/features/orders/payments/sync-order.server'
import type { SampleShop } from './sample-shop'

export const courseId = 'python-from-zero'
/** In cents. */
export const priceMinor = 8_900
export const buyer: Buyer = { name: 'Ada Byron', email: 'ada@example.com' }

/** @returns the uid. */
export async function insertLearner(db: Database): Promise<string> {
  const id = randomUUID()
  const name = { name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' }
  await db.insert(users).values({ id, email: `${id}@example.com`, ...name })

  return id
}

type Choice = Partial<Omit<Purchase, 'uid' | 'courseId'>>

/** Goes to the provider's page. @returns the order, and the session to pay. */
export async function openCheckout(shop: Shop, uid: string, options: Choice = {}) {
  const start = await startCheckout(shop, { uid, courseId: courseId, buyer, ...options })
  if (start.outcome !== 'pay') {
    throw new Error(JSON.stringify(start))
  }

  const sessionId = start.url.split('/').at(-1) ?? ''
  const [payment] = await shop.db.select().from(payments).where(eq(payments.sessionId, sessionId))
  if (!payment) {
    throw new Error('No payment was begun.')
  }

  return { orderId: payment.orderId, sessionId, url: start.url, amountMinor: payment.amountMinor }
}

type Begun = { orderId: string; sessionId: string }

/** Pays at the provider, as its event then tells. */
export async function payOrder(
  { shop, sample }: Pick<SampleShop, 'shop' | 'sample'>,
  { orderId, sessionId }: Begun,
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

/** Stores a coupon with a random code. @returns the code */
export async function insertCoupon(
  db: Database,
  terms: Partial<typeof coupons.$inferInsert> = {},
): Promise<string> {
  const code = randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()
  await db.insert(coupons).values({ code, ...terms })

  return code
}

/** The context in which an operator performs a staff action. */
export function operatorContext(db: Database): StaffActionContext {
  return { db, staff: null, actor: 'grace', now: new Date() }
}
