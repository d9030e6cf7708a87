import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import type { ClientBase } from 'pg'
import { createConnectionError, isDatabaseError } from '../../database/connection-error.server'
import { listMigrations, migrateEmptyDatabase } from '../../database/migrate.server'
import { StartError } from '../../env.server'
import { type FileStore, parseFileUrl } from '../../files/files.server'
import { type ArchiveContents, type ArchiveHead, readArchive } from './archive.server'
import { listPhotos, secretName } from './backup-source.server'
import { countRows, listTables, openSession, prepareForLoading, writeRows } from './tables.server'

type RestoreTarget = {
  /** The URL of an empty database. */
  databaseUrl: string
  /** The store of the photos. */
  files: FileStore
  /** The folder of the secrets, which has no photos and no secrets yet. */
  dataDir: string
  /** Another folder of migrations than the product's, for tests. */
  migrations?: string
}

type RestoredArchive = ArchiveContents & {
  /** The names of the archive's tables that this product does not have. */
  skipped: string[]
}

/**
 * Restores everything or nothing: the rows are committed once each table has as many rows as the
 * archive says. A failure may leave photos in S3, where the next restore writes them again.
 *
 * @param signal interrupts the restore before the next part of the archive
 * @throws {StartError} with a message for the operator; the database and the folder are then
 *   unchanged
 */
export async function restoreArchive(
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
  signal?: AbortSignal,
): Promise<RestoredArchive> {
  const session = await openSession(target.databaseUrl, 'restore')
  try {
    await session.query('begin')
    const restored = await restoreInto(session, readArchive(file, decrypter), target, signal)
    await session.query('commit')

    return restored
  } catch (error) {
    for (const name of ['files', 'secrets', 'secrets.json']) {
      await rm(path.join(target.dataDir, name), { recursive: true, force: true })
    }

    if (signal?.aborted) {
      throw new StartError('The restore was interrupted. Nothing was restored.')
    }

    throw isDatabaseError(error) ? createConnectionError(error, target.databaseUrl) : error
  } finally {
    // Rolls back an uncommitted transaction.
    await session.end()
  }
}

async function restoreInto(
  session: ClientBase,
  archive: ReturnType<typeof readArchive>,
  target: RestoreTarget,
  signal: AbortSignal | undefined,
): Promise<RestoredArchive> {
  let tableNames = new Set<string>()
  let addForeignKeys = async () => {}
  let contents: ArchiveContents | null = null
  const photos: string[] = []
  for await (const part of archive) {
    signal?.throwIfAborted()
    if (part.kind === 'head') {
      requireKnownMigration(part.head, target.migrations)
      await migrateEmptyDatabase(session, part.head.migration, target.migrations)
      const tables = await listTables(session)
      tableNames = new Set(tables.map(({ name }) => name))
      addForeignKeys = await prepareForLoading(session, tables)
    } else if (part.kind === 'file') {
      const photo = await writeFilePart(target, part.name, part.bytes)
      if (photo !== null) {
        photos.push(photo)
      }
    } else if (part.kind === 'end') {
      contents = part
    } else if (tableNames.has(part.table.name)) {
      await writeRows(session, part.table, part.lines)
    }
  }

  if (contents === null) {
    throw new Error('The archive ended without its last part.')
  }

  await addForeignKeys()
  const restoredTables = contents.tables.filter(({ name }) => tableNames.has(name))
  await requireAllRows(session, { ...contents, tables: restoredTables }, signal)
  await removeUnusedPhotos(session, target.files, photos)

  return {
    ...contents,
    skipped: contents.tables.map(({ name }) => name).filter((name) => !tableNames.has(name)),
  }
}

/** Writes a photo or a secret. Returns the name of a photo, or null for a secret. */
async function writeFilePart(
  target: RestoreTarget,
  name: string,
  bytes: Buffer,
): Promise<string | null> {
  const photo = parseFileUrl(`/${name}`)
  if (photo === null) {
    await writeSecret(target, name, bytes)
    return null
  }

  await target.files.write(photo, bytes, 'image/webp')
  return photo
}

/** @throws {StartError} unless each table has as many rows as the archive says */
async function requireAllRows(
  session: ClientBase,
  { tables, manifest }: ArchiveContents,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const table of tables) {
    signal?.throwIfAborted()
    if ((await countRows(session, table)) !== manifest.tables[table.name]?.rows) {
      throw new StartError(
        `The table ${table.name} doesn’t have the rows of the archive. Nothing was restored.`,
      )
    }
  }
}

/** Removes the photos that learners replaced or deleted during the backup. */
async function removeUnusedPhotos(
  session: ClientBase,
  files: FileStore,
  photos: readonly string[],
): Promise<void> {
  const usedPhotos = await listPhotos(session)
  for (const photo of photos) {
    if (!usedPhotos.has(photo)) {
      await files.remove(photo)
    }
  }
}

/**
 * Writes a secret. Anyone with the public key can forge an archive, so no name may lead out of the
 * folder.
 */
async function writeSecret({ dataDir }: RestoreTarget, name: string, bytes: Buffer): Promise<void> {
  const isSigningSecret = name === 'secrets.json'
  const isOtherSecret =
    name.startsWith('secrets/') && secretName.test(name.slice('secrets/'.length))
  if (!isSigningSecret && !isOtherSecret) {
    throw new StartError(
      `The archive has a file that this version of Learnify doesn’t know: ${name}.`,
    )
  }

  const file = path.join(dataDir, name)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, bytes, { mode: 0o600, flush: true })
}

function requireKnownMigration({ migration, learnify }: ArchiveHead, folder?: string): void {
  const knownMigrations = listMigrations(folder)
  if (knownMigrations.includes(migration)) {
    return
  }

  throw new StartError(
    migration > Math.max(...knownMigrations)
      ? `The archive was made by a newer version of Learnify (${learnify}). Restore it with that one.`
      : 'The archive was made by an unreleased version of Learnify, whose tables this one doesn’t know.',
  )
}
