import {
  decryptKeys,
  findPaymentProblem,
  getKeyLabels,
} from '~/features/orders/payments/payment-settings.server'
import { findKeyRefusal } from '~/features/orders/payments/stripe-client.server'
import type { Statements } from '~/server/database/client.server'
import { env, isLoopback } from '~/server/env.server'
import { areSalesPaused, currentSite, paymentMode } from '~/server/site/site.server'
import { hasOrder } from './currency-change.server'
import { countUnsettledPayments } from './unsettled-payments.server'

/** Returns what the site page shows about the payments in effect. The page never gets a key. */
export async function loadPaymentSummary(db: Pick<Statements, 'execute'>) {
  const savedKeys = currentSite().payments?.keys ?? null
  const mode = paymentMode()

  return {
    mode,
    isPaused: areSalesPaused(),
    canBeOff: mode === 'off' || !(await hasOrder(db)),
    savedKeyLabels: savedKeys && getKeyLabels(savedKeys),
    areKeysReadable: savedKeys !== null && (await decryptKeys(savedKeys)) !== null,
    problem: (await findPaymentProblem()) ?? (await findKeyRefusal()),
    unsettledCount: await countUnsettledPayments(db),
    canUseSample: isLoopback,
    webhookUrl: `${env.PUBLIC_URL}/payments/events`,
  }
}
