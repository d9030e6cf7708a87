import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Encrypter } from 'age-encryption'
import type { Sql } from 'postgres'
import { openSingleConnection } from '../database/single-connection.server'
import { StartError } from '../env.server'
import { type ArchivedTables, type ArchiveHead, type ArchiveManifest, archiveFormat } from './archive-format'
import { type AddEntry, writeArchive } from './backup-archive.server'
import { archiveName } from './keep-rule'
import { NamedFiles } from './named-files.server'
import { addSecrets } from './secret-files.server'
import { readSnapshot } from './snapshot.server'
import type { StoredSource } from './stored-source.server'
import { listSequences, listTables, type Query, readRows } from './stored-tables.server'
import { Tally } from './tally.server'

export type FinishedBackup = { file: string; bytes: number; seconds: number; manifest: ArchiveManifest }

const partEnding = '.part'
const staleMs = 60 * 60_000
const mostAttempts = 50

/**
 * Writes one archive into `folder` while the product runs. It gets its name only when it is whole and on disk.
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
  const part = path.join(folder, `.learnify-${randomBytes(6).toString('hex')}${partEnding}`)
  const sql = openSingleConnection(source.databaseUrl, 'backup')
  try {
    let manifest: ArchiveManifest | undefined
    await writeArchive(part, encrypter, async (add) => {
      manifest = await fillArchive(sql, source, startedAt, endingOnFailure(add, sql, signal))
    })
    if (!manifest) throw new Error('The archive has no manifest.')
    const { size } = await stat(part)
    await rename(part, file)
    await sync(folder)
    return { file, bytes: size, seconds: (Date.now() - startedAt.getTime()) / 1000, manifest }
  } catch (error) {
    await rm(part, { force: true })
    throw signal?.aborted ? new StartError('The backup was interrupted. Nothing was kept.') : error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A connection whose rows nobody takes any more would wait for good. */
function endingOnFailure(add: AddEntry, sql: Sql, signal: AbortSignal | undefined): AddEntry {
  return async (name, bytes) => {
    try {
      signal?.throwIfAborted()
      await add(name, bytes)
    } catch (error) {
      void sql.end({ timeout: 0 })
      throw error
    }
  }
}

/** A killed backup could not remove its own; one that runs writes all the time. */
async function removeStaleParts(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\.learnify-[0-9a-f]{12}\.part$/.test(name)) continue
    const { mtimeMs } = await stat(path.join(folder, name))
    if (now.getTime() - mtimeMs > staleMs) await rm(path.join(folder, name), { force: true })
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

class PhotoChanged extends Error {}

async function fillArchive(
  sql: Sql,
  source: StoredSource,
  startedAt: Date,
  addEntry: AddEntry,
): Promise<ArchiveManifest> {
  const fileTally = new Tally()
  const addFile: AddEntry = async (name, bytes) => {
    fileTally.addFile(name, bytes)
    await addEntry(name, bytes)
  }
  const migration = await findMigration(sql)
  await addJson(addEntry, 'learnify-backup.json', {
    format: archiveFormat,
    learnify: source.version,
    migration,
    startedAt: startedAt.toISOString(),
  } satisfies ArchiveHead)
  await addSecrets(source, addFile)
  const files = new NamedFiles(source.files, addFile)
  // Most files, before the moment that has to be held while the rows are read.
  await files.addNew(sql)
  for (let attempt = 1; ; attempt++) {
    try {
      const rows = await readSnapshot(sql, async (snapshot) => {
        const [moment] = await snapshot.unsafe<{ now: Date }[]>('select now()')
        if ((await findMigration(snapshot)) !== migration) {
          throw new StartError('The tables were changed by an upgrade during the backup. Start it again.')
        }
        if (!(await files.addNew(snapshot))) throw new PhotoChanged()
        return { takenAt: moment?.now.toISOString() ?? '', ...(await addTables(snapshot, addEntry)) }
      })
      const manifest = { ...rows, files: fileTally.result(), missingFiles: files.missing }
      await addJson(addEntry, 'manifest.json', manifest)
      return manifest
    } catch (error) {
      // Everything as of another moment: what was already added stays, and the next one needs little more.
      if (!(error instanceof PhotoChanged) || attempt >= mostAttempts) throw error
    }
  }
}

async function addTables(snapshot: Query, addEntry: AddEntry) {
  const stored = await listTables(snapshot)
  await addJson(addEntry, 'tables.json', { tables: stored } satisfies ArchivedTables)
  const tables: ArchiveManifest['tables'] = {}
  for (const table of stored) {
    const tally = new Tally()
    let parts = 0
    for await (const part of readRows(snapshot, table)) {
      tally.write(part)
      parts += 1
      await addEntry(`tables/${table.name}/${String(parts).padStart(6, '0')}.copy`, part)
    }
    tables[table.name] = tally.result()
  }
  return { tables, sequences: await listSequences(snapshot) }
}

async function findMigration(sql: Query): Promise<number> {
  const [row] = await sql.unsafe('select max(created_at)::text as newest from drizzle.__drizzle_migrations')
  return Number(row?.newest)
}

const addJson = (add: AddEntry, name: string, value: unknown) =>
  add(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`))
