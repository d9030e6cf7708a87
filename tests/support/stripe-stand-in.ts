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
  const server = createServer((request, response) => {
    receivedKeys.push(String(request.headers.authorization).replace('Bearer ', ''))
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
  const handleRequest = getRequestListener(payments.api().fetch)

  return {
    url,
    payments,
    /** The secret key of each request, oldest first. */
    receivedKeys,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
