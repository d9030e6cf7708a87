import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'
import { StartError } from '../env.server'
import { log } from '../log.server'
import { productFolder } from '../product-folder.server'
import { buildConcurrentIndexes, isConcurrent } from './concurrent-indexes.server'
import { narrowing } from './narrowing'
import { lockForStart } from './start-lock.server'

export const migrationsFolder = path.join(productFolder, 'app/server/database/migrations')

type Queries = Pick<PostgresJsDatabase, 'execute'>

/**
 * Brings the tables up to date, in one transaction. Several processes may start at once: one migrates, the others wait.
 *
 * Who waits for a table to change it makes everybody wait who reads it. So a migration waits only for moments, between
 * which the pages of a running version go on, until whoever uses the table (a dump, a long report) has finished.
 *
 * @param options.lockMs how long it waits for one table at a time.
 * @throws {StartError} if a newer version of the product has changed them already, or the tables stay in use.
 */
export async function migrateDatabase(
  client: Sql,
  { folder = migrationsFolder, lockMs = 500, pauseMs = 3_000, patienceMs = 300_000 } = {},
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  for (let tries = 0; ; tries++) {
    const migrated = await migrateOnce(client, folder, lockMs).catch(forgiveLockedTable)
    if (migrated) break
    if (performance.now() >= giveUpAt) throw await tablesInUse(client, patienceMs)
    if (tries === 0) log.info('waiting to change tables that another session uses')
    await delay(pauseMs)
  }
}

/**
 * Builds the indexes that no transaction can, once the tables are up to date. They only make the product faster, and may wait
 * for a long transaction: a start doesn't wait for them.
 */
export async function buildIndexes(client: Sql, folder = migrationsFolder): Promise<void> {
  await buildConcurrentIndexes(client, { folder, tags: readJournal(folder).entries.map(({ tag }) => tag) })
}

function forgiveLockedTable(error: Error): false {
  if (causeOf(error).code !== '55P03') throw error
  return false
}

async function tablesInUse(client: Sql, patienceMs: number): Promise<StartError> {
  const [session] = await client<{ pid: number; name: string; since: string }[]>`
    select pid, coalesce(nullif(application_name, ''), 'unnamed') as name, to_char(xact_start, 'HH24:MI:SS') as since
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`
  const who = session ? `session ${session.pid} (${session.name}), since ${session.since}` : 'a session that has ended'
  return new StartError(
    `The tables are in use and couldn’t be changed for ${patienceMs / 1000} seconds. The longest transaction is ${who}. Wait for it, or end it, and start again.`,
  )
}

async function migrateOnce(client: Sql, folder: string, lockMs: number): Promise<true> {
  await client.begin(async (transaction) => {
    const database = drizzleInside(transaction, client.options)
    await lockForStart(database, 'tables')
    await refuseNewerTables(database, folder)
    await database.execute(sql.raw(`set local lock_timeout = ${lockMs}`))
    await applyMigrations(transaction, folder).catch(refuseForeignTables)
    await sayWhoMayRun(database, folder)
  })
  return true
}

function drizzleInside(transaction: TransactionSql, options: Sql['options']): PostgresJsDatabase {
  return drizzle(Object.assign(transaction, { options }) as unknown as Sql)
}

/**
 * Makes the tables in an empty database as they were after an earlier migration.
 *
 * @param last when that migration was made, one of `listMigrations`.
 */
export function migrateTo(transaction: TransactionSql, last: number, folder = migrationsFolder): Promise<void> {
  return applyMigrations(transaction, folder, last)
}

