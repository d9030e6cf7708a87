import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SamplePayments } from '~/features/orders/payments/sample-payments/sample-payments.server'
import type { Shop } from '~/features/orders/shop.server'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

/** Nothing listens at this host, so the imitation of Stripe can't deliver its own events. */
const host = 'localhost:9'
const courseId = 'python-from-zero'

let server: ProductServer
let shop: Shop
let sample: SamplePayments
let closeShop: () => Promise<void>
beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: `http://${host}`, PAYMENTS: 'sample' })
  const module = await import('~/features/orders/open-shop.server')
  const { samplePayments } = await import(
    '~/features/orders/payments/sample-payments/sample-provider.server'
  )
  closeShop = await module.openShop()
  if (!module.currentShop || !samplePayments) {
    throw new Error('The product sells nothing.')
  }

  shop = module.currentShop
  sample = samplePayments
})
afterAll(async () => {
  await closeShop()
  await server.stop()
})

/**
 * Opens the payment page of a new learner.
 *
 * @returns the order, and the event that says that it was paid
 */
async function startOrder() {
  const { startCheckout } = await import('~/features/orders/checkout/start-checkout.server')
  const uid = randomUUID()
  const email = `${uid}@test.example`
  await server.db
    .insert(tables.users)
    .values({ id: uid, email, name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' })
  const checkout = await startCheckout(shop, { uid, courseId, buyer: { name: 'Ada Byron', email } })
  if (checkout.outcome !== 'pay') {
    throw new Error(checkout.outcome)
  }

  const sessionId = checkout.url.split('/').at(-1) ?? ''
  const [payment] = await server.db
    .select()
    .from(tables.payments)
    .where(eq(tables.payments.sessionId, sessionId))
  if (!payment) {
    throw new Error('No payment was stored.')
  }

  const { orderId } = payment
  const event = createEvent('checkout.session.completed', {
    object: 'checkout.session',
    metadata: { order: orderId },
  })

  return { uid, orderId, sessionId, event }
}

function createEvent(type: string, object: object): string {
  return JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object } })
}

type SignatureOptions = { secret?: string; timestamp?: number }

function signEvent(
  payload: string,
  { secret = sample.webhookSecret, timestamp }: SignatureOptions = {},
): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** Sends an event to the webhook. @returns the status of the response */
async function sendEvent(body: string, signature?: string): Promise<number> {
  const signatureHeader: Record<string, string> =
    signature === undefined ? {} : { 'Stripe-Signature': signature }
  const headers = { Host: host, 'Content-Type': 'application/json', ...signatureHeader }

  const response = await server.request('/payments/events', { method: 'POST', headers, body })
  return response.status
}

/** Returns the order's state, and the number of rows of everything that an event may change. */
async function findEffects(orderId: string, uid: string) {
  const { db } = server
  const [order] = await db.select().from(tables.orders).where(eq(tables.orders.id, orderId))

  return {
    status: order?.status,
    events: await db.$count(tables.paymentEvents, eq(tables.paymentEvents.orderId, orderId)),
    enrollments: await db.$count(tables.enrollments, eq(tables.enrollments.uid, uid)),
    receipts: await db.$count(tables.receipts, eq(tables.receipts.orderId, orderId)),
    movements: await db.$count(tables.ledger, eq(tables.ledger.orderId, orderId)),
  }
}

const noEffects = { status: 'open', events: 0, enrollments: 0, receipts: 0, movements: 0 }

it('an event with a wrong signature, another body or an old time gets status 400 and changes nothing', async () => {
  const { orderId, uid, sessionId, event } = await startOrder()
  await sample.pay(sessionId, 'paid')
  const oneHourAgoSeconds = Math.floor(Date.now() / 1000) - 3600

  expect(await sendEvent(event)).toBe(400)
  expect(await sendEvent(event, 't=1,v1=00')).toBe(400)
  expect(await sendEvent(event, signEvent(event, { secret: 'whsec_of_somebody_else' }))).toBe(400)
  expect(await sendEvent(event, signEvent(event, { timestamp: oneHourAgoSeconds }))).toBe(400)
  expect(await sendEvent(event.replace(orderId, orderId.toLowerCase()), signEvent(event))).toBe(400)
  expect(await findEffects(orderId, uid)).toEqual(noEffects)
})

it('an event that arrives twice enrolls, charges and issues a receipt once', async () => {
  const { orderId, uid, sessionId, event } = await startOrder()
  await sample.pay(sessionId, 'paid')
  const effectsOfPayment = { status: 'paid', events: 1, enrollments: 1, receipts: 1, movements: 1 }

  expect(await sendEvent(event, signEvent(event))).toBe(200)
  expect(await findEffects(orderId, uid)).toEqual(effectsOfPayment)
  expect(
    await Promise.all([sendEvent(event, signEvent(event)), sendEvent(event, signEvent(event))]),
  ).toEqual([200, 200])
  expect(await findEffects(orderId, uid)).toEqual(effectsOfPayment)
})

it('an event about a payment that the provider does not confirm pays nothing', async () => {
  const { orderId, uid, event } = await startOrder()

  expect(await sendEvent(event, signEvent(event))).toBe(200)
  expect(await findEffects(orderId, uid)).toEqual({ ...noEffects, events: 1 })
})

it('an event about an unknown order gets status 500, so that the provider sends it again', async () => {
  const eventsAboutUnknownOrders = [
    createEvent('checkout.session.completed', {
      object: 'checkout.session',
      metadata: { order: 'NOSUCH2222' },
    }),
    createEvent('charge.dispute.created', { object: 'dispute', payment_intent: 'pi_unknown' }),
  ]

  for (const event of eventsAboutUnknownOrders) {
    expect(await sendEvent(event, signEvent(event))).toBe(500)
  }
})

it('an event about no order is accepted', async () => {
  const event = createEvent('product.created', { object: 'product', id: 'prod_1' })
  expect(await sendEvent(event, signEvent(event))).toBe(200)
})
