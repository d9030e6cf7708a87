import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AwsClient } from 'aws4fetch'
import { env } from '../env.server'
import type { Environment } from '../operations/settings/settings.server'

/** The store of uploads. File names are generated here, never a learner's. */
export type FileStore = {
  /** Stored for good once this resolves. */
  write(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  read(name: string): Promise<Buffer | null>
  /** A file that is gone already is fine. */
  remove(name: string): Promise<void>
  /** @throws {Error} while nothing can be stored. */
  check(): Promise<void>
}

const safeName = /^[a-z]+\/[A-Za-z0-9_-]{22,}\.webp$/
const addressStart = '/files/'

/** Random and unguessable. @param folder one lower-case word, for example `photos`. */
export function newFileName(folder: string): string {
  return `${folder}/${randomBytes(18).toString('base64url')}.webp`
}

/**
 * The address of a stored file, the same for every kind of store: pages never link to another host.
 */
export function fileAddress(name: string): string {
  return addressStart + name
}

/** @returns the name behind an address of this product's, or null for any other address. */
export function fileNameOf(address: string | null): string | null {
  const name = address?.startsWith(addressStart) ? address.slice(addressStart.length) : ''
  return safeName.test(name) ? name : null
}

export function openFileStore(settings: Environment): FileStore {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = settings
  // Set together or not at all.
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return localStore(path.join(settings.DATA_DIR, 'files'))
  }

  const credentials = {
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    region: S3_REGION,
  }

  return s3Store(`${S3_ENDPOINT.replace(/\/+$/, '')}/${S3_BUCKET}`, credentials)
}

function localStore(folder: string): FileStore {
  const place = (name: string) => {
    if (!safeName.test(name)) {
      throw new Error('Not the name of a stored file.')
    }

    return path.join(folder, name)
  }

  return {
    async write(name, bytes) {
      const file = place(name)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const half = `${file}.${randomBytes(6).toString('hex')}.part`
      const handle = await open(half, 'wx', 0o600)
      try {
        await handle
          .writeFile(bytes)
          .then(() => handle.sync())
          .finally(() => handle.close())
        await rename(half, file)
      } catch (error) {
        // On a full disk, halves would be the last straw.
        await rm(half, { force: true }).catch(() => {})
        throw error
      }
    },
    async read(name) {
      return safeName.test(name) ? readFile(place(name)).catch(nothingThere) : null
    },
    remove: (name) => rm(place(name), { force: true }),
    async check() {
      const probe = path.join(folder, `.probe-${process.pid}`)
      await writeFile(probe, 'x')
      await rm(probe, { force: true })
    },
  }
}

function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') {
    return null
  }

  throw error
}

const patienceMs = 15_000
type S3Credentials = { accessKeyId: string; secretAccessKey: string; region: string }

/** Path-style addresses, which every S3-compatible store understands. */
function s3Store(base: string, credentials: S3Credentials): FileStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 2 })
  function ask(
    method: string,
    url: string,
    body?: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) {
    // The signature covers the body's hash, so a body that was changed in transit is refused.
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signed = { ...headers, 'x-amz-content-sha256': hash }

    return client.fetch(url, {
      method,
      headers: signed,
      body,
      // Photos go only to the host in the settings.
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
  }

  async function send(
    method: string,
    name: string,
    body?: Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ) {
    if (!safeName.test(name)) {
      throw new Error('Not the name of a stored file.')
    }

    const response = await ask(method, `${base}/${name}`, body, headers)
    if (!response.ok && response.status !== 404) {
      await response.body?.cancel()
      throw new Error(`The file store answered ${method} with status ${response.status}.`)
    }

    return response
  }

  return {
    async write(name, bytes, contentType) {
      const response = await send('PUT', name, new Uint8Array(bytes), {
        'content-type': contentType,
      })
      await response.body?.cancel()
      if (!response.ok) {
        throw new Error('The file store has no such bucket.')
      }
    },
    async read(name) {
      if (!safeName.test(name)) {
        return null
      }

      const response = await send('GET', name)
      if (response.ok) {
        return Buffer.from(await response.arrayBuffer())
      }

      await response.body?.cancel()

      return null
    },
    async remove(name) {
      await (await send('DELETE', name)).body?.cancel()
    },
    async check() {
      const { ok, status } = await ask('HEAD', base)
      if (!ok) {
        throw new Error(`The file store answered for its bucket with status ${status}.`)
      }
    },
  }
}

/** The product's one store. */
export const fileStore = openFileStore(env)