/** Drizzle's own migrator takes no statement out of the transaction; it keeps the same record. */
async function applyMigrations(transaction: TransactionSql, folder: string, last = Number.POSITIVE_INFINITY) {
  await transaction.unsafe(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  const [row] = await transaction`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`
  const isDue = ({ folderMillis }: { folderMillis: number }) =>
    folderMillis > (row?.newest ?? 0) && folderMillis <= last
  for (const { sql: statements, hash, folderMillis } of readMigrationFiles({ migrationsFolder: folder }).filter(
    isDue,
  )) {
    for (const statement of statements) if (!isConcurrent(statement)) await transaction.unsafe(statement)
    await transaction`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
  }
}

/** When each was made, in milliseconds since 1970. */
export function listMigrations(folder = migrationsFolder): number[] {
  return readJournal(folder).entries.map(({ when }) => when)
}

/** Says in a sentence that a table, a type or a schema of the migrations is there already. */
function refuseForeignTables(error: Error): never {
  const { code, message } = causeOf(error)
  if (!['42P07', '42710', '42P06', '42723'].includes(code ?? '')) throw error
  throw new StartError(
    `This database has tables that this version of Learnify didn’t create (${message}). They belong to another program or an unreleased version. Use an empty database or a separate DATA_DIR.`,
  )
}

/** PostgreSQL's own error. */
function causeOf(error: Error): Error & { code?: string } {
  return error.cause instanceof Error ? error.cause : error
}

/** @throws {StartError} unless the tables are exactly what this version of the product makes of them. */
export async function requireCurrentTables(database: Queries, place: string): Promise<void> {
  const newest = await findNewestMigration(database)
  if (newest === null) throw new StartError(`${place} isn’t set up for Learnify yet. Start the product with it first.`)
  await refuseNewerTables(database)
  if (newest < ownNewestMigration(migrationsFolder)) {
    throw new StartError(`${place} was made by an older version of Learnify. Start the product with it first.`)
  }
}

/** @throws {StartError} if the database has tables, or can't keep every letter. */
export async function requireNoTables(database: Queries, place: string): Promise<void> {
  const [table] = await database.execute<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p', 'v') and relnamespace in (
      select oid from pg_namespace where nspname in ('public', 'drizzle')
    ) and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e') limit 1`)
  if (table) throw new StartError(`${place} isn’t empty: it has ${table.name}. Restore into an empty database.`)
  const [row] = await database.execute<{ encoding: string }>(sql`select current_setting('server_encoding') as encoding`)
  if (row?.encoding !== 'UTF8') throw new StartError(`${place} has the encoding ${row?.encoding}. Create it with UTF8.`)
}

/**
 * A former version runs on newer tables if nothing that it needs was taken away, so that there is a way back from an
 * upgrade. It cannot know that itself; whoever migrates says it in the comment of the schema.
 *
 * @throws {StartError} if something was taken away.
 */
async function refuseNewerTables(database: Queries, folder = migrationsFolder): Promise<void> {
  const newest = await findNewestMigration(database)
  const own = ownNewestMigration(folder)
  if (newest === null || newest <= own) return
  const needed = await findNeededMigration(database)
  if (needed !== null && needed <= own) return
  throw new StartError(
    'A newer version of Learnify has changed this database’s tables. Start that version, or restore a backup.',
  )
}

const neededWords = 'A version of Learnify has to know the migration of '

/** Changes nothing if it is said already, or the tables are newer. */
async function sayWhoMayRun(database: Queries, folder: string): Promise<void> {
  const { entries } = readJournal(folder)
  const tags = entries.flatMap(({ tag }) => narrowing[tag] ?? [])
  const needed = Math.max(...entries.filter(({ tag }) => tags.includes(tag)).map(({ when }) => when))
  if ((await findNewestMigration(database)) !== ownNewestMigration(folder)) return
  if ((await findNeededMigration(database)) === needed) return
  await database.execute(sql.raw(`comment on schema drizzle is '${neededWords}${needed}'`))
}

async function findNeededMigration(database: Queries): Promise<number | null> {
  const [row] = await database.execute<{ words: string | null }>(
    sql`select obj_description('drizzle'::regnamespace, 'pg_namespace') as words`,
  )
  return row?.words?.startsWith(neededWords) ? Number(row.words.slice(neededWords.length)) : null
}

async function findNewestMigration(database: Queries): Promise<number | null> {
  const [there] = await database.execute<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!there?.there) return null
  const [row] = await database.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )
  return row?.newest ? Number(row.newest) : null
}

function ownNewestMigration(folder: string): number {
  return Math.max(...listMigrations(folder))
}

function readJournal(folder: string): { entries: { when: number; tag: string }[] } {
  const journal = path.join(folder, 'meta/_journal.json')
  if (!existsSync(journal)) throw new StartError(`${journal} is missing, so this copy of Learnify is incomplete.`)
  return JSON.parse(readFileSync(journal, 'utf8'))
}
