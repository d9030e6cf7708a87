import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { env, StartError } from '../env.server'
import { log } from '../operations/log.server'
import type { Result } from '../result'
import { refreshSite } from '../site/site.server'
import {
  createConnectionError,
  describeDatabase,
  requireUtf8Encoding,
} from './connection-error.server'
import { startEmbeddedPostgres } from './embedded-postgres.server'
import {
  migrateDatabase,
  requireCurrentTables,
  requireKnownColumns,
  requireNoTables,
} from './migrate.server'
import { DatabasePool, openConnection } from './pool.server'
import * as schema from './schema'

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

export type Database = NodePgDatabase<typeof schema>
/** A database or a transaction, for functions that run statements in either. */
export type Statements = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>
type Close = () => Promise<void>

/**
 * The database of this process. `openDatabase` sets it before any other part starts. Queries take a
 * database as their first argument, so that tests can use their own.
 */
export let db: Database

/** The URL for a program that needs its own session. It leads to the database without a pooler. */
export let sessionUrl: string

let openPool: DatabasePool | null = null

/** Returns how many connections are in use, or null before the database is open. */
export function poolFigures(): DatabasePool['figures'] | null {
  return openPool?.figures ?? null
}

export const embeddedFolder = path.join(env.DATA_DIR, 'database')

/** The time limit of a statement, and of the wait for a connection. */
const statementTimeoutMs = 8_000
/** How long a transaction of a suspended process keeps its locks. */
const idleTransactionTimeoutMs = 30_000
/** The time limit of a statement in `withOwnConnection`. */
const longStatementTimeoutMs = 60 * 60_000
/** Idle connections are kept for a while, because PostgreSQL starts a process for each new one. */
const idleConnectionMs = 5 * 60_000

type ConnectOptions = {
  poolSize?: number
  timeoutMs?: number
  /** The settings of each session. A pooler refuses them. */
  session?: Pick<pg.PoolConfig, 'statement_timeout' | 'idle_in_transaction_session_timeout'>
  logger?: Logger
}

/** Creates a pool of connections, which are opened when they are needed. */
export function connect(
  url: string,
  {
    poolSize = env.DATABASE_POOL_SIZE,
    timeoutMs = statementTimeoutMs,
    session,
    logger,
  }: ConnectOptions = {},
) {
  const pool = new DatabasePool(url, {
    ...session,
    application_name: 'learnify',
    max: poolSize,
    connectionTimeoutMillis: timeoutMs,
    // The server's own limit comes first. This one is for a server that does not respond at all.
    query_timeout: timeoutMs * 1.25,
    idleTimeoutMillis: idleConnectionMs,
    keepAlive: true,
  })

  return { database: drizzle({ client: pool, schema, logger }), pool }
}

/**
 * Starts the embedded PostgreSQL or connects to the server of `DATABASE_URL`, and runs the migrations.
 *
 * @returns a function that closes the connections, and then stops the embedded server unless another
 * product uses it
 * @throws {StartError} if the server of `DATABASE_URL` does not respond
 */
export async function openDatabase(): Promise<Close> {
  requireFinishedRestore()
  const prepareTables = async (url: string, database: Database) => {
    await migrateDatabase(env.DATABASE_DIRECT_URL ?? url)
    await requireKnownColumns(database)
    await refreshSite(database)
  }

  return connectAndPrepare(prepareTables, {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  })
}

/**
 * Runs work that takes minutes, such as storing all content, on a connection of its own, without the
 * time limit of the pool.
 */
export async function withOwnConnection<Result>(
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { database, pool } = connect(sessionUrl, { poolSize: 1, timeoutMs: longStatementTimeoutMs })
  try {
    return await work(database)
  } finally {
    await pool.end()
  }
}

/**
 * Runs an operator's command with an open database, and prints which database it is. The function never
 * creates a database and never runs migrations.
 *
 * @param options.files whether the command also needs the files in `DATA_DIR`
 * @throws {StartError} if there is no database with the tables of this version
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
  const databaseName = printDatabaseName()
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

  return connectAndPrepare(async (_url, database) => {
    await requireCurrentTables(database, databaseName)
    await refreshSite(database)
  })
}

/** A file that marks `DATA_DIR` as incomplete while a restore is under way. */
export const unfinishedRestore = path.join(env.DATA_DIR, 'restore-unfinished')

