/** Reads the payments from their form, and describes them for the desk, which never gets a key. */
import {
  decryptKeys,
  encryptKey,
  findPaymentProblem,
  getKeyLabels,
  type StoredKey,
} from '~/features/orders/payments/payment-settings.server'
import { parseTaxRates } from '~/features/orders/receipts/tax'
import { env, isLoopback } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import { currentSite, paymentMode } from '~/server/site/site.server'
import type { SiteValues } from '~/server/site/site-values'
import { type DeskChangeRequest, readText } from '../desk-form.server'
import { findLatestVersion } from './site-changes.server'

type Payments = SiteValues['payments']
type StoredKeys = NonNullable<Payments['keys']>
type KeyName = keyof StoredKeys

/** The form of each key. Stripe has no other kinds of secret keys than `sk` and restricted keys, `rk`. */
const keyRules: Record<KeyName, { pattern: RegExp; problem: string }> = {
  secretKey: {
    pattern: /^(?:sk|rk)_(?:live|test)_\w{12,300}$/,
    problem:
      'Write Stripe’s secret key, which begins with sk_live_, sk_test_, rk_live_ or rk_test_.',
  },
  webhookSecret: {
    pattern: /^whsec_[\w+/=-]{12,300}$/,
    problem: 'Write the signing secret of the webhook, which begins with whsec_.',
  },
}

/** Reads how courses are paid, and the keys. A saved key whose field is empty stays as it is. */
export async function readPayments(request: DeskChangeRequest): Promise<Result<unknown>> {
  const mode = readText(request, 'mode')
  if (mode === 'sample' && !isLoopback) {
    return failure(
      'Sample payments work on a loopback address only, because they are not real.',
      'mode',
    )
  }

  if (mode !== 'off' && parseTaxRates(env.TAX_RATES) === null) {
    return failure('The operator has to correct TAX_RATES first.')
  }

  const savedKeys = await findKeptKeys(request)
  const secretKey = await readKey(request, 'secretKey', savedKeys)
  if (!secretKey.ok) {
    return secretKey
  }

  const webhookSecret = await readKey(request, 'webhookSecret', savedKeys)
  if (!webhookSecret.ok) {
    return webhookSecret
  }

  return combineKeys(mode, secretKey.value, webhookSecret.value)
}

/** Stripe needs both keys. Otherwise there are both keys, or none. */
function combineKeys(
  mode: string,
  secretKey: StoredKey | null,
  webhookSecret: StoredKey | null,
): Result<unknown> {
  if (secretKey !== null && webhookSecret !== null) {
    return success({ mode, keys: { secretKey, webhookSecret } })
  }

  const isOneKeyMissing = secretKey !== null || webhookSecret !== null
  if (mode === 'stripe' || isOneKeyMissing) {
    const name = secretKey === null ? 'secretKey' : 'webhookSecret'
    return failure(keyRules[name].problem, name)
  }

  return success({ mode, keys: null })
}

/**
 * Returns the saved keys, or null if there are none, if the owner removes them, or if they can't be
 * decrypted.
 */
async function findKeptKeys(request: DeskChangeRequest): Promise<StoredKeys | null> {
  const version = await findLatestVersion(request.transaction, 'payments')
  const payments = version?.value as Payments | null | undefined
  const keys = payments?.keys ?? null
  if (keys === null || request.form.get('remove') === 'on') {
    return null
  }

  return (await decryptKeys(keys)) && keys
}

/** Returns the entered key, the saved key if the field is empty, or null if there is none. */
async function readKey(
  request: DeskChangeRequest,
  name: KeyName,
  savedKeys: StoredKeys | null,
): Promise<Result<StoredKey | null>> {
  const key = readText(request, name)
  if (key === '') {
    return success(savedKeys === null ? null : savedKeys[name])
  }

  const { pattern, problem } = keyRules[name]
  return pattern.test(key) ? success(await encryptKey(key)) : failure(problem, name)
}

/** Returns what the desk shows about the payments. */
export async function describePayments() {
  const savedKeys = currentSite().payments?.keys ?? null
  const areKeysReadable = savedKeys !== null && (await decryptKeys(savedKeys)) !== null

  return {
    mode: paymentMode(),
    /** Null if no keys are saved, or if they can't be decrypted. */
    savedKeyLabels: areKeysReadable ? getKeyLabels(savedKeys) : null,
    problem: await findPaymentProblem(),
    canUseSample: isLoopback,
    webhookUrl: `${env.PUBLIC_URL}/payments/events`,
  }
}
