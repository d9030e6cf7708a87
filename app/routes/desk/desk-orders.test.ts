import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SamplePayments } from '~/features/orders/payments/sample-payments/sample-payments.server'
import type { Shop } from '~/features/orders/shop.server'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const courseId = 'python-from-zero'

let server: DeskServer
let shop: Shop
let sample: SamplePayments
let closeShop: () => Promise<void>
let learnerCount = 0

beforeAll(async () => {
  // Nothing listens at this URL, so no payment event arrives. The tests fulfill payments
  // themselves.
  server = await startDeskServer({ PUBLIC_URL: 'http://localhost:9', PAYMENTS: 'sample' })
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
  await server.signUp('owner', 'owner')
})
afterAll(async () => {
  await closeShop()
  await server.stop()
})

/** Places an order for a new learner, and pays it. */
async function placePaidOrder() {
  const { startCheckout } = await import('~/features/orders/checkout/start-checkout.server')
  const { syncOrderWithProvider } = await import('~/features/orders/payments/sync-order.server')
  learnerCount += 1
  const uid = `learner-${learnerCount}`
  const email = `${uid}@test.example`
  await server.db.insert(tables.users).values({ id: uid, email, name: 'Ben', firstName: 'Ben' })
  const start = await startCheckout(shop, { uid, courseId, buyer: { name: 'Ben', email } })
  if (start.outcome !== 'pay') {
    throw new Error(start.outcome)
  }

  const sessionId = start.url.split('/').at(-1) ?? ''
  await sample.pay(sessionId, 'paid')
  const [payment] = await server.db
    .select()
    .from(tables.payments)
    .where(eq(tables.payments.sessionId, sessionId))
  const order = await syncOrderWithProvider(shop, payment?.orderId ?? '')

  return { id: order?.id ?? '', uid, total: order?.totalMinor ?? 0 }
}

const post = (id: string, form: Record<string, string>) =>
  server.post('owner', `/Desk/Orders/${id}`, form)

const listRefunds = (id: string) =>
  server.db.select().from(tables.refunds).where(eq(tables.refunds.orderId, id))

it('shows the days that the buyer was promised, whatever the school promises now', async () => {
  const { id } = await placePaidOrder()
  const days = { withdrawalDays: 0, refundDays: 61 }
  await server.db.update(tables.orders).set(days).where(eq(tables.orders.id, id))
  const { body } = await server.get('owner', `/Desk/Orders/${id}`)

  expect(body).toMatch(/Withdrawal<.{0,200}?>not possible</)
  expect(body).toMatch(/Refund request<.{0,200}?>61 days after the payment</)
})

it('refunds a part once, even if the form is sent several times', async () => {
  const { id, uid, total } = await placePaidOrder()
  const form = {
    intent: 'refund',
    amount: '10.50',
    reason: 'A lesson was missing.',
    left: String(total),
  }
  const responses = await Promise.all([post(id, form), post(id, form)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await post(id, form)).body).toContain('Somebody has changed this order in the meantime.')
  expect((await listRefunds(id)).map(({ amountMinor, status }) => [amountMinor, status])).toEqual([
    [1050, 'succeeded'],
  ])

  const [entry] = await server.db
    .select()
    .from(tables.operatorActs)
    .where(eq(tables.operatorActs.subject, uid))
  expect(entry).toMatchObject({
    by: server.getUid('owner'),
    act: 'orders refund',
    arguments: { order: id, amount: '$10.50' },
  })

  expect(entry?.changes).toEqual({ givenBack: { from: '$0.00', to: '$10.50' } })
})

it('reads a partial amount in the currency of the order, even if the site has another one now', async () => {
  const { id, total } = await placePaidOrder()
  await server.db.update(tables.orders).set({ currency: 'JPY' }).where(eq(tables.orders.id, id))
  const { body } = await post(id, {
    intent: 'refund',
    amount: '10.50',
    reason: 'A mistake.',
    left: String(total),
  })

  expect(body).toContain('Give an amount like 1050.')
})

