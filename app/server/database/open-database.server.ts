/**
 * Opens the database for the product, for an operator's command or for a restore.
 *
 * The database is on the server of `DATABASE_URL`. Without that setting, it is in `DATA_DIR`, and
 * an embedded PostgreSQL server runs as long as the database is open.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { env, StartError } from '../env.server'
import { log } from '../operations/log.server'
import { refreshSite } from '../site/site.server'
import {
  connect,
  type Database,
  type SessionSettings,
  setProcessDatabase,
  statementTimeoutMs,
} from './client.server'
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
import { type DatabasePool, openConnection } from './pool.server'

export const embeddedDatabaseFolder = path.join(env.DATA_DIR, 'database')

/** This file marks `DATA_DIR` as incomplete while a restore is under way. */
export const unfinishedRestoreFile = path.join(env.DATA_DIR, 'restore-unfinished')

/** How long a transaction of a suspended process keeps its locks. */
const idleTransactionTimeoutMs = 30_000

/** A server that takes longer to accept a connection counts as one that does not respond. */
const connectionTimeoutMs = statementTimeoutMs

type CloseDatabase = () => Promise<void>

/**
 * Starts the embedded PostgreSQL or connects to the server of `DATABASE_URL`, and runs the
 * migrations.
 *
 * @returns a function that closes the connections, and then stops the embedded server unless
 * another process uses it
 * @throws {StartError} if the database can't be used, for example because the server of
 *   `DATABASE_URL` does not respond
 */
export async function openDatabase(): Promise<CloseDatabase> {
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
 * Runs an operator's command with an open database, and prints which database it is. The function
 * never creates a database and never runs migrations.
 *
 * @param options.needsFiles whether the command also needs the files in `DATA_DIR`
 * @throws {StartError} if there is no database with the tables of this version
 */
export async function withDatabase<Value>(
  runCommand: () => Promise<Value>,
  options?: { needsFiles?: boolean },
): Promise<Value> {
  const close = await openExistingDatabase(options)
  try {
    return await runCommand()
  } finally {
    await close()
  }
}

async function openExistingDatabase({ needsFiles = false } = {}): Promise<CloseDatabase> {
  const databaseName = announceDatabase()
  requireFinishedRestore()
  if (!env.DATABASE_URL && !existsSync(path.join(embeddedDatabaseFolder, 'cluster'))) {
    throw new StartError(
      `There’s no database in ${embeddedDatabaseFolder}. Set DATA_DIR or DATABASE_URL to the same value that the product runs with.`,
    )
  }

  if (needsFiles && !existsSync(env.DATA_DIR)) {
    throw new StartError(
      `There’s no folder ${env.DATA_DIR}. Set DATA_DIR to the same value that the product runs with.`,
    )
  }

  return connectAndPrepare(async (_url, database) => {
    await requireCurrentTables(database, databaseName)
    await refreshSite(database)
  })
}

/**
 * Opens a database without tables, for a restore. It creates an embedded database, or uses the one
 * of `DATABASE_URL`.
 *
 * @throws {StartError} if the database has tables
 */
export async function openEmptyDatabase(): Promise<CloseDatabase> {
  const databaseName = announceDatabase()
  return connectAndPrepare((_url, database) => requireNoTables(database, databaseName))
}

/** Prints for the operator which database a command uses, and returns its name. */
function announceDatabase(): string {
  const databaseName = env.DATABASE_URL
    ? describeDatabase(env.DATABASE_URL)
    : embeddedDatabaseFolder
  process.stderr.write(`Database: ${databaseName}\n`)

  return databaseName
}

/** @throws {StartError} if a restore into `DATA_DIR` did not finish */
export function requireFinishedRestore(): void {
  if (!existsSync(unfinishedRestoreFile)) {
    return
  }

  throw new StartError(
    `A restore into ${env.DATA_DIR} didn’t finish, so what is there isn’t whole. Empty the folder and restore again.`,
  )
}

/**
 * Opens the database, prepares its tables, and makes it the database `db` of this process. If
 * anything fails, everything is closed again.
 *
 * @param sessionSettings the settings of each session of the product. Commands have none, because
 * they may take longer than the time limits of the product.
 */
async function connectAndPrepare(
  prepareTables: (url: string, database: Database) => Promise<void>,
  sessionSettings?: SessionSettings,
): Promise<CloseDatabase> {
  const { url, stopServer } = await findOrStartServer()
  let pool: DatabasePool | undefined
  const close = async () => {
    await pool?.end()
    await stopServer()
  }

  try {
    await requireUtf8Server(url)
    const acceptedSettings = await findAcceptedSettings(url, sessionSettings)
    const connection = connect(url, { sessionSettings: acceptedSettings })
    pool = connection.pool
    await prepareTables(url, connection.database)
    setProcessDatabase({ ...connection, sessionUrl: env.DATABASE_DIRECT_URL ?? url })

    return close
  } catch (error) {
    await close()
    if (!env.DATABASE_URL || error instanceof StartError) {
      throw error
    }

    throw createConnectionError(error, env.DATABASE_URL)
  }
}

/**
 * Returns the server of `DATABASE_URL`. Without that setting, the function starts the embedded
 * server.
 */
async function findOrStartServer(): Promise<{ url: string; stopServer(): Promise<void> }> {
  if (env.DATABASE_URL) {
    return { url: env.DATABASE_URL, stopServer: async () => {} }
  }

  try {
    const { url, stop } = await startEmbeddedPostgres({
      folder: embeddedDatabaseFolder,
      log: (message) => log.info(message),
    })
    return { url, stopServer: stop }
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/** @throws {StartError} if the server does not store texts in UTF-8 */
async function requireUtf8Server(url: string): Promise<void> {
  const client = await openConnection(url, { connectionTimeoutMillis: connectionTimeoutMs })
  try {
    const { rows } = await client.query<{ encoding: string }>(
      "select current_setting('server_encoding') as encoding",
    )
    requireUtf8Encoding(rows[0]?.encoding, url)
  } finally {
    await client.end()
  }
}

/**
 * Returns the settings for a session if the server accepts them. A pooler refuses them, because
 * several clients share one of its sessions.
 */
async function findAcceptedSettings(
  url: string,
  sessionSettings: SessionSettings | undefined,
): Promise<SessionSettings | undefined> {
  if (!sessionSettings) {
    return undefined
  }

  try {
    const options = { ...sessionSettings, connectionTimeoutMillis: connectionTimeoutMs }
    const client = await openConnection(url, options)
    await client.end()
    return sessionSettings
  } catch (error) {
    const isRefusedByPooler = error instanceof Error && /startup parameter/.test(error.message)
    if (isRefusedByPooler) {
      return undefined
    }

    throw error
  }
}
