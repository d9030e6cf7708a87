import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AwsClient } from 'aws4fetch'
import { env } from '../env.server'
import type { Environment } from '../operations/settings/settings.server'

/**
 * Stores uploads, either in `DATA_DIR/files` or in S3-compatible storage. The names of the files
 * are generated here, and never come from a learner.
 */
export type FileStore = {
  /** Stores a file. When the promise resolves, the file is on disk or in S3. */
  write(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  read(name: string): Promise<Buffer | null>
  /** Removes a file. It succeeds, too, if there is no such file. */
  remove(name: string): Promise<void>
  /** @throws {Error} if no file can be stored at the moment */
  check(): Promise<void>
}

const fileNamePattern = /^[a-z]+\/[A-Za-z0-9_-]{22,}\.webp$/
const urlPrefix = '/files/'

/**
 * Returns a random name, which can't be guessed.
 *
 * @param folder one lower-case word, for example `photos`
 */
export function createFileName(folder: string): string {
  return `${folder}/${randomBytes(18).toString('base64url')}.webp`
}

/**
 * Returns the URL of a stored file. It is on the product's own host even for S3, because pages
 * never load anything from another host.
 */
export function getFileUrl(name: string): string {
  return urlPrefix + name
}

/** Returns the name of the file that a URL of `getFileUrl` leads to, or null for any other URL. */
export function parseFileUrl(url: string | null): string | null {
  const name = url?.startsWith(urlPrefix) ? url.slice(urlPrefix.length) : ''
  return fileNamePattern.test(name) ? name : null
}

/** Opens the store in S3 if it is set up, and otherwise the one in `DATA_DIR`. */
export function openFileStore(settings: Environment): FileStore {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = settings
  // The settings are set together or not at all.
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    return createLocalStore(path.join(settings.DATA_DIR, 'files'))
  }

  const credentials = {
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    region: S3_REGION,
  }

  return createS3Store(`${S3_ENDPOINT.replace(/\/+$/, '')}/${S3_BUCKET}`, credentials)
}

function createLocalStore(folder: string): FileStore {
  const getPath = (name: string) => {
    if (!fileNamePattern.test(name)) {
      throw new Error('Not the name of a stored file.')
    }

    return path.join(folder, name)
  }

  return {
    async write(name, bytes) {
      const file = getPath(name)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const partFile = `${file}.${randomBytes(6).toString('hex')}.part`
      const handle = await open(partFile, 'wx', 0o600)
      try {
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }

        await rename(partFile, file)
      } catch (error) {
        // An incomplete file would take space on a disk that is probably full.
        await rm(partFile, { force: true }).catch(() => {})
        throw error
      }
    },
    async read(name) {
      return fileNamePattern.test(name) ? readFile(getPath(name)).catch(returnNullIfMissing) : null
    },
    remove: (name) => rm(getPath(name), { force: true }),
    async check() {
      const probe = path.join(folder, `.probe-${process.pid}`)
      await writeFile(probe, 'x')
      await rm(probe, { force: true })
    },
  }
}

function returnNullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') {
    return null
  }

  throw error
}

const s3TimeoutMs = 15_000
type S3Credentials = { accessKeyId: string; secretAccessKey: string; region: string }

/** Uses path-style URLs, which every S3-compatible store understands. */
function createS3Store(bucketUrl: string, credentials: S3Credentials): FileStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 2 })
  function sendRequest(
    method: string,
    url: string,
    body?: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) {
    // The signature covers the hash of the body, so the store refuses a body that was changed on
    // the way.
    const bodyHash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signedHeaders = { ...headers, 'x-amz-content-sha256': bodyHash }

    return client.fetch(url, {
      method,
      headers: signedHeaders,
      body,
      // A redirect is not followed, so that photos go only to the host in the settings.
      redirect: 'manual',
      signal: AbortSignal.timeout(s3TimeoutMs),
    })
  }

  /**
   * Sends a request for one file. A response with status 404 is returned; other failures throw an
   * error.
   */
  async function sendFileRequest(
    method: string,
    name: string,
    body?: Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ) {
    if (!fileNamePattern.test(name)) {
      throw new Error('Not the name of a stored file.')
    }

    const response = await sendRequest(method, `${bucketUrl}/${name}`, body, headers)
    if (!response.ok && response.status !== 404) {
      await response.body?.cancel()
      throw new Error(`The file store answered ${method} with status ${response.status}.`)
    }

    return response
  }

  return {
    async write(name, bytes, contentType) {
      const response = await sendFileRequest('PUT', name, new Uint8Array(bytes), {
        'content-type': contentType,
      })
      await response.body?.cancel()
      if (!response.ok) {
        throw new Error('The file store has no such bucket.')
      }
    },
    async read(name) {
      if (!fileNamePattern.test(name)) {
        return null
      }

      const response = await sendFileRequest('GET', name)
      if (response.ok) {
        return Buffer.from(await response.arrayBuffer())
      }

      await response.body?.cancel()

      return null
    },
    async remove(name) {
      const response = await sendFileRequest('DELETE', name)
      await response.body?.cancel()
    },
    async check() {
      const { ok, status } = await sendRequest('HEAD', bucketUrl)
      if (!ok) {
        throw new Error(`The file store answered for its bucket with status ${status}.`)
      }
    },
  }
}

/** The store of this product. */
export const fileStore = openFileStore(env)
