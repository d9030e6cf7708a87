/**
 * The Ed25519 keys that sign credentials are in `DATA_DIR/secrets/certificate-keys.json`, newest
 * first. Only the newest key has its private part and signs. The public keys of the others stay,
 * because they verify the certificates that they signed.
 */

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { base58 } from '@scure/base'
import * as z from 'zod'
import { env, StartError } from '~/server/env.server'

export type SigningKey = { publicKeyMultibase: string; createdAt: string; privateKey: KeyObject }

/**
 * Returns the key that signs now. The first call ever creates it.
 *
 * @throws {StartError} if the file exists but cannot be read: a new key in its place would make the
 * issued certificates unverifiable
 */
export async function getSigningKey(dataDir = env.DATA_DIR): Promise<SigningKey> {
  const [newestKey] = await readOrCreateKeys(dataDir)
  if (!newestKey?.privateKey) {
    throw new StartError(`The first key in ${getKeysFilePath(dataDir)} has no private part.`)
  }

  const der = Buffer.from(newestKey.privateKey, 'base64')

  return { ...newestKey, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
}

/** Returns every public key that ever signed, newest first. */
export async function listPublicKeys(dataDir = env.DATA_DIR): Promise<string[]> {
  const keys = await readOrCreateKeys(dataDir)
  return keys.map((key) => key.publicKeyMultibase)
}

/**
 * Creates a new signing key and deletes the private parts of the previous ones.
 *
 * @returns the new public key
 */
export async function rotateSigningKey(dataDir = env.DATA_DIR): Promise<string> {
  const previousKeys = await readOrCreateKeys(dataDir)
  const newKey = generateKey()
  const publicKeys = previousKeys.map(({ privateKey: _deleted, ...publicKey }) => publicKey)

  const temporaryFile = await writeTemporaryFile(dataDir, [newKey, ...publicKeys])
  await rename(temporaryFile, getKeysFilePath(dataDir))

  return newKey.publicKeyMultibase
}

const keysFileSchema = z.object({
  keys: z
    .array(
      z.object({
        /** The Ed25519 public key as a multibase Multikey. It also identifies the key. */
        publicKeyMultibase: z.string().startsWith('z6Mk'),
        createdAt: z.iso.datetime(),
        /** PKCS #8 in base64. */
        privateKey: z.string().optional(),
      }),
    )
    .min(1),
})

type StoredKey = z.infer<typeof keysFileSchema>['keys'][number]

async function readOrCreateKeys(dataDir: string): Promise<StoredKey[]> {
  return (await readKeys(dataDir)) ?? (await createFirstKey(dataDir))
}

/** Returns null if the file does not exist. */
async function readKeys(dataDir: string): Promise<StoredKey[] | null> {
  const file = getKeysFilePath(dataDir)
  try {
    return keysFileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).keys
  } catch (error) {
    if (isErrorWithCode(error, 'ENOENT')) {
      return null
    }

    throw new StartError(
      `Can't read the certificate keys in ${file}. Restore the file from a backup.`,
    )
  }
}

/**
 * Creates the file with its first key. The file is linked into place when it is complete. If
 * several processes start at once, only one of the links succeeds and every process uses that key.
 */
async function createFirstKey(dataDir: string): Promise<StoredKey[]> {
  const temporaryFile = await writeTemporaryFile(dataDir, [generateKey()])
  try {
    await link(temporaryFile, getKeysFilePath(dataDir))
  } catch (error) {
    if (!isErrorWithCode(error, 'EEXIST')) {
      throw error
    }
  } finally {
    await rm(temporaryFile, { force: true })
  }

  const keys = await readKeys(dataDir)
  if (!keys) {
    throw new StartError(`Can't save a certificate key in ${getKeysFilePath(dataDir)}.`)
  }

  return keys
}

/** @returns the path of the written file */
async function writeTemporaryFile(dataDir: string, keys: StoredKey[]): Promise<string> {
  const temporaryFile = `${getKeysFilePath(dataDir)}.${randomBytes(6).toString('hex')}`
  await mkdir(path.dirname(temporaryFile), { recursive: true, mode: 0o700 })
  await writeFile(temporaryFile, JSON.stringify({ keys }, null, 2), { mode: 0o600, flush: true })

  return temporaryFile
}

function getKeysFilePath(dataDir: string): string {
  return path.join(dataDir, 'secrets', 'certificate-keys.json')
}

function isErrorWithCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}

/** The multicodec prefix of an Ed25519 public key. */
const ed25519Prefix = [0xed, 0x01]
const ed25519KeyLength = 32

function generateKey(): StoredKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const publicKeyBytes = publicKey
    .export({ format: 'der', type: 'spki' })
    .subarray(-ed25519KeyLength)
  const multikeyBytes = Uint8Array.from([...ed25519Prefix, ...publicKeyBytes])

  return {
    publicKeyMultibase: `z${base58.encode(multikeyBytes)}`,
    createdAt: new Date().toISOString(),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}
