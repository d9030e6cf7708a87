import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { env, isLoopback, StartError } from '~/server/env.server'
import type { ConnectedProvider } from '../payment-provider.server'
import { createStripeProvider } from '../stripe-provider.server'
import { SamplePayments } from './sample-payments.server'

export const samplePagesPath = '/sample-payments'

/** The imitation of Stripe, or null where learners could take it for real. */
export const samplePayments = isLoopback
  ? new SamplePayments({
      file: path.join(env.DATA_DIR, 'sample-payments.json'),
      webhookUrl: `${env.PUBLIC_URL}/payments/events`,
      pageUrl: `${env.PUBLIC_URL}${samplePagesPath}/`,
    })
  : null

/**
 * Opens the imitation of Stripe. Stripe's own library talks to it through a port that only this
 * machine can reach, so that a newcomer's purchase runs through the same code as a real one.
 *
 * @throws {StartError} unless the server is reachable from this machine only
 */
export async function openSampleProvider(): Promise<ConnectedProvider> {
  if (samplePayments === null) {
    throw new StartError(
      'PAYMENTS=sample works on a loopback address only, because its payments are not real.',
    )
  }

  const requestListener = getRequestListener(samplePayments.createApi().fetch)
  const server = createServer(requestListener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const provider = await createStripeProvider({
    name: 'sample',
    secretKey: 'sk_sample',
    webhookSecret: samplePayments.webhookSecret,
    apiUrl: `http://127.0.0.1:${port}`,
  })

  return { provider, close: () => void server.close() }
}
