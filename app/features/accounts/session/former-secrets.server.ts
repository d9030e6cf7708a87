import { createHash } from 'node:crypto'
import type { SecretConfig } from 'better-auth/crypto'

/**
 * The secrets as better-auth encrypts with them: each has a number of its own, which is stored with what it encrypts. The first
 * one is the current one.
 */
export function versionedSecrets(secrets: readonly string[]) {
  return secrets.map((value) => ({ version: versionOf(value), value }))
}

const versionOf = (secret: string) => createHash('sha256').update(secret).digest().readUInt32BE() >>> 1

/** What this product encrypts itself: the secrets of authenticator apps. The first secret encrypts, and each one decrypts. */
export function encryptionKey(secret: string, former: readonly string[] = []): SecretConfig {
  const keys = new Map([secret, ...former].map((value) => [versionOf(value), value]))
  // Without a number of its secret, a value was encrypted by the oldest one.
  return { keys, currentVersion: versionOf(secret), legacySecret: former.at(-1) ?? secret }
}
