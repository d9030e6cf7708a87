import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openSampleShop } from '../../../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../../../tests/support/test-database'
import { toStripeAmount } from '../stripe-amounts'
import { SamplePayments } from './sample-payments.server'

async function createPayments(): Promise<SamplePayments> {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-payments-'))
  return new SamplePayments({
    file: path.join(folder, 'payments.json'),
    webhookUrl: 'http://127.0.0.1:1/payments/events',
    pageUrl: 'http://127.0.0.1/sample-payments',
  })
}

it.each(['unknown', '__proto__', 'constructor', 'toString'])(
  'the payment page and the session "%s", which was never created, are not found',
  async (id) => {
    const payments = await createPayments()

    const page = await payments.createPages().request(`/${id}`)
    expect(page.status).toBe(404)

    const pressed = await payments.createPages().request(`/${id}`, { method: 'POST' })
    expect(pressed.status).toBe(404)

    const session = await payments.createApi().request(`/v1/checkout/sessions/${id}`)
    expect(session.status).toBe(404)
  },
)

it('a refund with the idempotency key "constructor" is checked like any other', async () => {
  const payments = await createPayments()
  const refund = await payments.createApi().request('/v1/refunds', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'constructor' },
    body: new URLSearchParams({ payment_intent: 'pi_unknown', amount: '100' }),
  })

  expect(refund.status).toBe(400)
})

// Stripe counts all of them in hundredths, although forint, króna and rupiah have none.
it.each(['HUF', 'ISK', 'IDR', 'USD'])(
  'a payment in %s, its refunds and its dispute are read with the amounts that they were made with',
  async (currency) => {
    const { db } = await createTestDatabase()
    const { shop, sample, close } = await openSampleShop(db)
    const { sessionId } = await shop.provider.createPaymentPage({
      paymentId: `payment-${currency}`,
      orderId: 'order',
      courseTitle: 'Python from Zero',
      amountMinor: 20_000,
      currency,
      buyerEmail: 'ada@test.example',
      returnUrl: 'https://learn.example/paid',
      cancelUrl: 'https://learn.example/back',
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    await sample.pay(sessionId, 'paid')
    const { intentId } = await shop.provider.readPayment(sessionId)
    if (intentId === null) {
      throw new Error('The session has no payment.')
    }

    const refund = { refundId: `refund-${currency}`, orderId: 'order', intentId, currency }
    const sentRefund = await shop.provider.sendRefund({ ...refund, amountMinor: 5_000 })
    expect(sentRefund.amountMinor).toBe(5_000)

    sample.disputePayment(intentId, toStripeAmount(15_000, currency), 'lost')

    const payment = await shop.provider.readPayment(sessionId)
    expect(payment).toMatchObject({ amountMinor: 20_000, currency })
    expect(payment.refunds.map(({ amountMinor }) => amountMinor)).toEqual([5_000, 15_000])

    close()
  },
)
