import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { accountService } from '~/features/accounts/account-service.server'
import { type Database, db, withOwnConnection } from '~/server/database/client.server'
import { env, isLoopback, StartError } from '~/server/env.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { reportError } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import { siteCurrency, siteSeller } from '~/server/site/site.server'
import { orderCheck } from './check-orders.server'
import type { Waiver } from './checkout/withdrawal-waiver'
import { createMissedEventsJob } from './payments/missed-events.server'
import type { PaymentProvider } from './payments/payment-provider.server'
import { SamplePayments } from './payments/sample-payments/sample-payments.server'
import { createStripeProvider } from './payments/stripe-provider.server'
import { syncPendingOrders } from './payments/sync-pending-orders.server'
import { keepReceiptFiles } from './receipts/receipt-files.server'
import { parseTaxRates } from './receipts/tax'
import type { Shop } from './shop.server'

const sweepEveryMs = 10_000
/** Stripe's own record of events; one request a look. */
const watchEveryMs = 5 * 60_000
const checkEveryMs = 5 * 60_000
const keepFilesEveryMs = 60_000

/** The product's own; null while `PAYMENTS` is off. Set before the server listens. */
export let shop: Shop | null = null

export const samplePagesPath = '/sample-payments'

/** The stand-in for Stripe, on a machine of one's own. */
export const samplePayments =
  env.PAYMENTS === 'sample'
    ? new SamplePayments({
        file: path.join(env.DATA_DIR, 'sample-payments.json'),
        webhookUrl: `${env.PUBLIC_URL}/payments/events`,
        pageUrl: `${env.PUBLIC_URL}${samplePagesPath}/`,
      })
    : null

/** @returns stops taking payments up. */
export async function openShop(): Promise<() => Promise<void>> {
  const connected = await connectShop(db, () => accountService.mailQueued())
  if (!connected) {
    return async () => {}
  }

  shop = connected.shop
  const failing = new Set<string>()
  const stopSweep = backgroundWork.add({
    name: 'orders',
    everyMs: sweepEveryMs,
    run: (mayGoOn) => syncPendingOrders(connected.shop, mayGoOn, failing),
  })
  const check = orderCheck(readiness)
  // The check has its own connection, because the pool's time limit is for pages.
  const checkOnce = () => void withOwnConnection(check).catch((error) => reportError(error))
  checkOnce()
  const checks = setInterval(checkOnce, checkEveryMs).unref()
  const stopWatch = backgroundWork.add({
    name: 'missed payment events',
    everyMs: watchEveryMs,
    run: createMissedEventsJob(connected.shop),
  })
  const stopFiles = backgroundWork.add({
    name: 'receipt files',
    everyMs: keepFilesEveryMs,
    run: keepReceiptFiles(db),
  })

  return async () => {
    clearInterval(checks)
    await stopFiles()
    await stopWatch()
    await stopSweep()
    connected.close()
  }
}

/**
 * @param wakeEmailSender called after a mail was committed to the outbox; a command leaves it to the
 * running product.
 * @returns null while `PAYMENTS` is off.
 */
export async function connectShop(
  database: Database,
  wakeEmailSender = () => {},
): Promise<{ shop: Shop; close(): void } | null> {
  if (env.PAYMENTS === 'off') {
    return null
  }

  const taxRates = requireTaxRates(env.TAX_RATES)
  const { provider, close } = await openProvider()
  const connected = {
    db: database,
    provider,
    publicUrl: env.PUBLIC_URL,
    // Getters, because an owner may change both while the product runs.
    get currency() {
      return siteCurrency()
    },
    get seller() {
      return siteSeller()
    },
    taxRates,
    refundDays: { withdrawal: env.WITHDRAWAL_DAYS, refund: env.REFUND_DAYS },
    waiver: readWaiver(),
    wakeEmailSender,
  }

  return { shop: connected, close }
}

function readWaiver(): Waiver | null {
  if (env.WITHDRAWAL_WAIVER === 'off' || env.WITHDRAWAL_DAYS === 0) {
    return null
  }

  return { text: env.WITHDRAWAL_WAIVER_TEXT, isRequired: env.WITHDRAWAL_WAIVER === 'required' }
}

function requireTaxRates(text: string) {
  const rates = parseTaxRates(text)
  if (!rates) {
    throw new StartError('TAX_RATES: expected countries with percents, like DE=19 AT=20 *=0')
  }

  return rates
}

async function openProvider(): Promise<{ provider: PaymentProvider; close(): void }> {
  if (samplePayments) {
    return openSampleProvider(samplePayments)
  }

  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
  } = env

  if (!secretKey || !webhookSecret) {
    throw new StartError('PAYMENTS=stripe needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
  }

  const allowLaterPayment = env.PAY_LATER
  const provider = await createStripeProvider({
    name: 'stripe',
    secretKey,
    webhookSecret,
    apiUrl,
    allowLaterPayment,
  })

  return { provider, close: () => {} }
}

/** Stripe's library talks to a port that only this machine reaches. */
async function openSampleProvider(sample: SamplePayments) {
  if (!isLoopback) {
    throw new StartError(
      'PAYMENTS=sample works on a loopback address only, because its payments are not real.',
    )
  }

  const server = createServer(getRequestListener(sample.api().fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { webhookSecret } = sample
  const provider = await createStripeProvider({
    name: 'sample',
    secretKey: 'sk_sample',
    webhookSecret,
    apiUrl,
  })

  return { provider, close: () => void server.close() }
}
