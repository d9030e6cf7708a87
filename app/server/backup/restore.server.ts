import type { Decrypter } from 'age-encryption'
import type { TransactionSql } from 'postgres'
import { connectionError, isDatabaseError } from '../database/connection-error.server'
import { listMigrations, migrateTo } from '../database/migrate.server'
import { openSingleConnection } from '../database/single-connection.server'
import { StartError } from '../env.server'
import type { ArchiveHead } from './archive-format'
import { type ArchiveContents, receiveArchive } from './receive-archive.server'
import {
  type FilePlace,
  removeArchivedFile,
  removeUnnamedFiles,
  requireKnownName,
  requireSameFiles,
  writeArchivedFile,
} from './restored-files.server'
import { settleFormat } from './snapshot.server'
import { requireSameRows, setSequences } from './stored-tables.server'
import { TableLoader } from './table-loader.server'

type RestoreTarget = FilePlace & {
  /** Of an empty database. */
  databaseUrl: string
  /** Another folder of migrations than the product's, for tests. */
  migrations?: string
}

/**
 * Restores everything, or nothing: the rows are committed when each count and checksum, read back, is the archive's.
 *
 * @param signal interrupts it before the next part of the archive.
 * @returns what was restored; `skipped` are tables that this product doesn't have.
 * @throws {StartError} with a sentence; then the database is as it was, and no file is left.
 */
export async function restoreArchive(
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
  signal?: AbortSignal,
): Promise<ArchiveContents & { skipped: string[] }> {
  const sql = openSingleConnection(target.databaseUrl, 'restore')
  const names: string[] = []
  let failure: unknown
  try {
    return await sql.begin((transaction) =>
      restoreInside(transaction, file, decrypter, target, names, signal).catch(async (error) => {
        failure = error
        // Whatever is under way ends, and PostgreSQL takes everything back. Asked to roll back on a connection that is gone
        // already, the driver would end the program: https://github.com/porsager/postgres/issues/1208
        await sql.end({ timeout: 0 })
        throw error
      }),
    )
  } catch (error) {
    for (const name of names) await removeArchivedFile(target, name)
    if (signal?.aborted) throw new StartError('The restore was interrupted. Nothing was restored.')
    const cause = failure ?? error
    throw isDatabaseError(cause) ? connectionError(cause, target.databaseUrl) : cause
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function restoreInside(
  transaction: TransactionSql,
  file: string,
  decrypter: Decrypter,
  target: RestoreTarget,
  names: string[],
  signal: AbortSignal | undefined,
): Promise<ArchiveContents & { skipped: string[] }> {
  await settleFormat(transaction)
  const loader = new TableLoader(transaction)
  const contents = await receiveArchive(file, decrypter, async (head) => {
    requireKnownMigration(head, target.migrations)
    await migrateTo(
      { query: async (...parts) => transaction.unsafe(...(parts as [string])) },
      head.migration,
      target.migrations,
    )
    await loader.open()
    return {
      async rows(table, part) {
        signal?.throwIfAborted()
        await loader.write(table, part)
      },
      async file(name, bytes) {
        signal?.throwIfAborted()
        requireKnownName(name)
        names.push(name)
        await writeArchivedFile(target, name, bytes)
      },
    }
  })
  await loader.close()
  await setSequences(transaction, contents.manifest.sequences)
  for (const table of contents.tables) {
    signal?.throwIfAborted()
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
