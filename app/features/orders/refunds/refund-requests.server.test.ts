import { and, eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import {
  orders,
  outbox,
  payments,
  receipts,
  refundRequests,
  refunds,
} from '~/server/database/schema'
import { listAuditEntries, operatorContext } from '../../../../tests/support/operator'
import {
  buyer,
  courseId,
  insertLearner,
  insertRefund,
  openCheckout,
  payOrder,
} from '../../../../tests/support/sample-orders'
import { openSampleShop } from '../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { checkOrders } from '../check-orders.server'
import { markOrderPaid } from '../order-actions.server'
import { composeOrderEmail } from '../order-emails.server'
import { findOrder } from '../order-record.server'
import type { PaymentProvider } from '../payments/payment-provider.server'
import { syncOrderWithProvider } from '../payments/sync-order.server'
import { listPurchases } from '../purchases/purchase-queries.server'
import { declineRefundRequest, grantRefundRequests } from './refund-actions.server'
import {
  findOrderIdByEmail,
  findRefundRequestView,
  listPossibleKinds,
} from './refund-request-queries.server'
import { confirmRefundRequest, requestRefund, requestRefundByEmail } from './refund-requests.server'
import { sendPendingRefunds } from './refunds.server'
import { findRemainingToRefund } from './remaining-amount.server'

const { db } = await createTestDatabase()
const sampleShop = await openSampleShop(db)
afterAll(() => sampleShop.close())

async function startPurchase() {
  const uid = await insertLearner(db)
  const email = `${uid}@example.com`
  return {
    uid,
    email,
    ...(await openCheckout(sampleShop.shop, uid, { buyer: { ...buyer, email } })),
  }
}

async function buyCourse() {
  const order = await startPurchase()
  await payOrder(sampleShop, order)
  return order
}

/** Returns the state of an order, of its refund requests and of its refunds. */
async function findOutcome(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  const requests = await listRequests(orderId)
  const orderRefunds = await db.select().from(refunds).where(eq(refunds.orderId, orderId))

  return [
    order?.status,
    requests.map(({ kind, status }) => `${kind} ${status}`).sort(),
    orderRefunds.map(({ status }) => status),
  ]
}

const listRequests = (orderId: string) =>
  db.select().from(refundRequests).where(eq(refundRequests.orderId, orderId))

async function grant(orderId: string, amount = '') {
  const displayedRemainingMinor = String(await findRemainingToRefund(db, orderId))
  const input = { orderId, enteredAmount: amount, displayedRemainingMinor }

  return grantRefundRequests(operatorContext(db), sampleShop.shop, input)
}

const decline = (orderId: string, reason: string) =>
  declineRefundRequest(operatorContext(db), { orderId, reason })

async function listEmailKinds(orderId: string) {
  const rows = await db.select().from(outbox).where(eq(outbox.orderId, orderId))
  return rows.map(({ kind }) => kind).sort()
}

const requestMoneyBack = (orderId: string, kind: 'withdrawal' | 'refund', reason = '') =>
  requestRefund(sampleShop.shop, { orderId, kind, reason })

it('a withdrawal refunds the payment at once, ends the access, and is confirmed by email with a credit note', async () => {
  const { uid, orderId, email } = await buyCourse()
  const areReceived = await Promise.all(
    [1, 2, 3].map(() => requestMoneyBack(orderId, 'withdrawal')),
  )
  expect(areReceived.filter(Boolean)).toHaveLength(1)
  expect(await findOutcome(orderId)).toEqual(['refunded', ['withdrawal granted'], ['succeeded']])
  expect(await hasAccess(db, uid, courseId)).toBe(false)
  expect(await listEmailKinds(orderId)).toEqual(['credit-note', 'receipt', 'withdrawal-received'])
  expect(await checkOrders(db)).toEqual([])

  await db
    .update(refundRequests)
    .set({ requestedAt: new Date('2026-11-26T04:05:00Z') })
    .where(eq(refundRequests.orderId, orderId))
  const confirmationEmail = await composeOrderEmail(db, 'withdrawal-received', orderId)
  expect(confirmationEmail).toMatchObject({
    to: email,
    subject: 'We’ve received your withdrawal from Python from Zero',
  })
  expect(confirmationEmail?.text).toContain('reached us on Nov 26, 2026, 4:05 AM UTC')
  expect(confirmationEmail?.text).toContain(
    `“I, Ada Byron, withdraw from the purchase of Python from Zero, order ${orderId}.”`,
  )

  const creditNoteEmail = await composeOrderEmail(db, 'credit-note', orderId)
  const [creditNote] = (
    await db.select().from(receipts).where(eq(receipts.orderId, orderId))
  ).filter(({ document }) => document.kind === 'credit note')
  expect(creditNoteEmail?.text).toContain('We have sent back $89.00')
  expect(creditNoteEmail?.attachments?.map(({ filename }) => filename)).toEqual([
    `credit-note-${creditNote?.number}.pdf`,
  ])
})

it('a request for a refund waits until staff grant it', async () => {
  const { uid, orderId } = await buyCourse()
  expect(await requestMoneyBack(orderId, 'refund', 'Not what I expected')).toBe(true)
  expect(await requestMoneyBack(orderId, 'refund')).toBe(false)
  expect(await findOutcome(orderId)).toEqual(['paid', ['refund asked'], []])
  expect(await hasAccess(db, uid, courseId)).toBe(true)
  expect((await composeOrderEmail(db, 'refund-received', orderId))?.text).toContain(
    'You wrote: “Not what I expected”',
  )
  expect(await listRequests(orderId)).toMatchObject([
    { kind: 'refund', status: 'asked', reason: 'Not what I expected' },
  ])

  await grant(orderId)
  expect(await findOutcome(orderId)).toEqual(['refunded', ['refund granted'], ['succeeded']])
  expect(await hasAccess(db, uid, courseId)).toBe(false)
})

it('a partial refund keeps the access', async () => {
  const { uid, orderId } = await buyCourse()
  await requestMoneyBack(orderId, 'refund')
  await grant(orderId, '10.00')

  expect(await findOutcome(orderId)).toEqual(['paid', ['refund granted'], ['succeeded']])
  expect(await hasAccess(db, uid, courseId)).toBe(true)
  expect((await composeOrderEmail(db, 'credit-note', orderId))?.text).toContain(
    'We have sent back $10.00',
  )
})

it('a withdrawal after a partial refund returns the remaining amount', async () => {
  const { orderId } = await buyCourse()
  await insertRefund(db, orderId, { amountMinor: 1_000, reason: 'A part' })
  await sendPendingRefunds(sampleShop.shop, orderId)

  expect(await requestMoneyBack(orderId, 'withdrawal')).toBe(true)
  expect(await findOutcome(orderId)).toEqual([
    'refunded',
    ['withdrawal granted'],
    ['succeeded', 'succeeded'],
  ])

  expect((await composeOrderEmail(db, 'withdrawal-received', orderId))?.text).toContain(
    'We refund $79.00',
  )
})

it('a declined refund emails the reason, and the right of withdrawal stays', async () => {
  const { orderId } = await buyCourse()
  await requestMoneyBack(orderId, 'refund')

  expect(await decline(orderId, 'You finished the course.')).toMatchObject({
    value: { outcome: expect.stringContaining('declined') },
  })
  expect(await decline(orderId, 'Again')).toMatchObject({
    problem: expect.stringContaining('Nobody waits for an answer'),
  })
  expect((await composeOrderEmail(db, 'refund-declined', orderId))?.text).toContain(
    'You finished the course.',
  )
  expect((await listAuditEntries(db, 'orders decline')).at(-1)).toMatchObject({
    arguments: { order: orderId, reason: 'You finished the course.' },
    changes: { 'request for a refund': { from: 'asked', to: 'declined' } },
  })
  expect(await requestMoneyBack(orderId, 'refund')).toBe(false)
  expect(await requestMoneyBack(orderId, 'withdrawal')).toBe(true)
  expect(await findOutcome(orderId)).toEqual([
    'refunded',
    ['refund declined', 'withdrawal granted'],
    ['succeeded'],
  ])
})

it('the learner sees when the refund was granted, not when they asked for it', async () => {
  const { uid, orderId } = await buyCourse()
  await requestMoneyBack(orderId, 'refund')
  const requestedAt = '2026-11-01T00:00:00.000Z'
  await db
    .update(refundRequests)
    .set({ requestedAt: new Date(requestedAt) })
    .where(eq(refundRequests.orderId, orderId))
  await grant(orderId)

  const [request] = await listRequests(orderId)
  const answeredAt = request?.answeredAt?.toISOString()
  const view = await findRefundRequestView(sampleShop.shop, request?.id ?? '')
  const [purchase] = await listPurchases(db, uid, sampleShop.shop.currentRefundPeriods)

  expect(answeredAt).not.toBe(requestedAt)
  expect(view?.request?.at).toBe(answeredAt)
  expect(purchase?.request).toMatchObject({ status: 'granted', at: answeredAt })
})

it('a refund that staff start themselves grants the waiting request', async () => {
  const { orderId } = await buyCourse()
  await requestMoneyBack(orderId, 'refund')
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, orderId))
  sampleShop.sample.refundAtProvider(payment?.intentId ?? '', 8_900)
  await syncOrderWithProvider(sampleShop.shop, orderId)

  expect(await findOutcome(orderId)).toEqual(['refunded', ['refund granted'], ['succeeded']])
})

