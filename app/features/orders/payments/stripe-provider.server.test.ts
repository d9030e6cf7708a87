import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, it, vi } from 'vitest'
import { log } from '~/server/operations/log.server'
import { createStripeProvider } from './stripe-provider.server'

/**
 * Connects a provider to an imitation of Stripe that returns the same response to every request.
 */
async function connectProvider(status: number, getBody: (path: string) => object) {
  const server = createServer((request, response) => {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Stripe-Should-Retry': 'false',
    })
    response.end(JSON.stringify(getBody(request.url ?? '')))
  }).listen(0, '127.0.0.1')

  await once(server, 'listening')
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await createStripeProvider({
    name: 'sample',
    secretKey: 'sk',
    webhookSecret: 'whsec',
    apiUrl,
  })

  return { provider, close: () => server.close() }
}

it.each([
  ['requires_action', 'processing'],
  ['processing', 'processing'],
  ['requires_payment_method', 'failed'],
  ['canceled', 'failed'],
])(
  'a session that is complete and unpaid, with a payment that is %s, is %s',
  async (intentStatus, status) => {
    const session = {
      status: 'complete',
      payment_status: 'unpaid',
      amount_total: 100,
      currency: 'usd',
    }
    const { provider, close } = await connectProvider(200, (path) =>
      path.includes('/sessions/')
        ? { ...session, payment_intent: { id: 'pi_1', status: intentStatus } }
        : { data: [] },
    )

    expect((await provider.readPayment('cs_1')).status).toBe(status)

    close()
  },
)

it('a refund and a dispute of 10.50 forint become 11, and a payment of 10.50 forint is not rounded', async () => {
  const intent = { id: 'pi_1', status: 'succeeded' }
  const amount = { id: 'id_1', amount: 1050, currency: 'huf', status: 'succeeded' }
  const { provider, close } = await connectProvider(200, (path) =>
    path.includes('/sessions/')
      ? {
          status: 'complete',
          payment_status: 'paid',
          amount_total: 1050,
          currency: 'huf',
          payment_intent: intent,
        }
      : { data: [path.includes('/disputes') ? { ...amount, status: 'lost' } : amount] },
  )

  const payment = await provider.readPayment('cs_1')
  expect(payment).toMatchObject({ amountMinor: 10.5, currency: 'HUF' })
  expect(payment.refunds.map(({ amountMinor }) => amountMinor)).toEqual([11, 11])

  close()
})

const refund = {
  refundId: 'refund',
  orderId: 'order',
  intentId: 'pi_1',
  amountMinor: 100,
  currency: 'USD',
}
const getErrorBody = () => ({ error: { type: 'invalid_request_error', message: 'No.' } })

it('a refund fails if the provider refuses it, but not while another process sends the same refund', async () => {
  const refusing = await connectProvider(400, getErrorBody)
  const busy = await connectProvider(409, getErrorBody)

  expect((await refusing.provider.sendRefund(refund)).status).toBe('failed')
  await expect(busy.provider.sendRefund(refund)).rejects.toThrow('No.')

  refusing.close()
  busy.close()
})

it('an event that was signed too long ago is refused, and the log says how long ago', async () => {
  const warn = vi.spyOn(log, 'warn')
  const { provider, close } = await connectProvider(200, () => ({}))
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', data: { object: {} } })
  const signAt = (secondsFromNow: number, secret = 'whsec') =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(Date.now() / 1000) + secondsFromNow,
    })

  for (const seconds of [-290, 0, 600]) {
    expect(await provider.readSignedEvent(payload, signAt(seconds))).toMatchObject({ id: 'evt_1' })
  }

  // Strangers can't fill the log.
  expect(await provider.readSignedEvent(payload, signAt(-600, 'whsec_of_somebody_else'))).toBeNull()
  expect(warn).not.toHaveBeenCalled()

  expect(await provider.readSignedEvent(payload, signAt(-600))).toBeNull()

  const secondsFromNow = expect.closeTo(-600, -2)
  expect(warn).toHaveBeenCalledWith({ secondsFromNow }, expect.stringContaining('too long ago'))

  warn.mockRestore()
  close()
})
