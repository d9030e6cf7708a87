/**
 * The school's shop: it connects the payment provider with the settings, and runs the background
 * jobs about orders. While payments are off, there is no shop and nothing is for sale. While sales
 * are paused, the shop is open for earlier orders. An owner can change the payments at the desk
 * while the server runs.
 */
import { isDeepStrictEqual } from 'node:util'
import { accountService } from '~/features/accounts/account-service.server'
import { type Database, db, withOwnConnection } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { reportError } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import {
  findSiteValue,
  onSiteRefresh,
  paymentMode,
  refreshSite,
  siteCurrency,
  siteSeller,
} from '~/server/site/site.server'
import { createOrderCheck } from './check-orders.server'
import { openFailingProvider } from './payments/failing-provider.server'
import { createMissedEventsJob } from './payments/missed-events-job.server'
import type { ConnectedProvider, PaymentProvider } from './payments/payment-provider.server'
import {
  findPaymentProblem,
  findStripeKeys,
  reencryptStoredKeys,
} from './payments/payment-settings.server'
import { openSampleProvider } from './payments/sample-payments/sample-provider.server'
import { checkSecretKey } from './payments/stripe-client.server'
import { openStripeProvider } from './payments/stripe-provider.server'
import { syncPendingOrders } from './payments/sync-orders-job.server'
import { createReceiptFilesJob } from './receipts/receipt-files.server'
import { parseTaxRates } from './receipts/tax'
import { currentRefundPeriods, currentTaxRates, currentWaiver } from './sale-rules.server'
import type { Shop } from './shop.server'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/**
 * The shop of the running server, or null while payments are off. Set before the server listens.
 */
export let currentShop: Shop | null = null

type Close = () => Promise<void>

/**
 * Opens the shop and starts its background jobs. From then on, it opens another shop whenever an
 * owner has changed the payments.
 *
 * @returns a function that closes the shop and stops its jobs
 */
export async function openShop(): Promise<Close> {
  if (env.AUTH_SECRET_FORMER.length > 0) {
    await reencryptStoredKeys(db)
    await refreshSite(db)
  }

  let openedPayments = findSiteValue('payments')
  let closeShop = await openCurrentShop()
  let previousShopsClosed = Promise.resolve()

  const applyChange = async () => {
    const payments = findSiteValue('payments')
    if (isDeepStrictEqual(payments, openedPayments)) {
      return
    }

    const closePreviousShop = closeShop
    closeShop = await openCurrentShop()
    openedPayments = payments

    // Nobody waits for the jobs of the previous shop, which may still talk to its provider.
    previousShopsClosed = previousShopsClosed
      .then(closePreviousShop)
      .catch((error) => reportError(error))
  }

  // One change is applied after the other. After a failure, the previous shop stays open.
  let changes = Promise.resolve()
  const followChange = () => {
    changes = changes.then(applyChange).catch((error) => reportError(error))
    return changes
  }

  const stopFollowing = onSiteRefresh(followChange)
  // An owner may have changed the payments while the shop was being opened.
  await followChange()

  return async () => {
    stopFollowing()
    await changes
    await previousShopsClosed
    await closeShop()
  }
}

/** Opens the shop and starts its background jobs if payments are on. */
async function openCurrentShop(): Promise<Close> {
  const connection = await connectShop(db, () => accountService.wakeEmailSender())
  const problem = await findPaymentProblem()
  readiness.setWarning('payments', problem && 'Payments don’t work. The desk says why.')

  currentShop = connection?.shop ?? null
  if (connection === null) {
    return async () => {}
  }

  const { shop, close: disconnectShop } = connection
  const failingOrderIds = new Set<string>()
  const stopSync = backgroundWork.schedule({
    name: 'orders',
    intervalMs: 10 * secondMs,
    run: (mayContinue) => syncPendingOrders(shop, mayContinue, failingOrderIds),
  })
  const stopMissedEvents = backgroundWork.schedule({
    name: 'missed payment events',
    intervalMs: 5 * minuteMs,
    run: createMissedEventsJob(shop),
  })
  const stopReceiptFiles = backgroundWork.schedule({
    name: 'receipt files',
    intervalMs: minuteMs,
    run: createReceiptFilesJob(db),
  })
  const stopChecks = startOrderChecks()
  const stopKeyChecks = startKeyChecks()

  return async () => {
    stopChecks()
    stopKeyChecks()
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
 * Every process asks Stripe itself whether it still accepts the key, because each one may show the
 * page that says so.
 */
function startKeyChecks(): () => void {
  const checkKey = async () => {
    const keys = paymentMode() === 'stripe' ? await findStripeKeys() : null
    if (keys !== null) {
      await checkSecretKey(keys.secretKey)
    }
  }

  const check = () => void checkKey().catch((error) => reportError(error))
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
  const mode = paymentMode()
  if (mode === 'off') {
    return null
  }

  requireTaxRates(env.TAX_RATES)
  const { provider, close } = await openProvider(mode)
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
    get currentRefundPeriods() {
      return currentRefundPeriods()
    },
    get waiver() {
      return currentWaiver()
    },
    wakeEmailSender,
  }

  return { shop, close }
}

async function openProvider(name: PaymentProvider['name']): Promise<ConnectedProvider> {
  const problem = await findPaymentProblem()
  if (problem !== null) {
    return openFailingProvider(name, problem)
  }

  return name === 'sample' ? openSampleProvider() : openStripeProvider()
}

function requireTaxRates(text: string): void {
  if (parseTaxRates(text) === null) {
    throw new StartError('TAX_RATES: expected countries with percents, like DE=19 AT=20 *=0')
  }
}
