/**
 * Reads the payments form of the owner: how courses are paid for, and the keys of Stripe.
 *
 * Changes that would make ordered courses free, or lose money that is on its way, are refused.
 * Other changes that stop sales, or that change the provider, need a confirmation.
 */
import { sql } from 'drizzle-orm'
import {
  decryptKeys,
  encryptKey,
  isTestKey,
  type StoredKey,
} from '~/features/orders/payments/payment-settings.server'
import { checkSecretKey } from '~/features/orders/payments/stripe-client.server'
import { parseTaxRates } from '~/features/orders/receipts/tax'
import type { Statements } from '~/server/database/client.server'
import { env, isLoopback } from '~/server/env.server'
import { failure, type Result, success } from '~/server/result'
import type { SiteValues } from '~/server/site/site-values'
import { byCount, formatNumber } from '~/ui/format-count'
import { type DeskChangeRequest, type DeskFormRequest, readText } from '../desk-form.server'
import {
  hasOrder,
  hasPricesWithOtherDecimalPlaces,
  lockCurrencyAndPayments,
} from './currency-change.server'
import { findLatestVersion } from './site-changes.server'
import { countUnsettledPayments } from './unsettled-payments.server'

type Payments = SiteValues['payments']
type StoredKeys = NonNullable<Payments['keys']>
type KeyName = keyof StoredKeys

/** What an owner can choose. Sales can be paused only after payments were turned on. */
const paymentChoices = ['off', 'paused', 'sample', 'stripe'] as const
type PaymentChoice = (typeof paymentChoices)[number]

/**
 * The pattern of each key, and the message for a text that doesn't match it. Stripe has no other
 * kinds of secret keys than `sk` and restricted keys, `rk`.
 */
const keyRules: Record<KeyName, { pattern: RegExp; message: string }> = {
  secretKey: {
    pattern: /^(?:sk|rk)_(?:live|test)_\w{12,300}$/,
    message:
      'Write Stripe’s secret key, which begins with sk_live_, sk_test_, rk_live_ or rk_test_.',
  },
  webhookSecret: {
    pattern: /^whsec_[\w+/=-]{12,300}$/,
    message: 'Write the signing secret of the webhook, which begins with whsec_.',
  },
}

/**
 * Reads how courses are paid for, and the keys. A saved key whose field is empty stays as it is.
 */
export async function readPayments(request: DeskChangeRequest): Promise<Result<unknown>> {
  await lockCurrencyAndPayments(request)

  const saved = await findSavedPayments(request.transaction)
  const chosenMode = readMode(request, saved)
  if (!chosenMode.ok) {
    return chosenMode
  }

  if (
    chosenMode.value.mode !== 'off' &&
    (await hasPricesWithOtherDecimalPlaces(request.transaction))
  ) {
    return failure(
      'The prices of the courses have not been read in the new currency yet. Try again in a few seconds. If that doesn’t help, have the operator run npm run content check.',
    )
  }

  const stopSellingProblem = await findStopSellingProblem(request, saved)
  if (stopSellingProblem !== null) {
    return stopSellingProblem
  }

  const savedKeys = request.form.get('remove') === 'on' ? null : saved.keys
  const keys = await readKeys(request, chosenMode.value, savedKeys)
  if (!keys.ok) {
    return keys
  }

  const payments: Payments = { ...chosenMode.value, keys: keys.value }
  const problem =
    findWebhookSecretProblem(request, savedKeys, payments) ??
    (await findUnsettledPaymentsProblem(request, saved, payments))
  return problem ?? success(payments)
}

/**
 * Asks Stripe about the secret key of the form or, if the owner chooses Stripe and keeps the saved
 * key, about that one. The caller does it before the transaction, which must not wait for Stripe.
 *
 * @returns null if there is no key to ask about
 */
export async function checkSubmittedKey(
  request: DeskFormRequest,
): Promise<Awaited<ReturnType<typeof checkSecretKey>> | null> {
  const enteredKey = readText(request, 'secretKey')
  if (keyRules.secretKey.pattern.test(enteredKey)) {
    return checkSecretKey(enteredKey)
  }

  const keepsKey = enteredKey === '' && request.form.get('remove') !== 'on'
  const { keys: savedKeys } = await findSavedPayments(request.db)
  if (readChoice(request) !== 'stripe' || !keepsKey || savedKeys === null) {
    return null
  }

  const keys = await decryptKeys(savedKeys)
  return keys === null ? null : checkSecretKey(keys.secretKey)
}

/** Returns the payments in effect. An owner who has saved none has those of the environment. */
async function findSavedPayments(db: Pick<Statements, 'execute'>): Promise<Payments> {
  const version = await findLatestVersion(db, 'payments')
  const saved = version?.value as Payments | null | undefined
  return saved ?? { mode: env.PAYMENTS, keys: null }
}

type ChosenMode = Pick<Payments, 'mode' | 'isPaused'>