it('a withdrawal from a purchase by bank transfer waits for staff, and can’t be declined', async () => {
  const { orderId } = await startPurchase()
  await markOrderPaid(operatorContext(db), sampleShop.shop, orderId)
  expect(await requestMoneyBack(orderId, 'withdrawal')).toBe(true)
  expect(await findOutcome(orderId)).toEqual(['paid', ['withdrawal asked'], []])
  expect(await decline(orderId, 'No.')).toMatchObject({
    problem: expect.stringContaining('it is the learner’s right'),
  })
  expect(await grant(orderId, '0.01')).toMatchObject({
    problem: expect.stringContaining('give everything back'),
  })

  await grant(orderId)
  expect(await findOutcome(orderId)).toEqual(['refunded', ['withdrawal granted'], ['succeeded']])
})

it('a withdrawal waits for staff if the provider refuses the refund', async () => {
  const { orderId } = await buyCourse()
  // The imitation of the provider does not know this payment, so it refuses the refund.
  await db
    .update(payments)
    .set({ intentId: `pi_${orderId}` })
    .where(eq(payments.orderId, orderId))

  expect(await requestMoneyBack(orderId, 'withdrawal')).toBe(true)
  expect(await findOutcome(orderId)).toEqual(['paid', ['withdrawal asked'], ['failed']])
})

