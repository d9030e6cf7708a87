import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { is, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { StartError } from '../env.server'
import { log } from '../operations/log.server'
import { productFolder, productVersion } from '../operations/product-folder.server'
import { findRootCause } from './connection-error.server'
import { openConnection } from './pool.server'
import * as schema from './schema'

export const migrationsFolder = path.join(productFolder, 'app/server/database/migrations')

type Executor = Pick<NodePgDatabase, 'execute'>

/** The key of an advisory lock. It can be any number that is the same in all processes. */
const migrationLock = 7_301_001

/** How often a migration tries to lock a table that is in use, and how long it waits in between. */
const maxAttempts = 10
const retryDelayMs = 3_000

type MigrateOptions = {
  /** The folder of the migrations. Tests use another one than the product. */
  folder?: string
  /** How long to wait for another process that migrates. */
  processTimeoutMs?: number
  /** How long to wait for a table. Meanwhile, all later readers of the table have to wait, too. */
  tableTimeoutMs?: number
  /** Waits before the next attempt. */
  pause?(): Promise<unknown>
}

/**
 * Runs all new migrations in one transaction. If several processes start at the same time, one of
 * them migrates and the others wait. If a table is in use, the migrations are tried again for a
 * minute.
 *
 * @param url the URL of the database or of a pooler
 * @throws {StartError} if the tables stay in use, or belong to another program
 */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<void> {
  const { pause = () => delay(retryDelayMs) } = options
  const client = await openConnection(url, { application_name: 'learnify start' })
  try {
    for (let attempt = 1; !(await migrateUnlessInUse(client, options)); attempt++) {
      const blockingTransaction = await describeBlockingTransaction(client)
      const reason = `The tables have to change, but are in use${blockingTransaction}.`
      if (attempt === maxAttempts) {
        throw new StartError(`${reason} Wait for it, or end it, and start again.`)
      }

      log.warn(`${reason} Trying again in a few seconds.`)
      await pause()
    }
  } catch (error) {
    throw createForeignTablesError(error) ?? error
  } finally {
    await client.end()
  }
}

/** Runs the migrations once. Returns false if a table is in use, and then nothing was changed. */
async function migrateUnlessInUse(
  client: pg.Client,
  { folder = migrationsFolder, processTimeoutMs = 60_000, tableTimeoutMs = 3_000 }: MigrateOptions,
): Promise<boolean> {
  await client.query(`begin; set local lock_timeout = ${processTimeoutMs}`)
  await client.query(`select pg_advisory_xact_lock(${migrationLock})`).catch((error) => {
    if (!isLockTimeout(error)) {
      throw error
    }

    throw new StartError(
      'Another process is still preparing the tables. Wait for it, or end it, and start again.',
    )
  })

  await client.query(`set local lock_timeout = ${tableTimeoutMs}`)
  try {
    // Drizzle's own BEGIN has no effect inside this transaction. Its COMMIT ends this transaction
    // and releases the lock.
    await migrate(drizzle(client), { migrationsFolder: folder })
    return true
  } catch (error) {
    if (!isLockTimeout(error)) {
      throw error
    }

    await client.query('rollback')
    return false
  }
}

/** The code of PostgreSQL for a lock that was not available in time. */
const lockNotAvailable = '55P03'

function isLockTimeout(error: unknown): boolean {
  return findRootCause(error).code === lockNotAvailable
}

/**
 * Describes the longest transaction that uses one of the product's tables, for example as ` by
 * 'pg_dump' (process 4711 of PostgreSQL, for 80 s)`. The duration is missing for a transaction of
 * another role, because PostgreSQL does not reveal it.
 */
async function describeBlockingTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ description: string }>(`
    select
      format(
        ' by %L (process %s of PostgreSQL%s)',
        application_name,
        pid,
        ', for ' || extract(epoch from now() - xact_start)::int || ' s'
      ) as description
    from pg_locks
    join pg_stat_activity using (pid)
    where granted
      and pid <> pg_backend_pid()
      and relation in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and database = (select oid from pg_database where datname = current_database())
    order by xact_start nulls first
    limit 1`)

  return rows[0]?.description ?? ''
}

/** The codes of PostgreSQL for a table, type, schema or function that exists already. */
const duplicateObjectCodes = ['42P07', '42710', '42P06', '42723']

/**
 * Returns an error for the operator if a table, type, schema or function exists already that a
 * migration tried to create. Returns null for any other error.
 */
