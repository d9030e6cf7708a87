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

/** Where everything is that a backup and an export read. */
export type StoredSource = {
  /** Of the database itself, without a pooler. */
  databaseUrl: string
  files: FileStore
  dataDir: string
  /** `AUTH_SECRET`, if the settings have it instead of a file. */
  authSecret?: string
  version: string
}

/** This product's own, once a command has opened its database. */
export function storedSource(): StoredSource & { contentDir: string } {
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

const staleMs = 60 * 60_000
const filesAtOnce = 8

/**
 * Writes one archive into `folder` while the product runs. It gets its name only when it is whole
 * and on disk.
 *
 * @throws {StartError} with a sentence for the operator; nothing is left behind.
 */
export async function makeBackup(
  source: StoredSource,
  folder: string,
  encrypter: Encrypter,
  signal?: AbortSignal,
): Promise<FinishedBackup> {
  const startedAt = new Date()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeStaleParts(folder, startedAt)
  const file = path.join(folder, archiveName(startedAt))
  const part = path.join(folder, `.learnify-${randomBytes(6).toString('hex')}.part`)
  const session = await openSession(source.databaseUrl, 'backup')
  try {
    const fill = (add: AddEntry) => fillArchive(session, source, startedAt, add)
    const manifest = await writeArchive(part, encrypter, fill, signal)
    const { size } = await stat(part)
    await rename(part, file)

    return { file, bytes: size, seconds: (Date.now() - startedAt.getTime()) / 1000, manifest }
  } catch (error) {
    await rm(part, { force: true })
    throw signal?.aborted ? new StartError('The backup was interrupted. Nothing was kept.') : error
  } finally {
    await session.end()
  }
}

/** For example `learnify-2026-11-22T031500Z.tar.gz.age`; sorted by name is sorted by time. */
function archiveName(at: Date): string {
  return `learnify-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.tar.gz.age`
}

/**
 * Removes all archives of `folder` but the newest `count`, and no other file.
 *
 * @returns their names.
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
    if (now.getTime() - mtimeMs > staleMs) {
      await rm(path.join(folder, name), { force: true })
    }
  }
}

async function fillArchive(
  session: ClientBase,
  source: StoredSource,
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
  const added = new Set<string>()
  let previouslyMissing: string[] = []
  while (true) {
    const snapshot = await beginSnapshot(session)
    const names = [...(await listPhotos(session))].filter((name) => !added.has(name))
    const missing = await addPhotos(files, names, add)
    for (const name of names) {
      if (!missing.includes(name)) {
        added.add(name)
      }
    }

    // A photo that is missing for the second time is lost. A newer snapshot would not help.
    if (missing.every((name) => previouslyMissing.includes(name))) {
      return { ...snapshot, missingPhotos: missing.length }
    }

    previouslyMissing = missing
    await session.query('rollback')
  }
}

/** Adds photos to the archive, and returns the names of those that are missing. */
async function addPhotos(
  files: FileStore,
  names: readonly string[],
  add: AddEntry,
): Promise<string[]> {
  const missing: string[] = []
  for (let start = 0; start < names.length; start += filesAtOnce) {
    const batch = names.slice(start, start + filesAtOnce)
    const photos = await Promise.all(
      batch.map(async (name) => ({ name, bytes: await files.read(name) })),
    )
    for (const { name, bytes } of photos) {
      if (bytes) {
        await add(`files/${name}`, bytes)
      } else {
        missing.push(name)
      }
    }
  }

  return missing
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
  { dataDir, authSecret }: StoredSource,
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
