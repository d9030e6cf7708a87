import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
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

    const page = await payments.pages().request(`/${id}`)
    expect(page.status).toBe(404)

    const pressed = await payments.pages().request(`/${id}`, { method: 'POST' })
    expect(pressed.status).toBe(404)

    const session = await payments.api().request(`/v1/checkout/sessions/${id}`)
    expect(session.status).toBe(404)
  },
)

it('a refund with the idempotency key "constructor" is checked like any other', async () => {
  const payments = await createPayments()
  const refund = await payments.api().request('/v1/refunds', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'constructor' },
    body: new URLSearchParams({ payment_intent: 'pi_unknown', amount: '100' }),
  })
  expect(refund.status).toBe(400)
})
