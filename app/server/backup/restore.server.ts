import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decrypter } from 'age-encryption'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { listMigrations, migrateTo } from '../database/migrate.server'
import { StartError } from '../env.server'
import { type FileStore, fileNameOf } from '../files.server'
import { type ArchivedTables, type ArchiveHead, type ArchiveManifest, archiveFormat, secretName } from './backup.server'
import { readArchive } from './backup-archive.server'
import { listNamedFiles } from './named-files.server'
import {
  listTables,
  openForLoading,
  openTableWriter,
  type Query,
  requireSameRows,
  type StoredTable,
  setSequences,
  settleFormat,
} from './stored-tables.server'
import { isSameTally, Tally } from './tally.server'

/** Of an archive's rows and files, in the order in which they are there. */
type Receiver = {
  /** All files, learners' and secrets, come before the rows. */
  file(name: string, bytes: Buffer): Promise<void>
  rows(table: StoredTable, part: Buffer): Promise<void>
}
export type ArchiveContents = { head: ArchiveHead; manifest: ArchiveManifest; tables: StoredTable[] }

/**
 * Reads an archive from beginning to end, and checks all of it against its own counts and checksums.
 *
 * @param begin is told what the archive is before anything else of it, and says who gets its contents.
 * @throws {StartError} with what is wrong with it.
 */
export async function receiveArchive(
  file: string,
  decrypter: Decrypter,
  begin: (head: ArchiveHead) => Promise<Receiver>,
): Promise<ArchiveContents> {
  const files = new Tally()
  const tallies = new Map<string, Tally>()
  let receiver: Receiver | undefined
  let head: ArchiveHead | undefined
  let manifest: ArchiveManifest | undefined
  let tables: StoredTable[] = []
  for await (const { name, read } of readArchive(file, decrypter)) {
    const bytes = await read()
    if (!head || !receiver) {
      head = readHead(name, bytes, file)
      receiver = await begin(head)
    } else if (name === 'tables.json') {
      tables = parsed<ArchivedTables>(bytes, file).tables
      for (const table of tables) tallies.set(table.name, new Tally())
    } else if (name === 'manifest.json') manifest = parsed<ArchiveManifest>(bytes, file)
    else if (name.startsWith('tables/')) {
      const table = tables.find((each) => each.name === name.split('/')[1])
      if (!table) throw new StartError(`${file} has rows of a table that it doesn’t describe.`)
      tallies.get(table.name)?.write(bytes)
      await receiver.rows(table, bytes)
    } else {
      files.addFile(name, bytes)
      await receiver.file(name, bytes)
    }
  }
  if (!head || !manifest) throw new StartError(`${file} has no end, so nothing of it can be trusted.`)
  for (const [name, tally] of tallies) {
    if (!isSameTally(tally.result(), manifest.tables[name])) {
      throw new StartError(`${file} doesn’t have the rows of the table ${name} that it says.`)
    }
  }
  if (!isSameTally(files.result(), manifest.files)) throw new StartError(`${file} doesn’t have the files that it says.`)
  return { head, manifest, tables }
}

function parsed<Part>(bytes: Buffer, file: string): Part {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new StartError(`${file} is damaged, so nothing of it can be trusted.`)
  }
}

function readHead(name: string, bytes: Buffer, file: string): ArchiveHead {
  const head: ArchiveHead | null = name === 'learnify-backup.json' ? parsed(bytes, file) : null
  if (!head) throw new StartError(`${file} isn’t a backup of Learnify’s.`)
  if (head.format > archiveFormat) {
    throw new StartError(
      `${file} was made by a newer version of Learnify (${head.learnify}). Restore it with that one.`,
    )
  }
  return head
}

export type RestoreTarget = {
  /** Of an empty database. */
  databaseUrl: string
  files: FileStore
  dataDir: string
  /** Another folder of migrations than the product's, for tests. */
  migrations?: string
}

/**
 * Restores everything, or nothing: the rows are committed when each count and checksum, read back, is the archive's.
 *
 * @returns what was restored; `skipped` are tables that this product doesn't have.
 * @throws {StartError} with a sentence; then the database is as it was, and no file is left.
 */
