import { createHash } from 'node:crypto'
import type { SecretConfig } from 'better-auth/crypto'

/**
 * The secrets as better-auth encrypts with them: each has a number of its own, which is stored with
 * what it encrypts. The first one is the current one.
 */
export function versionedSecrets(secrets: readonly string[]) {
  return secrets.map((value) => ({ version: versionOf(value), value }))
}

const versionOf = (secret: string) =>
  createHash('sha256').update(secret).digest().readUInt32BE() >>> 1

/**
 * The key for the secrets of authenticator apps. The current secret encrypts; former ones still
 * decrypt.
 */
export function encryptionKey(secret: string, former: readonly string[] = []): SecretConfig {
  const keys = new Map([secret, ...former].map((value) => [versionOf(value), value]))
  // Values without a key version were encrypted with the oldest secret.
  return { keys, currentVersion: versionOf(secret), legacySecret: former.at(-1) ?? secret }
}
