import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'drizzle-orm'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { env, StartError } from '../env.server'
import { log, reportError } from '../log.server'
import { databaseRefusal, requireUtf8, withoutPassword } from './database-refusal.server'
import { startEmbeddedPostgres } from './embedded-postgres.server'
import { buildIndexes, migrateDatabase, requireCurrentTables, requireNoTables } from './migrate.server'
import { Pool } from './pool.server'
import * as schema from './schema'
import { openConnections, openSingleConnection } from './single-connection.server'

export type Database = PostgresJsDatabase<typeof schema>
/** What the database and a transaction of it have in common. */
export type Statements = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>
type Close = () => Promise<void>

/** The product's database; set by `openDatabase` before anything else starts. Queries take it as their first argument. */
export let db: Database

/** Its address, for a program that keeps one connection for minutes. */
export let sessionUrl: string

let openPool: Pool | null = null

/** How busy the product's connections are; null before there are any. */
export function poolFigures(): Pool['figures'] | null {
  return openPool?.figures ?? null
}

const embeddedFolder = path.join(env.DATA_DIR, 'database')

export function connect(
  url: string,
  {
    poolSize = env.DATABASE_POOL_SIZE,
    prepare = env.DATABASE_PREPARE !== 'off',
    patience,
    logger,
  }: { poolSize?: number; prepare?: boolean; patience?: number; logger?: Logger } = {},
) {
  const pool = new Pool(url, { size: poolSize, prepare, patience })
  return { database: drizzle(pool.sql, { schema, logger }), client: pool.sql, pool }
}

/**
 * Starts the embedded PostgreSQL, or uses the server of `DATABASE_URL`, and brings its tables up to date.
 *
 * @returns closes the connections, then stops what was started.
 * @throws {StartError} if the server of `DATABASE_URL` does not answer.
 */
export async function openDatabase(): Promise<Close> {
  requireFinishedRestore()
  const close = await open(migrateDirectly, { limits: true })
  const stopBuilding = beginIndexes(sessionUrl)
  return async () => {
    await stopBuilding()
    await close()
  }
}

/** @returns ends it; what is half-built then, the next start builds again. */
function beginIndexes(url: string): Close {
  const connections = openConnections(url, 'index', 2)
  let stopped = false
  const built = buildIndexes(connections)
    .catch((error) => stopped || reportError(error))
    .finally(() => connections.end({ timeout: 1 }))
  return async () => {
    stopped = true
    await connections.end({ timeout: 0 })
    await built
  }
}

/**
 * For the operator's commands: says which database it is, opens it for the time of the work, and never makes or changes one.
 *
 * @param options.files the command also works with the files in `DATA_DIR`.
 * @throws {StartError} if there is no database of this version.
 */
export async function withDatabase<Result>(
  work: () => Promise<Result>,
  options?: { files?: boolean },
): Promise<Result> {
  const close = await openExisting(options)
  try {
    return await work()
  } finally {
    await close()
  }
}

async function openExisting({ files = false } = {}): Promise<Close> {
  const place = env.DATABASE_URL ? withoutPassword(env.DATABASE_URL) : embeddedFolder
  process.stderr.write(`Database: ${place}\n`)
  requireFinishedRestore()
  if (!env.DATABASE_URL && !existsSync(path.join(embeddedFolder, 'cluster'))) {
    throw new StartError(
      `There’s no database in ${embeddedFolder}. Set DATA_DIR or DATABASE_URL to the same value that the product runs with.`,
    )
  }
  if (files && !existsSync(env.DATA_DIR)) {
    throw new StartError(
      `There’s no folder ${env.DATA_DIR}. Set DATA_DIR to the same value that the product runs with.`,
    )
  }
  return open((_url, database) => requireCurrentTables(database, place))
}

/** A file in `DATA_DIR` while a restore is under way: what is there then isn't whole. */
export const unfinishedRestore = path.join(env.DATA_DIR, 'restore-unfinished')

/**
 * For a restore: makes an embedded database without tables, or takes the one of `DATABASE_URL`.
 *
 * @throws {StartError} if it has tables.
 */
export async function openEmptyDatabase(): Promise<Close> {
  const place = env.DATABASE_URL ? withoutPassword(env.DATABASE_URL) : embeddedFolder
  process.stderr.write(`Database: ${place}\n`)
  return open((_url, database) => requireNoTables(database, place))
}

function requireFinishedRestore(): void {
  if (!existsSync(unfinishedRestore)) return
  throw new StartError(
    `A restore into ${env.DATA_DIR} didn’t finish, so what is there isn’t whole. Empty the folder and restore again.`,
  )
}

async function migrateDirectly(url: string): Promise<void> {
  const direct = openSingleConnection(env.DATABASE_DIRECT_URL ?? url, 'start')
  try {
    await migrateDatabase(direct)
  } finally {
    await direct.end({ timeout: 5 })
  }
}

/** @param limits for the product; a command may take its time, also in the middle of a transaction. */
async function open(
  prepareTables: (url: string, database: Database) => Promise<void>,
  { limits = false } = {},
): Promise<Close> {
  const embedded = env.DATABASE_URL ? null : await startEmbedded()
  const url = embedded?.url ?? env.DATABASE_URL ?? ''
  const { database, pool } = connect(url)
  const close = async () => {
    await pool.end({ timeout: 5 }).finally(() => embedded?.stop())
  }
  try {
    const isBehindPooler = await adaptToPooler(pool)
    if (limits && !isBehindPooler) pool.limitTransactions()
    requireUtf8(await encodingOf(pool.sql), url)
    await prepareTables(url, database)
  } catch (error) {
    await close()
    if (!env.DATABASE_URL || error instanceof StartError) throw error
    throw databaseRefusal(error, env.DATABASE_URL)
  }
  db = database
  sessionUrl = env.DATABASE_DIRECT_URL ?? url
  openPool = pool
  return close
}

/** A replica that is away when the product starts is taken for one behind a pooler. */
export async function stopPreparingBehindPooler(pool: Pool): Promise<void> {
  await adaptToPooler(pool).catch(() => pool.stopPreparing())
}

/** @returns whether a pooler is in front of the database. */
async function adaptToPooler(pool: Pool): Promise<boolean> {
  const pooled = await isPooled(pool.sql)
  if (pooled && env.DATABASE_PREPARE === 'auto') pool.stopPreparing()
  return pooled
}

async function startEmbedded() {
  try {
    return await startEmbeddedPostgres({ folder: embeddedFolder, log: (message) => log.info(message) })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** A pooler introduces itself with a session number of its own, where a server gives that of its process. */
async function isPooled(client: Sql): Promise<boolean> {
  const answer = await client.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
  return answer[0]?.pid !== answer.state.pid
}

async function encodingOf(client: Sql): Promise<string | undefined> {
  const [row] = await client.unsafe<{ encoding: string }[]>("select current_setting('server_encoding') as encoding")
  return row?.encoding
}