it('a withdrawal waits for staff again if the bank sends an earlier partial refund back', async () => {
  const { orderId, sessionId } = await buyCourse()
  await insertRefund(db, orderId, { amountMinor: 3_000, reason: 'test' })
  await sendPendingRefunds(sampleShop.shop, orderId)
  expect(await requestMoneyBack(orderId, 'withdrawal')).toBe(true)
  expect((await composeOrderEmail(db, 'withdrawal-received', orderId))?.text).toContain(
    'We refund $59.00',
  )

  const { readPayment } = sampleShop.shop.provider
  const getRefundStatus = (amountMinor: number) =>
    amountMinor === 3_000 ? ('failed' as const) : ('succeeded' as const)
  const provider = {
    ...sampleShop.shop.provider,
    readPayment: async (id: string) => {
      const payment = await readPayment(id)
      if (id !== sessionId) {
        return payment
      }

      const refunds = payment.refunds.map((refund) => ({
        ...refund,
        status: getRefundStatus(refund.amountMinor),
      }))
      return { ...payment, refunds }
    },
  }

  await syncOrderWithProvider({ ...sampleShop.shop, provider }, orderId)
  // There is one email for each credit note, and none for the receipt of the returned money.
  const emails = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.orderId, orderId), eq(outbox.kind, 'credit-note')))
  const texts = await Promise.all(
    emails.map(({ topic }) => composeOrderEmail(db, 'credit-note', orderId, topic)),
  )
  expect(texts.map((email) => /\$[\d.]+/.exec(email?.text ?? '')?.[0]).sort()).toEqual([
    '$30.00',
    '$59.00',
  ])
  expect(texts.flatMap((email) => email?.attachments)).toHaveLength(2)
  expect((await findOutcome(orderId)).slice(0, 2)).toEqual(['paid', ['withdrawal asked']])

  const isRequestOfOrder = eq(refundRequests.orderId, orderId)
  await db.update(refundRequests).set({ status: 'granted' }).where(isRequestOfOrder)
  expect(await checkOrders(db)).toEqual([
    { kind: 'a withdrawal was granted, but not all goes back', orderId },
  ])

  await db.update(refundRequests).set({ status: 'asked' }).where(isRequestOfOrder)
})