it('keeps a refund for later while the provider can’t be reached', async () => {
  const { id, total } = await placePaidOrder()
  const { sendRefund } = shop.provider
  shop.provider.sendRefund = () => Promise.reject(new Error('not reached'))
  const response = await post(id, {
    intent: 'refund',
    amount: '',
    reason: 'A mistake.',
    left: String(total),
  })

  shop.provider.sendRefund = sendRefund

  expect([response.status, response.body.includes('is on its way.')]).toEqual([200, true])
  expect((await listRefunds(id)).map(({ status }) => status)).toEqual(['requested'])
})

it('ends the access when the whole price is refunded', async () => {
  const { id, uid, total } = await placePaidOrder()
  const { status, body } = await post(id, {
    intent: 'refund',
    amount: '',
    reason: 'A mistake.',
    left: String(total),
  })

  expect([status, body.includes('is on its way.')]).toEqual([200, true])
  expect(await server.db.$count(tables.enrollments, eq(tables.enrollments.uid, uid))).toBe(0)
})

it.each([
  ['without a reason', { amount: '', reason: '' }, 'Give a reason'],
  [
    'of an amount that isn’t one',
    { amount: 'ten', reason: 'A mistake.' },
    'Give an amount like 10.50.',
  ],
  ['of more than was paid', { amount: '10000', reason: 'A mistake.' }, 'left to give back'],
])('refuses a refund %s with a sentence', async (_, form, sentence) => {
  const { id, total } = await placePaidOrder()
  const { status, body } = await post(id, { intent: 'refund', ...form, left: String(total) })

  expect([status, body.includes(sentence)]).toEqual([400, true])
  expect(await listRefunds(id)).toEqual([])
})

async function insertRefundRequest(orderId: string, uid: string) {
  await server.db.insert(tables.refundRequests).values({
    id: `request-${orderId}`,
    orderId,
    uid,
    kind: 'refund',
    status: 'asked',
    reason: 'Too hard for me.',
  })
}

it('does not grant a request from a page that was opened before another refund', async () => {
  const { id, uid, total } = await placePaidOrder()
  const left = String(total)
  await post(id, { intent: 'refund', amount: '10', reason: 'A lesson was missing.', left })
  await insertRefundRequest(id, uid)

  const { status, body } = await post(id, { intent: 'grant', amount: '10', left })
  expect(status).toBe(400)
  expect(body).toContain('Somebody has changed this order in the meantime.')
  expect((await listRefunds(id)).map(({ amountMinor }) => amountMinor)).toEqual([1000])

  const page = await server.get('owner', `/Desk/Orders/${id}`)
  expect(page.body).toContain(`name="left" value="${total - 1000}"`)
})

it('grants a learner’s refund request once', async () => {
  const { id, uid, total } = await placePaidOrder()
  await insertRefundRequest(id, uid)
  const page = await server.get('owner', '/Desk/Orders?state=asked')
  expect(page.body).toContain(id)

  const grant = { intent: 'grant', amount: '', left: String(total) }
  expect((await post(id, grant)).body).toContain('is on its way.')
  expect((await post(id, { intent: 'decline', reason: 'No.' })).status).toBe(400)
  expect(await listRefunds(id)).toHaveLength(1)

  const [entry] = await server.db
    .select()
    .from(tables.operatorActs)
    .where(eq(tables.operatorActs.act, 'orders grant'))
  expect(entry?.changes).toMatchObject({ 'request for a refund': { from: 'asked', to: 'granted' } })
  expect(JSON.stringify(entry)).not.toContain('Too hard for me.')
})

