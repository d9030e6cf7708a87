import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Encrypter } from 'age-encryption'
import type { ClientBase } from 'pg'
import { sessionUrl } from '../../database/client.server'
import { env, StartError } from '../../env.server'
import { type FileStore, fileStore, parseFileUrl } from '../../files/files.server'
import { productVersion } from '../product-folder.server'
import {
  type AddEntry,
  type ArchiveHead,
  type ArchiveManifest,
  archiveFormat,
  writeArchive,
} from './archive.server'
import {
  beginSnapshot,
  countRows,
  findMigration,
  openSession,
  readRows,
  type StoredTable,
} from './tables.server'

/** Where everything that a backup or an export contains is stored. */
export type BackupSource = {
  /** The URL of the database itself, without a pooler. */
  databaseUrl: string
  files: FileStore
  dataDir: string
  /** The setting `AUTH_SECRET`, if it replaces the file with the secret. */
  authSecret?: string
  version: string
}

/** Returns the source of this product. The command must have opened the database before. */
export function getBackupSource(): BackupSource & { contentDir: string } {
  const { DATA_DIR: dataDir, AUTH_SECRET: authSecret, CONTENT_DIR: contentDir } = env
  return {
    databaseUrl: sessionUrl,
    files: fileStore,
    dataDir,
    authSecret,
    contentDir,
    version: productVersion(),
  }
}

export type FinishedBackup = {
  file: string
  bytes: number
  seconds: number
  manifest: ArchiveManifest
}

/** A partial archive that was not written to for this time belongs to a killed backup. */
const staleAfterMs = 60 * 60_000
/** The number of photos that are read at the same time. */
const photosAtOnce = 8

/**
 * Writes an archive into a folder while the product runs. The archive gets its name only when it is
 * complete and on disk.
 *
 * @throws {StartError} with a message for the operator; no file is left behind
 */
export async function makeBackup(
  source: BackupSource,
  folder: string,
  encrypter: Encrypter,
  signal?: AbortSignal,
): Promise<FinishedBackup> {
  const startedAt = new Date()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeStaleParts(folder, startedAt)
  const file = path.join(folder, formatArchiveName(startedAt))
  const partialFile = path.join(folder, `.learnify-${randomBytes(6).toString('hex')}.part`)
  const session = await openSession(source.databaseUrl, 'backup')
  try {
    const fill = (add: AddEntry) => fillArchive(session, source, startedAt, add)
    const manifest = await writeArchive(partialFile, encrypter, fill, signal)
    const { size } = await stat(partialFile)
    await rename(partialFile, file)

    return { file, bytes: size, seconds: (Date.now() - startedAt.getTime()) / 1000, manifest }
  } catch (error) {
    await rm(partialFile, { force: true })
    throw signal?.aborted ? new StartError('The backup was interrupted. Nothing was kept.') : error
  } finally {
    await session.end()
  }
}

/** Returns a name such as `learnify-2026-11-22T031500Z.tar.gz.age`. Names have the order of their times. */
function formatArchiveName(time: Date): string {
  return `learnify-${time.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.tar.gz.age`
}

/**
 * Removes all archives of a folder except the newest ones. Other files stay.
 *
 * @param count the number of archives to keep
 * @returns the names of the removed archives
 */
export async function pruneArchives(folder: string, count: number): Promise<string[]> {
  const isArchive = /^learnify-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz\.age$/
  const outdated = (await readdir(folder))
    .filter((name) => isArchive.test(name))
    .toSorted()
    .slice(0, -count)
  for (const name of outdated) {
    await rm(path.join(folder, name))
  }

  return outdated
}

/**
 * Removes the remains of killed backups. A running backup's file has a recent mtime, because it is
 * written continuously.
 */
async function removeStaleParts(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\.learnify-[0-9a-f]{12}\.part$/.test(name)) {
      continue
    }

    const { mtimeMs } = await stat(path.join(folder, name))
    if (now.getTime() - mtimeMs > staleAfterMs) {
      await rm(path.join(folder, name), { force: true })
    }
  }
}

