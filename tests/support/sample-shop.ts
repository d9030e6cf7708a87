import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Shop } from '~/features/orders/shop.server'
import type { Database } from '~/server/database/client.server'
import { SamplePayments } from '../../app/features/orders/payments/sample-payments/sample-payments.server'
import { createStripeProvider } from '../../app/features/orders/payments/stripe-provider.server'

/** Nothing listens on the discard port. */
const unusedUrl = 'http://127.0.0.1:9/unused'

export type SampleShop = {
  shop: Shop
  sample: SamplePayments
  events: (() => Promise<void>)[]
  close(): void
}

/**
 * Opens a shop whose payment provider is the sample payments, reached over real HTTP. The
 * provider's events are collected in `events`, so that a test can lose, repeat or reorder them.
 */
export async function openSampleShop(db: Database, webhookUrl = unusedUrl): Promise<SampleShop> {
  const events: (() => Promise<void>)[] = []
  const sample = new SamplePayments({
    file: path.join(
      process.env.DATA_DIR ?? tmpdir(),
      `sample-payments-${randomBytes(6).toString('hex')}.json`,
    ),
    webhookUrl,
    pageUrl: 'https://learn.example/sample-payments/',
    deliver: async (send) => void events.push(send),
  })
  const server = createServer(getRequestListener(sample.createApi().fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { webhookSecret } = sample
  const shop: Shop = {
    db,
    provider: await createStripeProvider({
      name: 'sample',
      secretKey: 'sk_sample',
      webhookSecret,
      apiUrl,
    }),
    publicUrl: 'https://learn.example',
    currency: 'USD',
    taxRates: { '*': 1900 },
    seller: { name: 'A school', address: '1 Street\nTown', taxId: 'T-1' },
    currentRefundPeriods: { withdrawal: 14, refund: 30 },
    waiver: null,
    wakeEmailSender: () => {},
  }

  return { shop, sample, events, close: () => void server.close() }
}
