/**
 * Runs the imitation of Stripe in the benchmark's own process, so that it survives while the
 * product is killed.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer as createVite } from 'vite'
import type { SamplePayments } from '../app/features/orders/payments/sample-payments/sample-payments.server.ts'

const root = path.resolve(import.meta.dirname, '..')
const samplePaymentsModule =
  '/app/features/orders/payments/sample-payments/sample-payments.server.ts'

type PaymentServer = {
  sample: SamplePayments
  url: string
  /** The settings with which a product uses this imitation. */
  variables: Record<string, string>
  close(): Promise<void>
}

type PaymentServerOptions = {
  /** The file in which the imitation stores its payments and refunds. */
  file: string
  /** The URL to which the imitation sends its events. */
  webhookUrl: string
  /** Decides how often and when an event is sent to the product. */
  deliver: (send: () => Promise<void>) => Promise<void>
}

/** Starts the imitation of Stripe: its API and its payment pages. */
export async function startSamplePayments({
  file,
  webhookUrl,
  deliver,
}: PaymentServerOptions): Promise<PaymentServer> {
  // Otherwise Vite would set it to 'development', and the product would be built for development.
  process.env.NODE_ENV ??= 'production'
  // The imitation is a part of the product. Vite resolves the modules that it imports.
  const vite = await createVite({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    resolve: { alias: { '~': path.join(root, 'app') } },
    optimizeDeps: { noDiscovery: true },
  })
  const module = await vite.ssrLoadModule(samplePaymentsModule)

  const app = new Hono()
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sample: SamplePayments = new module.SamplePayments({
    file,
    webhookUrl,
    pageUrl: `${url}/pay/`,
    deliver,
  })
  app.route('/pay', sample.createPages()).route('/', sample.createApi())

  return {
    sample,
    url,
    variables: {
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_bench',
      STRIPE_WEBHOOK_SECRET: sample.webhookSecret,
      STRIPE_API_URL: url,
      STRIPE_CHECKOUT_ORIGIN: url,
      TAX_RATES: '*=19',
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await vite.close()
    },
  }
}
