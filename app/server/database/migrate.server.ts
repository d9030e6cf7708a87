import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { StartError } from '../env.server'
import { productFolder } from '../operations/product-folder.server'
import type { Database } from './client.server'
import { rootOf } from './connection-error.server'
import { openConnection } from './pool.server'

export const migrationsFolder = path.join(productFolder, 'app/server/database/migrations')

type Queries = Pick<Database, 'execute'>

/** Any number; all processes agree on it. */
const migrationLock = 7_301_001

/**
 * Brings the tables up to date, in one transaction. Processes that start at the same time wait for the one that migrates.
 *
 * While a migration waits for a table's lock, all later readers of that table wait, too, so it gives up soon.
 *
 * @param url of a session, or of a pooler.
 * @param options.processTimeoutMs the time limit of the wait for another process.
 * @param options.tableTimeoutMs the time limit of the wait for a table.
 * @throws {StartError} if the tables stay in use, or belong to another program.
 */
export async function migrateDatabase(
  url: string,
  { folder = migrationsFolder, processTimeoutMs = 60_000, tableTimeoutMs = 3_000 } = {},
): Promise<void> {
  const client = await openConnection(url, { application_name: 'learnify start' })
  try {
    await client.query(`begin; set local lock_timeout = ${processTimeoutMs}`)
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
    await client.query(`set local lock_timeout = ${tableTimeoutMs}`)
    // Drizzle's BEGIN changes nothing inside this transaction, and its COMMIT ends it together with the lock.
    await migrate(drizzle(client), { migrationsFolder: folder })
  } catch (error) {
    throw migrationError(error)
  } finally {
    await client.end()
  }
}

/** Says in a sentence that tables are in use, or that something of the migrations' name is there already. */
function migrationError(error: unknown): unknown {
  const { code, message } = rootOf(error)
  if (code === '55P03') {
    return new StartError(
      'The tables are in use and couldn’t be changed: by another process that starts, a dump or another long transaction. Wait for it, or end it, and start again.',
    )
  }
  if (!['42P07', '42710', '42P06', '42723'].includes(code ?? '')) return error
  return new StartError(
    `This database has tables that this version of Learnify didn’t create (${message}). They belong to another program or an unreleased version. Use an empty database or a separate DATA_DIR.`,
  )
}

/**
 * Makes the tables in an empty database as they were after an earlier migration, as a part of the caller's transaction.
 *
 * @param last when that migration was made, one of `listMigrations`.
 */
export async function migrateTo(
  transaction: { query(statement: string, values?: unknown[]): Promise<unknown> },
  last: number,
  folder = migrationsFolder,
): Promise<void> {
  await transaction.query(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  const migrations = readMigrationFiles({ migrationsFolder: folder }).filter(({ folderMillis }) => folderMillis <= last)
  for (const { sql: statements, hash, folderMillis } of migrations) {
    for (const statement of statements) {
      // An index of a large table leaves the transaction; in empty tables, it doesn't have to.
      if (/^\s*(begin|commit);?\s*$/i.test(statement)) continue
      await transaction.query(statement.replace(/\bindex concurrently\b/i, 'index'))
    }
    await transaction.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ])
  }
}

/** When each was made, in milliseconds since 1970. */
export function listMigrations(folder = migrationsFolder): number[] {
  const journal = path.join(folder, 'meta/_journal.json')
  if (!existsSync(journal)) throw new StartError(`${journal} is missing, so this copy of Learnify is incomplete.`)
  const { entries }: { entries: { when: number }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  return entries.map(({ when }) => when)
}

/** @throws {StartError} unless the database has the tables of this version; a newer one may have added some. */
export async function requireCurrentTables(database: Queries, place: string): Promise<void> {
  const newest = await findNewestMigration(database)
  if (newest === null) throw new StartError(`${place} isn’t set up for Learnify yet. Start the product with it first.`)
  if (newest < Math.max(...listMigrations())) {
    throw new StartError(`${place} was made by an older version of Learnify. Start the product with it first.`)
  }
}

/** @throws {StartError} if the database has tables. */
export async function requireNoTables(database: Queries, place: string): Promise<void> {
  const { rows } = await database.execute<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p', 'v') and relnamespace in (
      select oid from pg_namespace where nspname in ('public', 'drizzle')
    ) and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e') limit 1`)
  if (rows[0]) throw new StartError(`${place} isn’t empty: it has ${rows[0].name}. Restore into an empty database.`)
}

async function findNewestMigration(database: Queries): Promise<number | null> {
  const table = await database.execute<{ isThere: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
  )
  if (!table.rows[0]?.isThere) return null
  const { rows } = await database.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )
  return rows[0]?.newest ? Number(rows[0].newest) : null
}