it('a request is refused after the deadline, and a withdrawal after the waiver', async () => {
  const { orderId } = await buyCourse()
  await db.update(orders).set({ waivedAt: new Date() }).where(eq(orders.id, orderId))
  expect(await requestMoneyBack(orderId, 'withdrawal')).toBe(false)

  await db
    .update(orders)
    .set({ paidAt: sql`now() - interval '32 days'` })
    .where(eq(orders.id, orderId))
  expect(await requestMoneyBack(orderId, 'refund')).toBe(false)
  expect(await findOutcome(orderId)).toEqual(['paid', [], []])
})

it('the days that checkout promised count, although the school changes them before the payment arrives', async () => {
  const { orderId, uid, sessionId } = await startPurchase()
  const changedShop = { ...sampleShop.shop, currentRefundPeriods: { withdrawal: 0, refund: 0 } }
  await payOrder({ shop: changedShop, sample: sampleShop.sample }, { orderId, sessionId })
  expect(await findOrder(db, orderId)).toMatchObject({ withdrawalDays: 14, refundDays: 30 })

  const [purchase] = await listPurchases(db, uid, changedShop.currentRefundPeriods)
  expect(purchase?.refundOptions).toEqual(['withdrawal', 'refund'])
  expect(await listPossibleKinds(changedShop)).toEqual(['withdrawal', 'refund'])

  const request = { orderId, kind: 'refund', reason: '' } as const
  expect(await requestRefund(changedShop, request)).toBe(true)
})

it('the current days count for an order that an earlier version has paid', async () => {
  const { orderId } = await buyCourse()
  await db
    .update(orders)
    .set({ withdrawalDays: null, refundDays: null })
    .where(eq(orders.id, orderId))
  const changedShop = { ...sampleShop.shop, currentRefundPeriods: { withdrawal: 0, refund: 30 } }
  const request = { orderId, reason: '' }

  expect(await requestRefund(changedShop, { ...request, kind: 'withdrawal' })).toBe(false)
  expect(await requestRefund(changedShop, { ...request, kind: 'refund' })).toBe(true)
})

it('a refund stays sent if another account refuses it after the right account has sent it', async () => {
  const { orderId } = await buyCourse()
  await insertRefund(db, orderId)
  const { shop } = sampleShop
  const sendRefund: PaymentProvider['sendRefund'] = async ({ refundId, amountMinor }) => {
    await sendPendingRefunds(shop, orderId)
    const providerRefundId = `refused ${refundId}`
    return { providerRefundId, refundId, amountMinor, status: 'failed', reason: 'Unknown payment.' }
  }

  await sendPendingRefunds({ ...shop, provider: { ...shop.provider, sendRefund } }, orderId)

  expect(await findOutcome(orderId)).toEqual(['refunded', [], ['succeeded']])
  expect(await checkOrders(db)).toEqual([])
})

it.each(['ada@bücher.example', 'ada@xn--bcher-kva.example'])(
  'an order of an account with the email address %s is found by each form of the address',
  async (storedEmail) => {
    const { uid, orderId } = await buyCourse()
    await db.execute(sql`update users set email = ${storedEmail} where id = ${uid}`)
    for (const email of [
      'Ada@bücher.example',
      'ada@bu\u0308cher.example',
      'ada@xn--bcher-kva.example',
    ]) {
      expect(await findOrderIdByEmail(db, orderId, email)).toBe(orderId)
    }

    expect(await findOrderIdByEmail(db, orderId, 'ada@buecher.example')).toBeNull()

    await db.execute(sql`update users set email = ${`${uid}@test.example`} where id = ${uid}`)
  },
)

