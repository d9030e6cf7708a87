import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { env, StartError } from '../env.server'
import { log } from '../operations/log.server'
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
/** The database or a transaction of it. */
export type Statements = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>
type Close = () => Promise<void>

/**
 * The product's database; set by `openDatabase` before anything else starts. Queries take it as
 * their first argument.
 */
export let db: Database

/**
 * The address of the database, without a pooler where there is one: for a program that has a
 * session of its own.
 */
export let sessionUrl: string

let openPool: DatabasePool | null = null

/** How busy the product's connections are; null before there are any. */
export function poolFigures(): DatabasePool['figures'] | null {
  return openPool?.figures ?? null
}

export const embeddedFolder = path.join(env.DATA_DIR, 'database')

/** The time limit of a statement, and of the wait for a connection. */
const statementTimeoutMs = 8_000
/** How long a transaction of a suspended process holds its locks. */
const idleTransactionTimeoutMs = 30_000
const longWorkMs = 60 * 60_000
/** A new connection costs PostgreSQL a process. */
const idleConnectionMs = 5 * 60_000

type ConnectOptions = {
  poolSize?: number
  timeoutMs?: number
  /** Settings of each session; a pooler refuses them. */
  session?: Pick<pg.PoolConfig, 'statement_timeout' | 'idle_in_transaction_session_timeout'>
  logger?: Logger
}

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
    // Later than the server's own limit, for a server that doesn't answer at all.
    query_timeout: timeoutMs * 1.25,
    idleTimeoutMillis: idleConnectionMs,
    keepAlive: true,
  })

  return { database: drizzle({ client: pool, schema, logger }), pool }
}

/**
 * Starts the embedded PostgreSQL, or uses the server of `DATABASE_URL`, and brings its tables up to
 * date.
 *
 * @returns closes the connections, then stops the embedded server if this call started it.
 * @throws {StartError} if the server of `DATABASE_URL` does not answer.
 */
export async function openDatabase(): Promise<Close> {
  requireFinishedRestore()
  const prepareTables = async (url: string, database: Database) => {
    await migrateDatabase(env.DATABASE_DIRECT_URL ?? url)
    await requireKnownColumns(database)
    await refreshSite(database)
  }

  return open(prepareTables, {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  })
}

/**
 * For work that takes minutes, such as storing all content: a connection of its own, without the
 * time limit of the pool.
 */
export async function withOwnConnection<Result>(
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { database, pool } = connect(sessionUrl, { poolSize: 1, timeoutMs: longWorkMs })
  try {
    return await work(database)
  } finally {
    await pool.end()
  }
}

/**
 * For the operator's commands: says which database it is, opens it for the time of the work, and
 * never makes or changes one.
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
  const place = env.DATABASE_URL ? describeDatabase(env.DATABASE_URL) : embeddedFolder
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

  return open(async (_url, database) => {
    await requireCurrentTables(database, place)
    await refreshSite(database)
  })
}

/** A file that marks `DATA_DIR` as incomplete while a restore is under way. */
export const unfinishedRestore = path.join(env.DATA_DIR, 'restore-unfinished')

/**
 * For a restore: makes an embedded database without tables, or takes the one of `DATABASE_URL`.
 *
 * @throws {StartError} if it has tables.
 */
export async function openEmptyDatabase(): Promise<Close> {
  const place = env.DATABASE_URL ? describeDatabase(env.DATABASE_URL) : embeddedFolder
  process.stderr.write(`Database: ${place}\n`)
  return open((_url, database) => requireNoTables(database, place))
}

export function requireFinishedRestore(): void {
  if (!existsSync(unfinishedRestore)) {
    return
  }

  throw new StartError(
    `A restore into ${env.DATA_DIR} didn’t finish, so what is there isn’t whole. Empty the folder and restore again.`,
  )
}

/** @param session for the product; a command may take its time. */
async function open(
  prepareTables: (url: string, database: Database) => Promise<void>,
  session?: ConnectOptions['session'],
): Promise<Close> {
  const embedded = env.DATABASE_URL ? null : await startEmbedded()
  const url = embedded?.url ?? env.DATABASE_URL ?? ''
  let pool: DatabasePool | undefined
  const close = async () => {
    await pool?.end()
    await embedded?.stop()
  }
  try {
    const isPooled = !(await inspect(url, session))
    const opened = connect(url, { session: isPooled ? undefined : session })
    pool = opened.pool
    await prepareTables(url, opened.database)
    db = opened.database
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
 * @returns whether sessions may have settings of their own: a pooler, which shares its sessions,
 * refuses them.
 */
async function inspect(url: string, session: ConnectOptions['session']): Promise<boolean> {
  const options = { ...session, connectionTimeoutMillis: statementTimeoutMs }
  const client = await openConnection(url, options).catch((error) => {
    if (session && /startup parameter/.test(error.message)) {
      return null
    }

    throw error
  })

  if (!client) {
    await inspect(url, undefined)
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

async function startEmbedded() {
  try {
    return await startEmbeddedPostgres({
      folder: embeddedFolder,
      log: (message) => log.info(message),
    })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}
