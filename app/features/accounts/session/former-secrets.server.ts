import { createHash } from 'node:crypto'

/**
 * The secrets as better-auth encrypts with them: each has a number of its own, which is stored with what it encrypts. The first
 * one is the current one.
 */
export function versionedSecrets(secrets: readonly string[]) {
  return secrets.map((value) => ({ version: createHash('sha256').update(value).digest().readUInt32BE() >>> 1, value }))
}