it('ends a free order, emails the learner, and keeps the books consistent', async () => {
  const { startCheckout } = await import('~/features/orders/checkout/start-checkout.server')
  const { checkOrders } = await import('~/features/orders/check-orders.server')
  const { composeOrderEmail } = await import('~/features/orders/order-emails.server')
  await server.db.insert(tables.coupons).values({ code: 'ALLFREE', percent: 100, maxUses: 1 })
  const uid = 'learner-free'
  const email = `${uid}@test.example`
  await server.db.insert(tables.users).values({ id: uid, email, name: 'Ben', firstName: 'Ben' })
  const start = await startCheckout(shop, {
    uid,
    courseId,
    buyer: { name: 'Ben', email },
    couponCode: 'ALLFREE',
  })
  const id = start.outcome === 'enrolled' ? start.orderId : ''
  expect((await server.get('owner', `/Desk/Orders/${id}`)).body).toContain('End the access')
  expect((await post(id, { intent: 'end', reason: '' })).status).toBe(400)

  const { status, body } = await post(id, { intent: 'end', reason: 'The code was leaked.' })
  expect(status).toBe(200)

  for (const text of [
    'has ended, and the learner gets an email.',
    'Ended',
    'The access was ended',
  ]) {
    expect(body).toContain(text)
  }

  expect(await server.db.$count(tables.enrollments, eq(tables.enrollments.uid, uid))).toBe(0)
  expect((await composeOrderEmail(server.db, 'course-closed', id))?.to).toBe(email)
  expect((await checkOrders(server.db)).filter(({ orderId }) => orderId === id)).toEqual([])

  // The coupon stays used.
  const secondCheckout = await startCheckout(shop, {
    uid,
    courseId,
    buyer: { name: 'Ben', email },
    couponCode: 'ALLFREE',
  })

  expect(secondCheckout.outcome).toBe('coupon refused')
  expect((await post(id, { intent: 'end', reason: 'Again.' })).status).toBe(400)

  const [entry] = await server.db
    .select()
    .from(tables.operatorActs)
    .where(eq(tables.operatorActs.act, 'orders end'))
  expect(entry).toMatchObject({
    subject: uid,
    arguments: { order: id, reason: 'The code was leaked.' },
  })
  expect(entry?.changes).toEqual({
    state: { from: 'paid', to: 'refunded' },
    accessEnded: { from: false, to: true },
  })
})

it('never ends a paid order without a refund', async () => {
  const { id } = await placePaidOrder()
  const { status, body } = await post(id, { intent: 'end', reason: 'A mistake.' })

  expect([status, body.includes('give its money back instead')]).toEqual([400, true])
})

it('records a late bank transfer once, and never for a course that is already bought', async () => {
  const { startCheckout } = await import('~/features/orders/checkout/start-checkout.server')
  const { checkOrders } = await import('~/features/orders/check-orders.server')
  const uid = 'learner-transfer'
  const email = `${uid}@test.example`
  await server.db.insert(tables.users).values({ id: uid, email, name: 'Ben', firstName: 'Ben' })
  const placeCanceledOrder = async () => {
    await startCheckout(shop, { uid, courseId, buyer: { name: 'Ben', email } })
    const isOpen = and(eq(tables.orders.uid, uid), eq(tables.orders.status, 'open'))
    const [order] = await server.db
      .update(tables.orders)
      .set({ status: 'canceled' })
      .where(isOpen)
      .returning()
    await server.db
      .update(tables.payments)
      .set({ status: 'expired' })
      .where(eq(tables.payments.orderId, order?.id ?? ''))

    return order?.id ?? ''
  }
  const [first, second] = [await placeCanceledOrder(), await placeCanceledOrder()]
  expect((await post(first, { intent: 'mark-paid' })).body).toContain(
    'The order is paid, and the learner enrolled.',
  )
  expect((await post(first, { intent: 'mark-paid' })).status).toBe(400)
  expect((await post(second, { intent: 'mark-paid' })).body).toContain('Send the money back.')
  expect(await server.db.$count(tables.receipts, eq(tables.receipts.orderId, first))).toBe(1)

  const [entry] = await server.db
    .select()
    .from(tables.operatorActs)
    .where(eq(tables.operatorActs.act, 'orders mark-paid'))
  expect(entry?.changes).toEqual({ state: { from: 'canceled', to: 'paid' } })
  expect(
    (await checkOrders(server.db)).filter(({ orderId }) => [first, second].includes(orderId)),
  ).toEqual([])
})
