/** Reads the payments from their form, and describes them for the desk, which never gets a key. */
import { sql } from 'drizzle-orm'
import {
  decryptKeys,
  encryptKey,
  findPaymentProblem,
  getKeyLabels,
  isTestKey,
  type StoredKey,
} from '~/features/orders/payments/payment-settings.server'
import { parseTaxRates } from '~/features/orders/receipts/tax'
import type { Statements } from '~/server/database/client.server'
import { env, isLoopback } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import { currentSite, paymentMode } from '~/server/site/site.server'
import type { SiteValues } from '~/server/site/site-values'
import { byCount, formatNumber } from '~/ui/format-count'
import { type DeskChangeRequest, readText } from '../desk-form.server'
import { findLatestVersion } from './site-changes.server'

type Payments = SiteValues['payments']
type StoredKeys = NonNullable<Payments['keys']>
type KeyName = keyof StoredKeys

const paymentModes = ['off', 'sample', 'stripe'] as const

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
  const mode = paymentModes.find((name) => name === readText(request, 'mode'))
  if (mode === undefined) {
    return failure('Choose how courses are paid for.', 'mode')
  }

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

  const payments = combineKeys(mode, secretKey.value, webhookSecret.value)
  if (!payments.ok) {
    return payments
  }

  const problem =
    findForgottenWebhookSecret(request, savedKeys, payments.value) ??
    (await findUnsettledProblem(request, payments.value))
  return problem ?? payments
}

/**
 * Refuses a live key with the webhook secret for tests, and the other way round. Stripe signs the events
 * of its test mode with a secret of their own.
 */
function findForgottenWebhookSecret(
  request: DeskChangeRequest,
  savedKeys: StoredKeys | null,
  { keys }: Payments,
) {
  if (savedKeys === null || keys === null || readText(request, 'webhookSecret') !== '') {
    return null
  }

  const hasModeChanged = isTestKey(savedKeys.secretKey.label) !== isTestKey(keys.secretKey.label)
  return hasModeChanged
    ? failure(
        'Stripe’s test mode and live mode have different webhook secrets. Write the other one, too.',
        'webhookSecret',
      )
    : null
}

/**
 * Refuses another provider or another secret key while money is on its way, because payments and refunds
 * are unknown to another account. The owner can confirm the change, for example because the key was
 * stolen, or because it is only another key of the same account.
 */
async function findUnsettledProblem(request: DeskChangeRequest, { mode, keys }: Payments) {
  if (request.form.get('confirmUnsettled') === 'on') {
    return null
  }

  const version = await findLatestVersion(request.transaction, 'payments')
  const saved = version?.value as Payments | null | undefined
  const isSameProvider =
    mode === (saved?.mode ?? 'off') &&
    keys?.secretKey.encrypted === saved?.keys?.secretKey.encrypted
  if (isSameProvider) {
    return null
  }

  const count = await countUnsettled(request.transaction)
  if (count === 0) {
    return null
  }

  return failure(
    byCount(
      count,
      '1 payment or refund isn’t settled yet. Wait for it, or confirm below that you change the payments anyway.',
      `${formatNumber(count)} payments and refunds aren’t settled yet. Wait for them, or confirm below that you change the payments anyway.`,
    ),
    'mode',
  )
}

/** Counts the payments on pages that can still be paid, bank debits on their way, and unfinished refunds. */
async function countUnsettled(db: Pick<Statements, 'execute'>): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select (
      (
        select count(*)
        from payments
        where state = 'processing'
          or (state = 'started' and session_id is not null and expires_at > now())
      )
      + (select count(*) from refunds where state in ('requested', 'pending'))
    )::int as count`)

  const [row] = rows
  if (!row) {
    throw new Error('The count of unsettled payments returned no row.')
  }

  return row.count
}

/** Stripe needs both keys. Otherwise there are both keys, or none. */
function combineKeys(
  mode: Payments['mode'],
  secretKey: StoredKey | null,
  webhookSecret: StoredKey | null,
): Result<Payments> {
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
export async function describePayments(db: Pick<Statements, 'execute'>) {
  const savedKeys = currentSite().payments?.keys ?? null
  const areKeysReadable = savedKeys !== null && (await decryptKeys(savedKeys)) !== null

  return {
    mode: paymentMode(),
    /** Null if no keys are saved, or if they can't be decrypted. */
    savedKeyLabels: areKeysReadable ? getKeyLabels(savedKeys) : null,
    problem: await findPaymentProblem(),
    unsettledCount: await countUnsettled(db),
    canUseSample: isLoopback,
    webhookUrl: `${env.PUBLIC_URL}/payments/events`,
  }
}
