import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { SamplePayments } from '../../app/features/orders/payments/sample-payments/sample-payments.server'

/**
 * Starts an HTTP server that stands in for Stripe, so that a test sees which secret key the product
 * sends. It delivers no events.
 *
 * @param file the file in which the payments are kept
 */
export async function startStripeStandIn(file: string) {
  const { SamplePayments } = await import(
    '~/features/orders/payments/sample-payments/sample-payments.server'
  )
  const receivedKeys: string[] = []
  const refusedKeys = new Set<string>()
  const server = createServer((request, response) => {
    const key = String(request.headers.authorization).replace('Bearer ', '')
    receivedKeys.push(key)
    if (refusedKeys.has(key)) {
      response.writeHead(401, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'Invalid API Key provided.' } }))
      return
    }

    void handleRequest(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const payments: SamplePayments = new SamplePayments({
    file,
    webhookUrl: url,
    pageUrl: `${url}/pay/`,
    deliver: async () => {},
  })
  const handleRequest = getRequestListener(payments.createApi().fetch)

  return {
    url,
    payments,
    /** The secret key of each request, oldest first. */
    receivedKeys,
    /** The secret keys that are mistyped or revoked. */
    refusedKeys,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
