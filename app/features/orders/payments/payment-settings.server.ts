/**
 * How courses are paid for, and the keys of Stripe. An operator sets them in the environment, or an
 * owner at the desk.
 *
 * Keys from the desk are stored encrypted with the product's secret (`secrets.json` or
 * `AUTH_SECRET`), which is not in the database, so that a copy of the database does not reveal
 * them. The desk shows only the label of a key. After a restore with another secret, the stored
 * keys can't be decrypted: courses stay for sale, nothing can be paid for, and the desk asks for
 * the keys again.
 */
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { createEncryptionKey } from '~/features/accounts/secret-rotation.server'
import type { Database } from '~/server/database/client.server'
import { siteVersions } from '~/server/database/schema'
import { env, isLoopback, StartError } from '~/server/env.server'
import { loadSecret } from '~/server/operations/secrets.server'
import { findSiteValue, paymentMode } from '~/server/site/site.server'
import { parseSiteValue, type SiteValues } from '~/server/site/site-values'

export type StripeKeys = { secretKey: string; webhookSecret: string }

type Payments = SiteValues['payments']
type StoredKeys = NonNullable<Payments['keys']>
export type StoredKey = StoredKeys['secretKey']

/**
 * Returns the keys of Stripe in effect, or null if stored keys can't be decrypted.
 *
 * @throws {StartError} if the operator has not set both keys
 */
export async function findStripeKeys(): Promise<StripeKeys | null> {
  const payments = findSiteValue('payments')
  if (payments !== null) {
    return payments.keys && decryptKeys(payments.keys)
  }

  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (!secretKey || !webhookSecret) {
    throw new StartError('PAYMENTS=stripe needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.')
  }

  return { secretKey, webhookSecret }
}

/**
 * Returns why nothing can be paid for or refunded although an owner has turned payments on, or null
 * if nothing is wrong. With wrong settings of the operator, the product does not start at all.
 */
export async function findPaymentProblem(): Promise<string | null> {
  const payments = findSiteValue('payments')
  if (payments?.mode === 'sample' && !isLoopback) {
    return 'Sample payments work on a loopback address only, because they are not real.'
  }

  if (payments?.mode === 'stripe' && payments.keys === null) {
    return 'The keys of Stripe were removed, so no refund can be sent.'
  }

  if (payments?.mode === 'stripe' && (await findStripeKeys()) === null) {
    return 'The saved keys of Stripe can’t be decrypted, because this server has another secret than the one that encrypted them.'
  }

  return null
}

/** Returns null if one of the keys can't be decrypted. */
export async function decryptKeys(keys: StoredKeys): Promise<StripeKeys | null> {
  const encryptionKey = await loadEncryptionKey()
  const decrypt = ({ encrypted }: StoredKey) =>
    symmetricDecrypt({ key: encryptionKey, data: encrypted }).catch(() => null)

  const secretKey = await decrypt(keys.secretKey)
  const webhookSecret = await decrypt(keys.webhookSecret)

  return secretKey !== null && webhookSecret !== null ? { secretKey, webhookSecret } : null
}

/** Encrypts a key that an owner has entered at the desk. */
export async function encryptKey(key: string): Promise<StoredKey> {
  const encrypted = await symmetricEncrypt({ key: await loadEncryptionKey(), data: key })
  return { encrypted, label: getKeyLabel(key) }
}

async function loadEncryptionKey() {
  const secret = await loadSecret(env.DATA_DIR, env.AUTH_SECRET)
  return createEncryptionKey(secret, env.AUTH_SECRET_FORMER)
}

/**
 * Encrypts the stored keys with the current secret, so that a replaced secret can be removed from
 * `AUTH_SECRET_FORMER`. Several processes may do this at once. A value that changes meanwhile is
 * left as it is.
 */
export async function reencryptStoredKeys(db: Database): Promise<void> {
  const [row] = await db
    .select()
    .from(siteVersions)
    .where(eq(siteVersions.part, 'payments'))
    .orderBy(desc(siteVersions.version))
    .limit(1)
  const payments = parseSiteValue('payments', row?.value) as Payments | null
  const keys = payments?.keys && (await decryptKeys(payments.keys))
  if (!row || !keys) {
    return
  }

  const reencryptedKeys = {
    secretKey: await encryptKey(keys.secretKey),
    webhookSecret: await encryptKey(keys.webhookSecret),
  }
  await db
    .update(siteVersions)
    .set({ value: { ...payments, keys: reencryptedKeys } })
    .where(
      and(
        eq(siteVersions.part, 'payments'),
        eq(siteVersions.version, row.version),
        sql`${siteVersions.value} = ${JSON.stringify(row.value)}::jsonb`,
      ),
    )
}

/** Keys that are shorter have no label, because its last four characters would reveal too much. */
const minLabeledLength = 20

/** Returns the kind of a key and its last four characters, like `sk_test_...1234`. */
function getKeyLabel(key: string): string {
  const [prefix = ''] = /^(?:(?:sk|rk)_(?:live|test)|whsec)_/.exec(key) ?? []
  const end = key.length < minLabeledLength ? '' : key.slice(-4)
  return `${prefix}...${end}`
}

export type KeyLabels = { secretKey: string; webhookSecret: string }

/** Returns the labels of the keys in effect, or null if there are none. */
export function findKeyLabels(): KeyLabels | null {
  const payments = findSiteValue('payments')
  if (payments !== null) {
    return payments.keys && getKeyLabels(payments.keys)
  }

  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env
  if (!secretKey || !webhookSecret) {
    return null
  }

  return { secretKey: getKeyLabel(secretKey), webhookSecret: getKeyLabel(webhookSecret) }
}

/** Returns the labels that were stored together with the keys. */
export function getKeyLabels({ secretKey, webhookSecret }: StoredKeys): KeyLabels {
  return { secretKey: secretKey.label, webhookSecret: webhookSecret.label }
}

/** Returns whether a secret key takes no real money. Its label is enough to tell. */
export function isTestKey(keyLabel: string): boolean {
  return /^(sk|rk)_test_/.test(keyLabel)
}

/** Returns whether learners pay at Stripe without real money. */
export function isInTestMode(): boolean {
  const labels = findKeyLabels()
  return paymentMode() === 'stripe' && labels !== null && isTestKey(labels.secretKey)
}
