import { createReadStream, createWriteStream } from 'node:fs'
import { type Duplex, pipeline, promises, Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import type { Decrypter, Encrypter } from 'age-encryption'
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar'
import { StartError } from '../../env.server'
import { countLines, type StoredTable } from './tables.server'

/**
 * An archive is a tar file that is compressed with gzip and encrypted in the age format. It has
 * these entries, in this order:
 *
 * - learnify-backup.json is an `ArchiveHead`.
 * - secrets.json, secrets/NAME and files/NAME are the secrets and the learners' photos.
 * - tables.json lists the tables and their columns.
 * - tables/NAME/000001.copy and the following ones have the rows in COPY's text format, in whole
 *   lines.
 * - manifest.json has the counts of everything before it. An archive without this entry is
 *   incomplete.
 *
 * The age format authenticates every byte and the end of the file, so the archive needs no
 * checksums.
 */

/**
 * The version of the format. It grows when older versions of the product can't read new archives.
 */
export const archiveFormat = 2

export type ArchiveHead = {
  format: number
  /** The version of the product that made the archive. */
  learnify: string
  /**
   * The time at which the newest migration of the tables was written, in milliseconds since 1970.
   */
  migration: number
  startedAt: string
}

export type ArchiveManifest = {
  /** When the snapshot of the tables was taken. */
  takenAt: string
  tables: Record<string, { rows: number }>
  /** The number of photos and secrets. */
  files: { rows: number }
  /** The number of photos that rows refer to, but the file store does not have. */
  missingFiles: number
}

/** Adds an entry to an archive. */
export type AddEntry = (name: string, bytes: Uint8Array) => Promise<void>

/**
 * Writes an archive that only its owner can read. When the promise resolves, the archive is on
 * disk.
 *
 * @param addEntries adds the entries, one after the other. If it throws, writing ends with its
 *   error.
 * @returns the result of `addEntries`
 */
export async function writeArchive<Result>(
  file: string,
  encrypter: Encrypter,
  addEntries: (add: AddEntry) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { readable, controller } = createTarPacker()
  const mtime = new Date()
  const add: AddEntry = async (name, bytes) => {
    const writer = controller.add({ name, size: bytes.length, mode: 0o600, mtime }).getWriter()
    await writer.write(bytes)
    await writer.close()
  }

  const encrypted = await encrypter.encrypt(pipeThrough(createGzip(), readable))
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  const encryptedStream = Readable.fromWeb(encrypted as ReadableStream)
  const writePromise = promises.pipeline(encryptedStream, output, { signal })
  const addPromise = addEntries(add).then(
    (result) => {
      controller.finalize()
      return result
    },
    (error) => {
      controller.error(error)
      throw error
    },
  )

  // When one of the promises fails, the other one ends with the same error.
  await Promise.allSettled([writePromise, addPromise])
  await writePromise

  return addPromise
}

export type ArchiveContents = {
  head: ArchiveHead
  manifest: ArchiveManifest
  tables: StoredTable[]
}
type ArchivePart =
  | { kind: 'head'; head: ArchiveHead }
  | { kind: 'file'; name: string; bytes: Buffer }
  | { kind: 'rows'; table: StoredTable; lines: Buffer }
  | ({ kind: 'end' } & ArchiveContents)

/**
 * Reads an archive from beginning to end, and compares its contents with the counts in its
 * manifest. The contents can't be trusted before the part `end`.
 *
 * @throws {StartError} with the archive's problem
 */
export async function* readArchive(
  file: string,
  decrypter: Decrypter,
): AsyncGenerator<ArchivePart> {
  try {
    yield* readParts(file, decrypter)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (error instanceof StartError || syscall) {
      throw error
    }

    throw new StartError(
      message.startsWith('no identity matched')
        ? `${file} can’t be opened with this key: it was encrypted with a different one.`
        : `${file} isn’t a Learnify archive, or it is damaged or cut off. Nothing of it can be trusted.`,
    )
  }
}

async function* readParts(file: string, decrypter: Decrypter): AsyncGenerator<ArchivePart> {
  let fileCount = 0
  const tables = new Map<string, CountedTable>()
  let head: ArchiveHead | undefined
  let manifest: ArchiveManifest | undefined
  for await (const { name, bytes } of readEntries(file, decrypter)) {
    if (!head) {
      head = requireHead(name, bytes)
      yield { kind: 'head', head }
    } else if (name === 'tables.json') {
      const description: { tables: StoredTable[] } = JSON.parse(bytes.toString())
      for (const table of description.tables) {
        tables.set(table.name, { table, rows: 0 })
      }
    } else if (name === 'manifest.json') {
      manifest = JSON.parse(bytes.toString())
    } else if (name.startsWith('tables/')) {
      const countedTable = findDescribedTable(tables, name)
      countedTable.rows += countLines(bytes)
      yield { kind: 'rows', table: countedTable.table, lines: bytes }
    } else {
      fileCount += 1
      yield { kind: 'file', name, bytes }
    }
  }

  if (!head || !manifest) {
    throw new StartError('The archive has no end, so nothing of it can be trusted.')
  }

  requireCompleteContents(manifest, tables, fileCount)
  yield { kind: 'end', head, manifest, tables: [...tables.values()].map(({ table }) => table) }
}

type CountedTable = { table: StoredTable; rows: number }

function findDescribedTable(tables: Map<string, CountedTable>, entryName: string): CountedTable {
  const table = tables.get(entryName.split('/')[1] ?? '')
  if (!table) {
    throw new StartError(`The archive has rows of a table that it doesn’t describe: ${entryName}.`)
  }

  return table
}

/** @throws {StartError} unless the archive has as many rows and files as its manifest says */
function requireCompleteContents(
  manifest: ArchiveManifest,
  tables: Map<string, CountedTable>,
  fileCount: number,
): void {
  for (const [name, { rows }] of tables) {
    if (rows !== manifest.tables[name]?.rows) {
      throw new StartError(`The archive doesn’t have the rows of the table ${name} that it says.`)
    }
  }

  if (fileCount !== manifest.files.rows) {
    throw new StartError('The archive doesn’t have the files that it says.')
  }
}

/**
 * Rows come in parts of about a megabyte, and photos are smaller. A larger entry would fill the
 * memory.
 */
const maxEntryBytes = 256 * 1024 * 1024

async function* readEntries(file: string, decrypter: Decrypter) {
  const encrypted = ReadableStream.from(createReadStream(file)) as ByteStream
  const decrypted = await decrypter.decrypt(encrypted)
  const archive = pipeThrough(createGunzip(), decrypted).pipeThrough(
    createTarDecoder({ strict: true }),
  )
  for await (const { header, body } of archive as ReadableStream<ParsedTarEntry>) {
    if (header.size > maxEntryBytes) {
      throw new StartError('The archive has a part that is larger than any of Learnify’s.')
    }

    yield { name: header.name, bytes: Buffer.from(await new Response(body).arrayBuffer()) }
  }
}

type ByteStream = globalThis.ReadableStream<Uint8Array>

/**
 * Pipes a web stream through one of Node's transforms. It does not use `CompressionStream` and
 * `Readable.toWeb`, because they throw uncaught errors when their reader leaves early.
 */
function pipeThrough(transform: Duplex, stream: ByteStream): ByteStream {
  return ReadableStream.from(
    pipeline(Readable.fromWeb(stream as ReadableStream), transform, () => {}),
  ) as ByteStream
}

function requireHead(name: string, bytes: Buffer): ArchiveHead {
  if (name !== 'learnify-backup.json') {
    throw new StartError('The archive isn’t a Learnify backup.')
  }

  const head: ArchiveHead = JSON.parse(bytes.toString())
  if (head.format <= archiveFormat) {
    return head
  }

  throw new StartError(
    `The archive was made by a newer version of Learnify (${head.learnify}). Restore it with that one.`,
  )
}
