import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { base58 } from '@scure/base'
import * as z from 'zod'
import { env, StartError } from '~/server/env.server'

/**
 * `DATA_DIR/secrets/certificate-keys.json`, newest key first. Only the newest one signs and has its
 * private part.
 */
const keysFile = z.object({
  keys: z
    .array(
      z.object({
        /** Ed25519 public key as multibase Multikey; also the key's name. */
        publicKeyMultibase: z.string().startsWith('z6Mk'),
        createdAt: z.iso.datetime(),
        /** PKCS #8, base64. */
        privateKey: z.string().optional(),
      }),
    )
    .min(1),
})

type StoredKey = z.infer<typeof keysFile>['keys'][number]
export type SigningKey = { publicKeyMultibase: string; createdAt: string; privateKey: KeyObject }

const fileOf = (dataDir: string) => path.join(dataDir, 'secrets', 'certificate-keys.json')

/**
 * The key that signs now. It is made once, when the first certificate is opened, and stored with
 * the data.
 *
 * @throws {StartError} if the file is there but cannot be read: certificates already given out
 * would not verify any more.
 */
export async function getSigningKey(dataDir = env.DATA_DIR): Promise<SigningKey> {
  const [newest] = await listKeys(dataDir)
  if (!newest?.privateKey) {
    throw new StartError(`The first key in ${fileOf(dataDir)} has no private part.`)
  }

  const der = Buffer.from(newest.privateKey, 'base64')

  return { ...newest, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
}

/** Every public key that ever signed, newest first: old certificates go on verifying. */
export async function listPublicKeys(dataDir = env.DATA_DIR): Promise<string[]> {
  return (await listKeys(dataDir)).map((key) => key.publicKeyMultibase)
}

/**
 * From now on a new key signs. The old public keys stay published, their private parts are
 * forgotten.
 */
export async function rotateSigningKey(dataDir = env.DATA_DIR): Promise<string> {
  const old = await listKeys(dataDir)
  const made = makeKey()
  const keys = [made, ...old.map(({ privateKey: _forgotten, ...key }) => key)]
  await rename(await writeDraft(dataDir, keys), fileOf(dataDir))

  return made.publicKeyMultibase
}

async function listKeys(dataDir: string): Promise<StoredKey[]> {
  return (await readKeys(dataDir)) ?? (await makeFirstKey(dataDir))
}

async function readKeys(dataDir: string): Promise<StoredKey[] | null> {
  const file = fileOf(dataDir)
  try {
    return keysFile.parse(JSON.parse(await readFile(file, 'utf8'))).keys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null
    }

    throw new StartError(
      `Can't read the certificate keys in ${file}. Restore the file from a backup.`,
    )
  }
}

/**
 * Writes the file completely or not at all; if several processes start at once, the first one's key
 * counts.
 */
async function makeFirstKey(dataDir: string): Promise<StoredKey[]> {
  const draft = await writeDraft(dataDir, [makeKey()])
  try {
    await link(draft, fileOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error
    }
  } finally {
    await rm(draft, { force: true })
  }

  const keys = await readKeys(dataDir)
  if (!keys) {
    throw new StartError(`Can't save a certificate key in ${fileOf(dataDir)}.`)
  }

  return keys
}

async function writeDraft(dataDir: string, keys: StoredKey[]): Promise<string> {
  const draft = `${fileOf(dataDir)}.${randomBytes(6).toString('hex')}`
  await mkdir(path.dirname(draft), { recursive: true, mode: 0o700 })
  await writeFile(draft, JSON.stringify({ keys }, null, 2), { mode: 0o600, flush: true })

  return draft
}

/** Multicodec of an Ed25519 public key. */
const ed25519Prefix = [0xed, 0x01]

function makeKey(): StoredKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)

  return {
    publicKeyMultibase: `z${base58.encode(Uint8Array.from([...ed25519Prefix, ...raw]))}`,
    createdAt: new Date().toISOString(),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}
