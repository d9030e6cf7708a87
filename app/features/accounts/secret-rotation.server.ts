/**
 * Replaces `AUTH_SECRET` without locking anyone out.
 *
 * The current secret encrypts. Replaced secrets, listed in `AUTH_SECRET_FORMER`, still decrypt. At
 * the start, the secrets of authenticator apps are encrypted again with the current secret, so that
 * the replaced secret can be removed from the settings. better-auth decrypts with replaced secrets,
 * but never encrypts stored values again, so a replaced secret would have to be kept forever.
 */
import { createHash } from 'node:crypto'
import {
  formatEnvelope,
  type SecretConfig,
  symmetricDecrypt,
  symmetricEncrypt,
} from 'better-auth/crypto'
import { and, asc, eq, gt, not, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { twoFactor } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'

const batchSize = 500

/**
 * Encrypts the secrets of authenticator apps with the current secret. Several processes may do this
 * at once. A row that changes meanwhile is left as it is.
 */
export async function reencryptAppSecrets({
  db,
  encryptionKey: key,
}: {
  db: Database
  encryptionKey: SecretConfig
}): Promise<void> {
  const currentPrefix = formatEnvelope(key.currentVersion, '')
  const isCurrent = sql`starts_with(${twoFactor.secret}, ${currentPrefix})`
  let previousUid = ''
  let hasMoreRows = true
  while (hasMoreRows) {
    const rows = await db
      .select({ uid: twoFactor.uid, secret: twoFactor.secret })
      .from(twoFactor)
      .where(and(gt(twoFactor.uid, previousUid), not(isCurrent)))
      .orderBy(asc(twoFactor.uid))
      .limit(batchSize)

    for (const row of rows) {
      await reencryptAppSecret(db, key, row)
      previousUid = row.uid
    }

    hasMoreRows = rows.length === batchSize
  }
}

async function reencryptAppSecret(
  db: Database,
  key: SecretConfig,
  { uid, secret }: { uid: string; secret: string },
): Promise<void> {
  const decrypted = await symmetricDecrypt({ key, data: secret }).catch(() => null)
  if (decrypted === null) {
    // The learner signs in with a recovery code, or an operator turns two-step sign-in off.
    log.warn('an authenticator app’s secret was encrypted by a secret that isn’t in the settings')
    return
  }

  const reencrypted = await symmetricEncrypt({ key, data: decrypted })
  await db
    .update(twoFactor)
    .set({ secret: reencrypted })
    .where(and(eq(twoFactor.uid, uid), eq(twoFactor.secret, secret)))
}

/**
 * Returns the secrets in the form that better-auth encrypts with. The version of a secret is stored
 * with everything that it encrypts.
 *
 * @param secrets the current secret first
 */
export function toVersionedSecrets(secrets: readonly string[]) {
  return secrets.map((value) => ({ version: getSecretVersion(value), value }))
}

/** Derives a secret's version from the secret itself, so that the settings need no numbers. */
function getSecretVersion(secret: string): number {
  return createHash('sha256').update(secret).digest().readUInt32BE() >>> 1
}

/**
 * Returns the key for the secrets of authenticator apps. The current secret encrypts; previous
 * secrets still decrypt.
 */
export function createEncryptionKey(
  secret: string,
  previousSecrets: readonly string[] = [],
): SecretConfig {
  const secrets = [secret, ...previousSecrets]
  return {
    keys: new Map(secrets.map((value) => [getSecretVersion(value), value])),
    currentVersion: getSecretVersion(secret),
    // Values without a version were encrypted with the oldest secret.
    legacySecret: previousSecrets.at(-1) ?? secret,
  }
}
