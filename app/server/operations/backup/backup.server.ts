import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Encrypter } from 'age-encryption'
import type { ClientBase } from 'pg'
import { StartError } from '../../env.server'
import {
  type AddEntry,
  type ArchiveHead,
  type ArchiveManifest,
  archiveFormat,
  writeArchive,
} from './archive.server'
import { addSecrets, type BackupSource, beginSnapshotWithPhotos } from './backup-source.server'
import { countRows, findMigration, openSession, readRows, type StoredTable } from './tables.server'

export type FinishedBackup = {
  file: string
  bytes: number
  seconds: number
  manifest: ArchiveManifest
}

/** A partial archive that was not written to for this time belongs to a killed backup. */
const staleAfterMs = 60 * 60_000
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
    const addEntries = (add: AddEntry) => fillArchive(session, source, startedAt, add)
    const manifest = await writeArchive(partialFile, encrypter, addEntries, signal)
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

/**
 * Returns a name such as `learnify-2026-11-22T031500Z.tar.gz.age`. Names have the order of their
 * times.
 */
function formatArchiveName(time: Date): string {
  return `learnify-${time.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.tar.gz.age`
}

const archiveName = /^learnify-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz\.age$/

/**
 * Removes all archives of a folder except the newest ones. Other files stay.
 *
 * @param count the number of archives to keep
 * @returns the names of the removed archives
 */
export async function pruneArchives(folder: string, count: number): Promise<string[]> {
  const fileNames = await readdir(folder)
  const archiveNames = fileNames.filter((name) => archiveName.test(name)).toSorted()
  const outdatedNames = archiveNames.slice(0, -count)
  for (const name of outdatedNames) {
    await rm(path.join(folder, name))
  }

  return outdatedNames
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

/**
 * Adds the entries of an archive in their order, and returns the manifest, which is the last one.
 */
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
  let partNumber = 0
  for await (const lines of readRows(session, table)) {
    partNumber += 1
    const fileName = `${String(partNumber).padStart(6, '0')}.copy`
    await add(`tables/${table.name}/${fileName}`, lines)
  }
}

function addJson(add: AddEntry, name: string, value: unknown): Promise<void> {
  return add(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`))
}
