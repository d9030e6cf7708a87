import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import type { ClientBase } from 'pg'
import { connectionError, isDatabaseError } from '../../database/connection-error.server'
import { listMigrations, migrateTo } from '../../database/migrate.server'
import { StartError } from '../../env.server'
import { type FileStore, fileNameOf } from '../../files/files.server'
import { type ArchiveContents, type ArchiveHead, readArchive } from './archive.server'
import { listPhotos, secretName } from './backup.server'
import { countRows, listTables, openForLoading, openSession, writeRows } from './tables.server'

type RestoreTarget = {
  /** Of an empty database. */
  databaseUrl: string
  /** For photos. */
  files: FileStore
  /** For secrets. */
  dataDir: string
  /** Another folder of migrations than the product's, for tests. */
  migrations?: string
}
/** @param skipped tables of the archive that this product doesn't have. */
type Restored = ArchiveContents & { skipped: string[] }

/**
 * Restores everything, or nothing: the rows are committed when each table has as many as the
 * archive says.
 *
 * @param signal interrupts it before the next part of the archive.
 * @throws {StartError} with a sentence; then the database is as it was, and no file is left.
 */
export async function restoreArchive(
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
  signal?: AbortSignal,
): Promise<Restored> {
  const session = await openSession(target.databaseUrl, 'restore')
  const names: string[] = []
  try {
    await session.query('begin')
    const restored = await restoreInto(session, readArchive(file, decrypter), target, names, signal)
    await session.query('commit')
    return restored
  } catch (error) {
    for (const name of names) await removeFile(target, name)
    if (signal?.aborted) throw new StartError('The restore was interrupted. Nothing was restored.')
    throw isDatabaseError(error) ? connectionError(error, target.databaseUrl) : error
  } finally {
    // Rolls back an uncommitted transaction.
    await session.end()
  }
}

/** @param names gets the names of the files that are written. */
async function restoreInto(
  session: ClientBase,
  archive: ReturnType<typeof readArchive>,
  target: RestoreTarget,
  names: string[],
  signal: AbortSignal | undefined,
): Promise<Restored> {
  let known = new Set<string>()
  let addReferences = async () => {}
  let contents!: ArchiveContents
  for await (const part of archive) {
    signal?.throwIfAborted()
    if (part.kind === 'head') {
      requireKnownMigration(part.head, target.migrations)
      await migrateTo(session, part.head.migration, target.migrations)
      const tables = await listTables(session)
      known = new Set(tables.map(({ name }) => name))
      addReferences = await openForLoading(session, tables)
    } else if (part.kind === 'file') {
      requireKnownName(part.name)
      names.push(part.name)
      await writeAndReadBack(target, part.name, part.bytes)
    } else if (part.kind === 'rows') {
      if (known.has(part.table.name)) await writeRows(session, part.table, part.lines)
    } else {
      contents = part
    }
  }
  await addReferences()

  for (const table of contents.tables.filter(({ name }) => known.has(name))) {
    signal?.throwIfAborted()
    if ((await countRows(session, table)) === contents.manifest.tables[table.name]?.rows) continue
    throw new StartError(`The table ${table.name} doesn’t have the rows of the archive. Nothing was restored.`)
  }
  await removeUnnamedPhotos(session, target, names)
  return { ...contents, skipped: contents.tables.map(({ name }) => name).filter((name) => !known.has(name)) }
}

function requireKnownMigration({ migration, learnify }: ArchiveHead, folder?: string): void {
  const known = listMigrations(folder)
  if (known.includes(migration)) return
  throw new StartError(
    migration > Math.max(...known)
      ? `The archive was made by a newer version of Learnify (${learnify}). Restore it with that one.`
      : 'The archive was made by an unreleased version of Learnify, whose tables this one doesn’t know.',
  )
}

/** @returns the name in the file store, or null for a secret. */
const photoOf = (name: string) => fileNameOf(`/${name}`)

/** Archives can be forged with the public key, so no file name may lead out of the folder. */
function requireKnownName(name: string): void {
  const isSecret = name === 'secrets.json' || (name.startsWith('secrets/') && secretName.test(name.slice(8)))
  if (isSecret || photoOf(name)) return
  throw new StartError(`The archive has a file that this version of Learnify doesn’t know: ${name}.`)
}

async function writeAndReadBack({ files, dataDir }: RestoreTarget, name: string, bytes: Buffer): Promise<void> {
  const photo = photoOf(name)
  const place = path.join(dataDir, name)
  if (photo) {
    await files.write(photo, bytes, 'image/webp')
  } else {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    await writeFile(place, bytes, { mode: 0o600, flush: true })
  }
  if ((photo ? await files.read(photo) : await readFile(place))?.equals(bytes)) return
  throw new StartError(`The file ${name} can’t be read back as the archive has it. Nothing was restored.`)
}

async function removeFile({ files, dataDir }: RestoreTarget, name: string): Promise<void> {
  const photo = photoOf(name)
  if (photo) await files.remove(photo)
  else await rm(path.join(dataDir, name), { force: true })
}

/** Removes photos that learners replaced or deleted during the backup. */
async function removeUnnamedPhotos(session: ClientBase, target: RestoreTarget, names: readonly string[]) {
  const named = await listPhotos(session)
  for (const photo of names.map(photoOf)) if (photo && !named.has(photo)) await target.files.remove(photo)
}