function createForeignTablesError(error: unknown): StartError | null {
  const { code, message } = findRootCause(error)
  if (code === undefined || !duplicateObjectCodes.includes(code)) {
    return null
  }

  return new StartError(
    `This database has tables that this version of Learnify didn’t create (${message}). They belong to another program or an unreleased version. Use an empty database or a separate DATA_DIR.`,
  )
}

/**
 * Creates the tables of an earlier version in an empty database, within the caller's transaction.
 *
 * @param lastMigration the time of the last migration to run, as in `listMigrations`
 */
export async function migrateEmptyDatabase(
  transaction: { query(statement: string, values?: unknown[]): Promise<unknown> },
  lastMigration: number,
  folder = migrationsFolder,
): Promise<void> {
  // Drizzle creates the same table before its first migration.
  await transaction.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key,
      hash text not null,
      created_at bigint
    )`)

  const migrations = readMigrationFiles({ migrationsFolder: folder }).filter(
    ({ folderMillis }) => folderMillis <= lastMigration,
  )
  for (const { sql: statements, hash, folderMillis } of migrations) {
    for (const statement of statements) {
      // A migration may leave the transaction to create an index concurrently. Empty tables need no
      // such index.
      if (/^\s*(begin|commit);?\s*$/i.test(statement)) {
        continue
      }

      await transaction.query(statement.replace(/\bindex concurrently\b/i, 'index'))
    }

    await transaction.query(
      'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
      [hash, folderMillis],
    )
  }
}

/** Returns the time at which each migration was written, in milliseconds since 1970. */
export function listMigrations(folder = migrationsFolder): number[] {
  const journal = path.join(folder, 'meta/_journal.json')
  if (!existsSync(journal)) {
    throw new StartError(`${journal} is missing, so this copy of Learnify is incomplete.`)
  }

  const { entries }: { entries: { when: number }[] } = JSON.parse(readFileSync(journal, 'utf8'))

  return entries.map(({ when }) => when)
}

/**
 * Returns how many migrations made the tables. The first one counts as 45, because it replaces the
 * 45 migrations of unreleased versions, and a database may have stored that number.
 */
export function countMigrations(): number {
  const replacedMigrations = 45
  return listMigrations().length - 1 + replacedMigrations
}

/**
 * Requires all columns that this version uses. A newer version may have migrated the tables, and
 * this version runs on them unless a column was removed.
 *
 * @throws {StartError} with the name of the first missing column
 */
export async function requireKnownColumns(database: Executor): Promise<void> {
  const { rows } = await database.execute<{ name: string }>(
    sql`
      select table_name || '.' || column_name as name
      from information_schema.columns
      where table_schema = 'public'`,
  )
  const existingColumns = new Set(rows.map(({ name }) => name))
  const missingColumn = Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map(getTableConfig)
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    .find((name) => !existingColumns.has(name))

  if (!missingColumn) {
    return
  }

  throw new StartError(
    `The database has no ${missingColumn}, which this version of Learnify (${productVersion()}) needs. If a newer version has changed the tables, start that one, or restore a backup from before the upgrade.`,
  )
}

/**
 * Requires the tables of this version. A newer version may have added more.
 *
 * @param databaseName names the database in the error
 * @throws {StartError} if the database has no tables, or those of an older version
 */
export async function requireCurrentTables(
  database: Executor,
  databaseName: string,
): Promise<void> {
  const newest = await findNewestMigration(database)
  if (newest === null) {
    throw new StartError(
      `${databaseName} isn’t set up for Learnify yet. Start the product with it first.`,
    )
  }

  if (newest < Math.max(...listMigrations())) {
    throw new StartError(
      `${databaseName} was made by an older version of Learnify. Start the product with it first.`,
    )
  }

  await requireKnownColumns(database)
}

/** @throws {StartError} if the database has tables */
export async function requireNoTables(database: Executor, databaseName: string): Promise<void> {
  const { rows } = await database.execute<{ name: string }>(sql`
    select oid::regclass::text as name
    from pg_class
    where relkind in ('r', 'p', 'v')
      and relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle'))
      and not exists (
        -- Tables of an extension don't count.
        select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e'
      )
    limit 1`)

  const [table] = rows
  if (table) {
    throw new StartError(
      `${databaseName} isn’t empty: it has ${table.name}. Restore into an empty database.`,
    )
  }
}

/** Returns the time of the newest migration that ran, or null if none ran. */
async function findNewestMigration(database: Executor): Promise<number | null> {
  const {
    rows: [journal],
  } = await database.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "exists"`,
  )
  if (!journal?.exists) {
    return null
  }

  const { rows } = await database.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )

  return rows[0]?.newest ? Number(rows[0].newest) : null
}