/**
 * Opens a database without tables, for a restore. It creates an embedded database, or uses the one of
 * `DATABASE_URL`.
 *
 * @throws {StartError} if the database has tables
 */
export async function openEmptyDatabase(): Promise<Close> {
  const databaseName = printDatabaseName()
  return connectAndPrepare((_url, database) => requireNoTables(database, databaseName))
}

/** Tells the operator which database a command uses, and returns its name. */
function printDatabaseName(): string {
  const databaseName = env.DATABASE_URL ? describeDatabase(env.DATABASE_URL) : embeddedFolder
  process.stderr.write(`Database: ${databaseName}\n`)

  return databaseName
}

/** @throws {StartError} if a restore into `DATA_DIR` did not finish */
export function requireFinishedRestore(): void {
  if (!existsSync(unfinishedRestore)) {
    return
  }

  throw new StartError(
    `A restore into ${env.DATA_DIR} didn’t finish, so what is there isn’t whole. Empty the folder and restore again.`,
  )
}

/**
 * Opens the database, prepares its tables, and sets `db`. If anything fails, everything is closed again.
 *
 * @param session the settings of each session of the product. Commands have none, because they may
 * take longer than the time limits of the product.
 */
async function connectAndPrepare(
  prepareTables: (url: string, database: Database) => Promise<void>,
  session?: ConnectOptions['session'],
): Promise<Close> {
  const embeddedServer = env.DATABASE_URL ? null : await startEmbeddedServer()
  const url = embeddedServer?.url ?? env.DATABASE_URL ?? ''
  let pool: DatabasePool | undefined
  const close = async () => {
    await pool?.end()
    await embeddedServer?.stop()
  }

  try {
    const hasOwnSessions = await checkServer(url, session)
    const connection = connect(url, { session: hasOwnSessions ? session : undefined })
    pool = connection.pool
    await prepareTables(url, connection.database)
    db = connection.database
  } catch (error) {
    await close()
    if (!env.DATABASE_URL || error instanceof StartError) {
      throw error
    }

    throw createConnectionError(error, env.DATABASE_URL)
  }

  sessionUrl = env.DATABASE_DIRECT_URL ?? url
  openPool = pool

  return close
}

/**
 * Connects once, and requires the encoding UTF-8.
 *
 * @returns whether the server accepts settings for a session. A pooler refuses them, because several
 * clients share one of its sessions.
 */
async function checkServer(url: string, session: ConnectOptions['session']): Promise<boolean> {
  const options = { ...session, connectionTimeoutMillis: statementTimeoutMs }
  const client = await openConnection(url, options).catch((error) => {
    if (session && /startup parameter/.test(error.message)) {
      return null
    }

    throw error
  })

  if (!client) {
    await checkServer(url, undefined)
    return false
  }

  try {
    const { rows } = await client.query<{ encoding: string }>(
      "select current_setting('server_encoding') as encoding",
    )
    requireUtf8Encoding(rows[0]?.encoding, url)
    return true
  } finally {
    await client.end()
  }
}

async function startEmbeddedServer() {
  try {
    return await startEmbeddedPostgres({
      folder: embeddedFolder,
      log: (message) => log.info(message),
    })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** Runs a task in a transaction, which is committed on success and rolled back on failure. */
export async function commitOnSuccess<Value>(
  db: Database,
  task: (tx: Transaction) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  let failedResult: Result<Value> | null = null

  try {
    return await db.transaction(async (tx) => {
      const result = await task(tx)
      if (!result.ok) {
        failedResult = result
        // Drizzle rolls back by throwing an exception, which the catch block below receives.
        tx.rollback()
      }

      return result
    })
  } catch (error) {
    if (failedResult !== null) {
      return failedResult
    }

    throw error
  }
}
