import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import type { ClientBase } from 'pg'
import { createConnectionError, isDatabaseError } from '../../database/connection-error.server'
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
 * archive says. A failure may leave photos in S3, where the next restore writes them again.
 *
 * @param target.dataDir has no photos and secrets yet.
 * @param signal interrupts it before the next part of the archive.
 * @throws {StartError} with a sentence; then the database and the folder are as they were.
 */
export async function restoreArchive(
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
  signal?: AbortSignal,
): Promise<Restored> {
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
): Promise<Restored> {
  let known = new Set<string>()
  let addReferences = async () => {}
  let contents!: ArchiveContents
  const photos: string[] = []
  for await (const part of archive) {
    signal?.throwIfAborted()
    if (part.kind === 'head') {
      requireKnownMigration(part.head, target.migrations)
      await migrateTo(session, part.head.migration, target.migrations)
      const tables = await listTables(session)
      known = new Set(tables.map(({ name }) => name))
      addReferences = await openForLoading(session, tables)
    } else if (part.kind === 'file') {
      const photo = fileNameOf(`/${part.name}`)
      if (photo) {
        photos.push(photo)
      }

      await (photo
        ? target.files.write(photo, part.bytes, 'image/webp')
        : writeSecret(target, part.name, part.bytes))
    } else if (part.kind === 'rows') {
      if (known.has(part.table.name)) {
        await writeRows(session, part.table, part.lines)
      }
    } else {
      contents = part
    }
  }

  await addReferences()

  for (const table of contents.tables.filter(({ name }) => known.has(name))) {
    signal?.throwIfAborted()
    if ((await countRows(session, table)) === contents.manifest.tables[table.name]?.rows) {
      continue
    }

    throw new StartError(
      `The table ${table.name} doesn’t have the rows of the archive. Nothing was restored.`,
    )
  }

  // Learners replaced or deleted these during the backup.
  const named = await listPhotos(session)
  for (const photo of photos) {
    if (!named.has(photo)) {
      await target.files.remove(photo)
    }
  }

  return {
    ...contents,
    skipped: contents.tables.map(({ name }) => name).filter((name) => !known.has(name)),
  }
}

/** Archives can be forged with the public key, so no name may lead out of the folder. */
async function writeSecret({ dataDir }: RestoreTarget, name: string, bytes: Buffer): Promise<void> {
  if (name !== 'secrets.json' && !(name.startsWith('secrets/') && secretName.test(name.slice(8)))) {
    throw new StartError(
      `The archive has a file that this version of Learnify doesn’t know: ${name}.`,
    )
  }

  const file = path.join(dataDir, name)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, bytes, { mode: 0o600, flush: true })
}

function requireKnownMigration({ migration, learnify }: ArchiveHead, folder?: string): void {
  const known = listMigrations(folder)
  if (known.includes(migration)) {
    return
  }

  throw new StartError(
    migration > Math.max(...known)
      ? `The archive was made by a newer version of Learnify (${learnify}). Restore it with that one.`
      : 'The archive was made by an unreleased version of Learnify, whose tables this one doesn’t know.',
  )
}