async function fillArchive(
  session: ClientBase,
  source: BackupSource,
  startedAt: Date,
  add: AddEntry,
): Promise<ArchiveManifest> {
  let fileCount = 0
  const addFile: AddEntry = async (name, bytes) => {
    fileCount += 1
    await add(name, bytes)
  }
  const migration = await findMigration(session)
  const head = {
    format: archiveFormat,
    learnify: source.version,
    migration,
    startedAt: startedAt.toISOString(),
  }

  await addJson(add, 'learnify-backup.json', head satisfies ArchiveHead)
  await addSecrets(source, addFile)
  const snapshot = await beginSnapshotWithPhotos(session, source.files, addFile)
  if ((await findMigration(session)) !== migration) {
    throw new StartError('The tables were changed by an upgrade during the backup. Start it again.')
  }

  await addJson(add, 'tables.json', { tables: snapshot.tables })
  const tables: ArchiveManifest['tables'] = {}
  for (const table of snapshot.tables) {
    await addRows(session, table, add)
    tables[table.name] = { rows: await countRows(session, table) }
  }

  const takenAt = snapshot.takenAt.toISOString()
  const manifest = {
    takenAt,
    tables,
    files: { rows: fileCount },
    missingFiles: snapshot.missingPhotos,
  }

  await addJson(add, 'manifest.json', manifest)

  return manifest
}

async function addRows(session: ClientBase, table: StoredTable, add: AddEntry): Promise<void> {
  let part = 0
  for await (const lines of readRows(session, table)) {
    await add(`tables/${table.name}/${String(++part).padStart(6, '0')}.copy`, lines)
  }
}

const addJson = (add: AddEntry, name: string, value: unknown) =>
  add(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`))

/**
 * Begins a snapshot, and adds the photos that its rows name. If a learner replaces a photo before it
 * is read, a newer snapshot is begun, for which only the new photos are added.
 */
export async function beginSnapshotWithPhotos(
  session: ClientBase,
  files: FileStore,
  add: AddEntry,
) {
  const addedPhotos = new Set<string>()
  let previouslyMissingPhotos: string[] = []
  while (true) {
    const snapshot = await beginSnapshot(session)
    const photos = await listPhotos(session)
    const newPhotos = [...photos].filter((name) => !addedPhotos.has(name))
    const missingPhotos = await addPhotos(files, newPhotos, add)
    for (const name of newPhotos) {
      if (!missingPhotos.includes(name)) {
        addedPhotos.add(name)
      }
    }

    // A photo that is missing for the second time is lost. A newer snapshot would not help.
    if (missingPhotos.every((name) => previouslyMissingPhotos.includes(name))) {
      return { ...snapshot, missingPhotos: missingPhotos.length }
    }

    previouslyMissingPhotos = missingPhotos
    await session.query('rollback')
  }
}

/** Adds photos to the archive, and returns the names of those that are missing. */
async function addPhotos(
  files: FileStore,
  names: readonly string[],
  add: AddEntry,
): Promise<string[]> {
  const missingPhotos: string[] = []
  for (let start = 0; start < names.length; start += photosAtOnce) {
    const batch = names.slice(start, start + photosAtOnce)
    const photos = await Promise.all(
      batch.map(async (name) => ({ name, bytes: await files.read(name) })),
    )
    for (const { name, bytes } of photos) {
      if (bytes) {
        await add(`files/${name}`, bytes)
      } else {
        missingPhotos.push(name)
      }
    }
  }

  return missingPhotos
}

/** Returns the names of all photos that learners have. */
export async function listPhotos(session: ClientBase): Promise<Set<string>> {
  const { rows } = await session.query<{ image: string }>(
    'select image from users where image is not null',
  )
  return new Set(rows.map(({ image }) => parseFileUrl(image)).filter((name) => name !== null))
}

/** Matches the name of a file in `DATA_DIR/secrets`, but not of a file that is still being written. */
export const secretName = /^[a-z-]+\.json$/

/** Adds the keys that sign cookies and certificates. */
export async function addSecrets(
  { dataDir, authSecret }: BackupSource,
  add: AddEntry,
): Promise<void> {
  const secretsFile = path.join(dataDir, 'secrets.json')
  if (authSecret) {
    await add('secrets.json', Buffer.from(JSON.stringify({ authSecret })))
  } else if (existsSync(secretsFile)) {
    await add('secrets.json', await readFile(secretsFile))
  }

  const folder = path.join(dataDir, 'secrets')
  const fileNames = await readdir(folder).catch(() => [])
  for (const name of fileNames.filter((fileName) => secretName.test(fileName))) {
    await add(`secrets/${name}`, await readFile(path.join(folder, name)))
  }
}