export async function restoreArchive(
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
): Promise<ArchiveContents & { skipped: string[] }> {
  const sql = postgres(target.databaseUrl, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'learnify restore' },
  })
  const names: string[] = []
  let failure: unknown
  try {
    return await sql.begin((transaction) =>
      restoreInside({ transaction, options: sql.options }, file, decrypter, target, names).catch((error) => {
        failure = error
        // Whatever is under way ends, and PostgreSQL takes everything back.
        void sql.end({ timeout: 0 })
        throw error
      }),
    )
  } catch (error) {
    for (const name of names) await removeArchivedFile(target, name)
    throw failure ?? error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function restoreInside(
  { transaction, options }: { transaction: TransactionSql; options: Sql['options'] },
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
  names: string[],
): Promise<ArchiveContents & { skipped: string[] }> {
  await settleFormat(transaction)
  const loader = new TableLoader(transaction)
  const contents = await receiveArchive(file, decrypter, async (head) => {
    requireKnownMigration(head, target.migrations)
    await migrateTo(transaction, options, head.migration, target.migrations)
    await loader.open()
    return {
      rows: (table, part) => loader.write(table, part),
      async file(name, bytes) {
        requireKnownName(name)
        names.push(name)
        await writeArchivedFile(target, name, bytes)
      },
    }
  })
  await loader.close()
  await setSequences(transaction, contents.manifest.sequences)
  for (const table of contents.tables) {
    if (!loader.skipped.has(table.name)) await requireSameRows(transaction, table, contents.manifest.tables[table.name])
  }
  await requireSameFiles(target, names, contents.manifest)
  await removeUnnamedFiles(transaction, target.files, names)
  return { ...contents, skipped: [...loader.skipped] }
}

/** Migrations are known by when they were made. */
function requireKnownMigration({ learnify, migration }: ArchiveHead, folder?: string): void {
  const known = listMigrations(folder)
  if (known.includes(migration)) return
  throw new StartError(
    migration > Math.max(...known)
      ? `The archive was made by a newer version of Learnify (${learnify}). Restore it with that one.`
      : 'The archive was made by an unreleased version of Learnify, whose tables this one doesn’t know.',
  )
}

/** Fills the tables one after the other, as their rows come. */
class TableLoader {
  /** Tables of the archive that the product doesn't have: somebody else's. */
  readonly skipped = new Set<string>()
  #known = new Set<string>()
  #writer: { table: StoredTable; to: Awaited<ReturnType<typeof openTableWriter>> } | null = null
  #putReferencesBack = async () => {}

  constructor(private sql: Query) {}

  async open(): Promise<void> {
    const tables = await listTables(this.sql)
    this.#known = new Set(tables.map(({ name }) => name))
    this.#putReferencesBack = await openForLoading(this.sql, tables)
  }

  async write(table: StoredTable, part: Uint8Array): Promise<void> {
    if (!this.#known.has(table.name)) {
      this.skipped.add(table.name)
      return
    }
    if (this.#writer?.table !== table) {
      await this.#writer?.to.end()
      this.#writer = { table, to: await openTableWriter(this.sql, table) }
    }
    await this.#writer.to.write(part)
  }

  async close(): Promise<void> {
    await this.#writer?.to.end()
    await this.#putReferencesBack()
  }
}

async function writeArchivedFile({ files, dataDir }: RestoreTarget, name: string, bytes: Buffer): Promise<void> {
  if (name.startsWith('files/')) return files.write(name.slice('files/'.length), bytes, 'image/webp')
  const place = placeOfSecret(dataDir, name)
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
  await writeFile(place, bytes, { mode: 0o600, flush: true })
}

async function removeArchivedFile({ files, dataDir }: RestoreTarget, name: string): Promise<void> {
  if (name.startsWith('files/')) await files.remove(name.slice('files/'.length))
  else await rm(placeOfSecret(dataDir, name), { force: true })
}

/** Whoever has the public key can make an archive: no name of it leads out of the folder. */
function requireKnownName(name: string): void {
  const isSecret =
    name === 'secrets.json' || (name.startsWith('secrets/') && secretName.test(name.slice('secrets/'.length)))
  if (!isSecret && fileNameOf(`/${name}`) === null)
    throw new StartError(`The archive has a file that this version of Learnify doesn’t know: ${name}.`)
}

const placeOfSecret = (dataDir: string, name: string) => path.join(dataDir, name)

/** Of what is in its place now. */
async function requireSameFiles(target: RestoreTarget, names: readonly string[], manifest: ArchiveManifest) {
  const tally = new Tally()
  for (const name of names) {
    const bytes = name.startsWith('files/')
      ? await target.files.read(name.slice('files/'.length))
      : await readFile(placeOfSecret(target.dataDir, name))
    tally.addFile(name, bytes ?? Buffer.alloc(0))
  }
  if (!isSameTally(tally.result(), manifest.files)) {
    throw new StartError('The files can’t be read back as the archive has them. Nothing was restored.')
  }
}

/** A photo that a learner replaced or deleted while the backup ran. */
async function removeUnnamedFiles(sql: Query, files: FileStore, names: readonly string[]): Promise<void> {
  const unnamed = new Set(names.filter((name) => name.startsWith('files/')))
  for await (const name of listNamedFiles(sql)) unnamed.delete(`files/${name}`)
  for (const name of unnamed) await files.remove(name.slice('files/'.length))
}