it('without signing in, only the emailed link confirms a request, and the date of the request counts', async () => {
  const { orderId, email } = await buyCourse()
  expect(await findOrderIdByEmail(db, ` ${orderId.toLowerCase()}`, ` ${email.toUpperCase()}`)).toBe(
    orderId,
  )
  expect(await findOrderIdByEmail(db, orderId, 'somebody@example.com')).toBe(null)

  await requestRefundByEmail(sampleShop.shop, { orderId, kind: 'withdrawal', reason: '' })
  expect(await findOutcome(orderId)).toEqual(['paid', ['withdrawal stated'], []])

  const [unconfirmedRequest] = await db
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.orderId, orderId))
  const linkEmailText = (await composeOrderEmail(db, 'withdrawal-link', orderId))?.text ?? ''
  expect(linkEmailText).toContain(`/Refund?request=${unconfirmedRequest?.id}&key=`)

  // Fifteen days have passed until the link is opened, but the request was in time.
  await db
    .update(orders)
    .set({ paidAt: sql`now() - interval '17 days'` })
    .where(eq(orders.id, orderId))
  const threeDaysAgo = { requestedAt: sql`now() - interval '3 days'` }
  await db.update(refundRequests).set(threeDaysAgo).where(eq(refundRequests.orderId, orderId))
  expect(await confirmRefundRequest(sampleShop.shop, unconfirmedRequest?.id ?? '')).toBe(true)
  expect(await confirmRefundRequest(sampleShop.shop, unconfirmedRequest?.id ?? '')).toBe(false)
  expect(await findOutcome(orderId)).toEqual(['refunded', ['withdrawal granted'], ['succeeded']])
})

it('an expired link confirms nothing, and a new request emails a new link', async () => {
  const { orderId } = await buyCourse()
  const refundRequest = { orderId, kind: 'refund', reason: '' } as const
  await requestRefundByEmail(sampleShop.shop, refundRequest)
  const [unconfirmedRequest] = await db
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.orderId, orderId))
  await db
    .update(refundRequests)
    .set({ requestedAt: sql`now() - interval '8 days'` })
    .where(eq(refundRequests.orderId, orderId))
  expect(await confirmRefundRequest(sampleShop.shop, unconfirmedRequest?.id ?? '')).toBe(false)

  await requestRefundByEmail(sampleShop.shop, refundRequest)
  expect(await confirmRefundRequest(sampleShop.shop, unconfirmedRequest?.id ?? '')).toBe(true)
  expect(await findOutcome(orderId)).toEqual(['paid', ['refund asked'], []])
})

it('a request without signing in does not replace the reason of a confirmed one', async () => {
  const { orderId } = await buyCourse()
  await requestMoneyBack(orderId, 'refund', 'Not what I expected')
  await requestRefundByEmail(sampleShop.shop, { orderId, kind: 'refund', reason: 'Another reason' })

  expect(await listRequests(orderId)).toMatchObject([
    { status: 'asked', reason: 'Not what I expected' },
  ])
})

it('a request for an unknown order changes nothing', async () => {
  expect(await requestMoneyBack('NOSUCH2222', 'withdrawal')).toBe(false)

  await requestRefundByEmail(sampleShop.shop, { orderId: 'NOSUCH2222', kind: 'refund', reason: '' })
  expect(await listRequests('NOSUCH2222')).toEqual([])
})

it('the email for an order that can’t be refunded says so', async () => {
  const { orderId } = await startPurchase()
  await requestRefundByEmail(sampleShop.shop, { orderId, kind: 'withdrawal', reason: '' })

  expect((await composeOrderEmail(db, 'withdrawal-link', orderId))?.text).toContain(
    'can’t be given back here any more',
  )
})

it('the deletion of an account deletes its refund requests, and keeps the refund', async () => {
  const { uid, orderId } = await buyCourse()
  await requestMoneyBack(orderId, 'withdrawal')
  await db.transaction((tx) => deleteAccount(tx, async () => {}, uid))

  expect(await findOutcome(orderId)).toEqual(['refunded', [], ['succeeded']])
  expect(await composeOrderEmail(db, 'withdrawal-received', orderId)).toBe(null)
})
