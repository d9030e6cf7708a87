import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import type { Decrypter, Encrypter } from 'age-encryption'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { StartError } from '../env.server'

/** Adds a file to the archive; a name is a path without folders above. */
export type AddEntry = (name: string, bytes: Uint8Array) => Promise<void>
/** Rows come in pieces of about a megabyte; more than this would only fill the memory. */
const mostBytes = 256 * 1024 * 1024
type Entry = { name: string; read(): Promise<Buffer> }

/**
 * Writes a tar archive, compressed and encrypted, piece by piece. The file is on disk when this resolves, and is only
 * readable by its owner.
 *
 * @param fill adds the entries; an error of its own ends everything.
 */
export async function writeArchive(file: string, encrypter: Encrypter, fill: (add: AddEntry) => Promise<void>) {
  const { readable, controller } = createTarPacker()
  const modifiedAt = new Date()
  const add: AddEntry = async (name, bytes) => {
    const entry = controller.add({ name, size: bytes.length, mode: 0o600, mtime: modifiedAt })
    const writer = entry.getWriter()
    await writer.write(bytes)
    await writer.close()
  }
  const gzip = createGzip()
  const encrypted = await encrypter.encrypt(toWeb(gzip))
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const filled = fill(add).then(
    () => controller.finalize(),
    (error) => {
      controller.error(error)
      throw error
    },
  )
  await allOf([filled, pipeline(fromWeb(readable), gzip), pipeline(fromWeb(encrypted), output)])
}

/** Waits for all of them, so that nothing goes on after a failure; the first one's error is the cause of the others'. */
async function allOf(parts: Promise<unknown>[]): Promise<void> {
  let first: { error: unknown } | undefined
  for (const part of parts) {
    part.catch((error) => {
      first ??= { error }
    })
  }
  await Promise.allSettled(parts)
  if (first) throw first.error
}

/**
 * The entries of an archive, in their order.
 *
 * @throws {StartError} if it can't be opened with this key, or if it isn't whole.
 */
export async function* readArchive(file: string, decrypter: Decrypter): AsyncGenerator<Entry> {
  const input = createReadStream(file, { highWaterMark: 256 * 1024 })
  const encrypted = toWeb(input)
  const decrypted = await decrypter.decrypt(encrypted).catch((error: NodeJS.ErrnoException) => {
    input.destroy()
    throw unopened(file, error)
  })
  const gunzip = createGunzip()
  const opened = pipeline(fromWeb(decrypted), gunzip)
  opened.catch(() => {})
  const entries = toWeb(gunzip).pipeThrough(createTarDecoder({ strict: true }))
  const reader = entries.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(damaged(file))
      if (done) break
      if (value.header.size > mostBytes)
        throw new StartError(`${file} has a part that is larger than any of Learnify’s.`)
      const body = () => new Response(value.body).arrayBuffer().catch(damaged(file))
      yield { name: value.header.name, read: async () => Buffer.from(await body()) }
    }
    // What is behind the last entry is checked, too.
    await opened.catch(damaged(file))
  } finally {
    await reader.cancel().catch(() => {})
    input.destroy()
  }
}

function unopened(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return new StartError(`There’s no file ${file}.`)
  if (error.code === 'EISDIR') return new StartError(`${file} is a folder, not an archive.`)
  if (error.code) return error
  if (/no identity matched/.test(error.message)) {
    return new StartError(`${file} can’t be opened with this key: it was encrypted with a different one.`)
  }
  return new StartError(`${file} can’t be opened: it isn’t a Learnify archive, or its beginning is damaged.`)
}

function damaged(file: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code?.startsWith('E')) throw error
    throw new StartError(`${file} is damaged or cut off, so nothing of it can be trusted.`)
  }
}

/** Unlike `Readable.toWeb`, whose reader may leave at any time: a part that still comes then doesn't end the program. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return NodeReadableStream.from(stream) as ReadableStream<Uint8Array>
}

function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as NodeReadableStream<Uint8Array>)
}
