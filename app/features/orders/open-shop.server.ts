/**
 * The school's shop: it connects the payment provider with the settings, and runs the background jobs
 * about orders. While the setting PAYMENTS is 'off', there is no shop and nothing is for sale.
 */
import { accountService } from '~/features/accounts/account-service.server'
import { type Database, db, withOwnConnection } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { reportError } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import { siteCurrency, siteSeller } from '~/server/site/site.server'
import { createOrderCheck } from './check-orders.server'
import { createMissedEventsJob } from './payments/missed-events-job.server'
import type { ConnectedProvider, PaymentProvider } from './payments/payment-provider.server'
import { openSampleProvider } from './payments/sample-payments/sample-provider.server'
import { openStripeProvider } from './payments/stripe-provider.server'
import { syncPendingOrders } from './payments/sync-orders-job.server'
import { createReceiptFilesJob } from './receipts/receipt-files.server'
import { parseTaxRates } from './receipts/tax'
import { currentRefundDays, currentTaxRates, currentWaiver } from './sale-rules.server'
import type { Shop } from './shop.server'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/** The shop of the running server, or null while payments are off. Set before the server listens. */
export let currentShop: Shop | null = null

/** Opens the shop and starts its background jobs. @returns a function that stops them */
export async function openShop(): Promise<() => Promise<void>> {
  const connection = await connectShop(db, () => accountService.wakeEmailSender())
  if (connection === null) {
    return async () => {}
  }

  const { shop, close: disconnectShop } = connection
  currentShop = shop

  const failingOrderIds = new Set<string>()
  const stopSync = backgroundWork.schedule({
    name: 'orders',
    everyMs: 10 * secondMs,
    run: (mayContinue) => syncPendingOrders(shop, mayContinue, failingOrderIds),
  })
  const stopMissedEvents = backgroundWork.schedule({
    name: 'missed payment events',
    everyMs: 5 * minuteMs,
    run: createMissedEventsJob(shop),
  })
  const stopReceiptFiles = backgroundWork.schedule({
    name: 'receipt files',
    everyMs: minuteMs,
    run: createReceiptFilesJob(db),
  })
  const stopChecks = startOrderChecks()

  return async () => {
    stopChecks()
    await stopReceiptFiles()
    await stopMissedEvents()
    await stopSync()
    disconnectShop()
  }
}

/** Every process checks the orders itself, because each one has a log and metrics of its own. */
function startOrderChecks(): () => void {
  const checkOrders = createOrderCheck(readiness)
  // The check uses its own connection, because queries of the pool have the time limit of pages.
  const check = () => void withOwnConnection(checkOrders).catch((error) => reportError(error))

  check()
  const timer = setInterval(check, 5 * minuteMs).unref()
  return () => clearInterval(timer)
}

/**
 * Connects the shop without background jobs. An operator's command uses it, too.
 *
 * @param wakeEmailSender is called after an email was committed to the outbox
 * @returns null while payments are off
 * @throws {StartError} if a setting is wrong
 */
export async function connectShop(
  database: Database,
  wakeEmailSender = () => {},
): Promise<{ shop: Shop; close(): void } | null> {
  if (env.PAYMENTS === 'off') {
    return null
  }

  requireTaxRates(env.TAX_RATES)
  const { provider, close } = await openProviderByName[env.PAYMENTS]()
  const shop: Shop = {
    db: database,
    provider,
    publicUrl: env.PUBLIC_URL,
    // These are getters, because an owner may change them while the server runs.
    get currency() {
      return siteCurrency()
    },
    get seller() {
      return siteSeller()
    },
    get taxRates() {
      return currentTaxRates()
    },
    get refundDays() {
      return currentRefundDays()
    },
    get waiver() {
      return currentWaiver()
    },
    wakeEmailSender,
  }

  return { shop, close }
}

/** Every payment provider, by the value of the setting PAYMENTS that selects it. */
const openProviderByName: Record<PaymentProvider['name'], () => Promise<ConnectedProvider>> = {
  stripe: openStripeProvider,
  sample: openSampleProvider,
}

function requireTaxRates(text: string): void {
  if (parseTaxRates(text) === null) {
    throw new StartError('TAX_RATES: expected countries with percents, like DE=19 AT=20 *=0')
  }
}
