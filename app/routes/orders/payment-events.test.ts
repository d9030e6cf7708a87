import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SamplePayments } from '~/features/orders/payments/sample-payments/sample-payments.server'
import type { Shop } from '~/features/orders/shop.server'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

/** Nothing listens there: only the events of these tests arrive. */
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
  if (!module.shop || !samplePayments) {
    throw new Error('The product sells nothing.')
  }

  shop = module.shop
  sample = samplePayments
})
afterAll(async () => {
  await closeShop()
  await server.stop()
})

/**
 * A learner at the provider's page.
 *
 * @returns the order, and the event that says that it was paid.
 */
async function startOrder() {
  const { startCheckout } = await import('~/features/orders/checkout/start-checkout.server')
  const uid = randomUUID()
  const email = `${uid}@test.example`
  await server.db
    .insert(tables.users)
    .values({ id: uid, email, name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' })
  const start = await startCheckout(shop, { uid, courseId, buyer: { name: 'Ada Byron', email } })
  if (start.outcome !== 'pay') {
    throw new Error(start.outcome)
  }

  const sessionId = start.url.split('/').at(-1) ?? ''
  const [payment] = await server.db
    .select()
    .from(tables.payments)
    .where(eq(tables.payments.sessionId, sessionId))
  const orderId = payment?.orderId ?? ''
  const event = eventOf('checkout.session.completed', {
    object: 'checkout.session',
    metadata: { order: orderId },
  })

  return { uid, orderId, sessionId, event }
}

const eventOf = (type: string, object: object) =>
  JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object } })

type Signing = { secret?: string; timestamp?: number }

const signatureOf = (payload: string, { secret = sample.webhookSecret, timestamp }: Signing = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

async function send(body: string, signature?: string) {
  const signed: Record<string, string> =
    signature === undefined ? {} : { 'Stripe-Signature': signature }
  const headers = { Host: host, 'Content-Type': 'application/json', ...signed }
  return (await server.request('/payments/events', { method: 'POST', headers, body })).status
}

/** Everything that an event may have changed. */
async function traces(orderId: string, uid: string) {
  const { db } = server
  const [order] = await db.select().from(tables.orders).where(eq(tables.orders.id, orderId))

  return {
    state: order?.state,
    events: await db.$count(tables.paymentEvents, eq(tables.paymentEvents.orderId, orderId)),
    enrollments: await db.$count(tables.enrollments, eq(tables.enrollments.uid, uid)),
    receipts: await db.$count(tables.receipts, eq(tables.receipts.orderId, orderId)),
    movements: await db.$count(tables.ledger, eq(tables.ledger.orderId, orderId)),
  }
}

const nothing = { state: 'open', events: 0, enrollments: 0, receipts: 0, movements: 0 }

it('an event with a wrong signature, another body or an old time gets status 400 and changes nothing', async () => {
  const { orderId, uid, sessionId, event } = await startOrder()
  await sample.pay(sessionId, 'paid')
  const longAgo = Math.floor(Date.now() / 1000) - 3600
  expect(await send(event)).toBe(400)
  expect(await send(event, 't=1,v1=00')).toBe(400)
  expect(await send(event, signatureOf(event, { secret: 'whsec_of_somebody_else' }))).toBe(400)
  expect(await send(event, signatureOf(event, { timestamp: longAgo }))).toBe(400)
  expect(await send(event.replace(orderId, orderId.toLowerCase()), signatureOf(event))).toBe(400)
  expect(await traces(orderId, uid)).toEqual(nothing)
})

it('an event that arrives twice enrolls, charges and issues a receipt once', async () => {
  const { orderId, uid, sessionId, event } = await startOrder()
  await sample.pay(sessionId, 'paid')
  const paid = { state: 'paid', events: 1, enrollments: 1, receipts: 1, movements: 1 }
  expect(await send(event, signatureOf(event))).toBe(200)
  expect(await traces(orderId, uid)).toEqual(paid)
  expect(
    await Promise.all([send(event, signatureOf(event)), send(event, signatureOf(event))]),
  ).toEqual([200, 200])
  expect(await traces(orderId, uid)).toEqual(paid)
})

it('an event about a payment that the provider does not confirm pays nothing', async () => {
  const { orderId, uid, event } = await startOrder()
  expect(await send(event, signatureOf(event))).toBe(200)
  expect(await traces(orderId, uid)).toEqual({ ...nothing, events: 1 })
})

it('an event about an unknown order gets status 500, so that the provider sends it again', async () => {
  const unknown = [
    eventOf('checkout.session.completed', {
      object: 'checkout.session',
      metadata: { order: 'NOSUCH2222' },
    }),
    eventOf('charge.dispute.created', { object: 'dispute', payment_intent: 'pi_unknown' }),
  ]

  for (const event of unknown) {
    expect(await send(event, signatureOf(event))).toBe(500)
  }
})

it('an event about no order is accepted', async () => {
  const event = eventOf('product.created', { object: 'product', id: 'prod_1' })
  expect(await send(event, signatureOf(event))).toBe(200)
})