/** Reads how courses are paid for. While sales are paused, the provider stays the same. */
function readMode(request: DeskChangeRequest, saved: Payments): Result<ChosenMode> {
  const choice = readChoice(request)
  const isPausedWithoutProvider = choice === 'paused' && saved.mode === 'off'
  if (choice === null || isPausedWithoutProvider) {
    return failure('Choose how courses are paid for.', 'mode')
  }

  if (choice === 'sample' && !isLoopback) {
    return failure(
      'Sample payments work on a loopback address only, because they are not real.',
      'mode',
    )
  }

  if (choice !== 'off' && parseTaxRates(env.TAX_RATES) === null) {
    return failure('The operator has to correct TAX_RATES first.')
  }

  return success(choice === 'paused' ? { mode: saved.mode, isPaused: true } : { mode: choice })
}

function readChoice(request: DeskFormRequest): PaymentChoice | null {
  return paymentChoices.find((choice) => choice === readText(request, 'mode')) ?? null
}

/**
 * Refuses to make courses free once there is an order. Asks for a confirmation before courses
 * become free, and before they can't be bought any more.
 */
async function findStopSellingProblem(request: DeskChangeRequest, saved: Payments) {
  const choice = readChoice(request)
  if (choice === 'off' && saved.mode !== 'off' && (await hasOrder(request.transaction))) {
    return failure(
      'There is an order, so courses with a price don’t become free. Pause sales, or change the prices of the courses.',
      'mode',
    )
  }

  const isOn = saved.mode !== 'off'
  const makesCoursesFree = choice === 'off' && isOn
  const pausesSales = choice === 'paused' && isOn && !saved.isPaused
  const needsConfirmation = makesCoursesFree || pausesSales
  if (!needsConfirmation || request.form.get('confirmStop') === 'on') {
    return null
  }

  const count = await countCoursesForSale(request.transaction)
  if (count === 0) {
    return null
  }

  return failure(
    makesCoursesFree ? describeFreeCourses(count) : describePausedCourses(count),
    'mode',
  )
}

const describeFreeCourses = (count: number) =>
  byCount(
    count,
    '1 course with a price becomes free. Confirm it below.',
    `${formatNumber(count)} courses with a price become free. Confirm it below.`,
  )

const describePausedCourses = (count: number) =>
  byCount(
    count,
    '1 course with a price can’t be bought while sales are paused. Confirm it below.',
    `${formatNumber(count)} courses with a price can’t be bought while sales are paused. Confirm it below.`,
  )

async function countCoursesForSale(db: Pick<Statements, 'execute'>): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count
    from courses
    where published and price_cents > 0`)

  const [row] = rows
  if (!row) {
    throw new Error('The count of courses for sale returned no row.')
  }

  return row.count
}

/**
 * Refuses a live key with the webhook secret for tests, and the other way round. Stripe signs the
 * events of its test mode with a secret of their own.
 */
function findWebhookSecretProblem(
  request: DeskChangeRequest,
  savedKeys: StoredKeys | null,
  { keys }: Payments,
) {
  if (savedKeys === null || keys === null || readText(request, 'webhookSecret') !== '') {
    return null
  }

  const isOtherStripeMode = isTestKey(savedKeys.secretKey.label) !== isTestKey(keys.secretKey.label)
  return isOtherStripeMode
    ? failure(
        'Stripe’s test mode and live mode have different webhook secrets. Write the other one, too.',
        'webhookSecret',
      )
    : null
}

/**
 * Refuses another provider or another secret key while money is on its way, because payments and
 * refunds are unknown to another account. The owner can confirm the change, for example because the
 * key was stolen, or because it is only another key of the same account.
 */
async function findUnsettledPaymentsProblem(
  request: DeskChangeRequest,
  saved: Payments,
  { mode, keys }: Payments,
) {
  if (request.form.get('confirmUnsettled') === 'on') {
    return null
  }

  const isSameProvider = mode === saved.mode
  const isSameKey = keys?.secretKey.encrypted === saved.keys?.secretKey.encrypted
  if (isSameProvider && isSameKey) {
    return null
  }

  const count = await countUnsettledPayments(request.transaction)
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

/**
 * Reads both keys. Stripe needs them, unless sales are paused. Without Stripe, there are both keys
 * or none.
 */
async function readKeys(
  request: DeskChangeRequest,
  { mode, isPaused }: ChosenMode,
  savedKeys: StoredKeys | null,
): Promise<Result<StoredKeys | null>> {
  const needsKeys = mode === 'stripe' && !isPaused
  const canDecryptSavedKeys = savedKeys !== null && (await decryptKeys(savedKeys)) !== null
  // While no keys are needed, keys that can't be decrypted are kept, because the operator may bring
  // back the secret that decrypts them.
  const keptKeys = needsKeys && !canDecryptSavedKeys ? null : savedKeys

  const secretKey = await readKey(request, 'secretKey', keptKeys)
  if (!secretKey.ok) {
    return secretKey
  }

  const webhookSecret = await readKey(request, 'webhookSecret', keptKeys)
  if (!webhookSecret.ok) {
    return webhookSecret
  }

  if (secretKey.value !== null && webhookSecret.value !== null) {
    return success({ secretKey: secretKey.value, webhookSecret: webhookSecret.value })
  }

  const isOneKeyMissing = secretKey.value !== null || webhookSecret.value !== null
  if (needsKeys || isOneKeyMissing) {
    const name = secretKey.value === null ? 'secretKey' : 'webhookSecret'
    return failure(keyRules[name].message, name)
  }

  return success(null)
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

  const { pattern, message } = keyRules[name]
  return pattern.test(key) ? success(await encryptKey(key)) : failure(message, name)
}
