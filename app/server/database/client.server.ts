import type { Logger } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { env } from '../env.server'
import type { Result } from '../result'
import { DatabasePool } from './pool.server'
import * as schema from './schema'

export type Database = NodePgDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** A database or a transaction, for functions that run statements in either. */
export type Statements = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>

/**
 * The database of this process. It is set before any other part starts (`open-database.server.ts`).
 * Queries take a database as their first argument, so that tests can use their own.
 */
export let db: Database

/** The URL of the database without a pooler, for a program that needs a session of its own. */
export let sessionUrl: string

let openPool: DatabasePool | null = null

type OpenedDatabase = { database: Database; pool: DatabasePool; sessionUrl: string }

/** Makes an opened database the database of this process. */
export function setProcessDatabase(opened: OpenedDatabase): void {
  db = opened.database
  openPool = opened.pool
  sessionUrl = opened.sessionUrl
}

/** Returns how many connections are in use, or null before the database is open. */
export function getPoolUsage(): DatabasePool['usage'] | null {
  return openPool?.usage ?? null
}

/** The time limit of a statement, and of the wait for a connection. */
export const statementTimeoutMs = 8_000
/** The time limit of a statement in `withOwnConnection`. */
const longStatementTimeoutMs = 60 * 60_000
/** Idle connections are kept for a while, because PostgreSQL starts a process for each new one. */
const idleConnectionMs = 5 * 60_000

/** The settings of each session. A pooler refuses them. */
export type SessionSettings = Pick<
  pg.PoolConfig,
  'statement_timeout' | 'idle_in_transaction_session_timeout'
>

type ConnectOptions = {
  poolSize?: number
  timeoutMs?: number
  sessionSettings?: SessionSettings
  logger?: Logger
}

/** Creates a pool of connections, which are opened when they are needed. */
export function connect(
  url: string,
  {
    poolSize = env.DATABASE_POOL_SIZE,
    timeoutMs = statementTimeoutMs,
    sessionSettings,
    logger,
  }: ConnectOptions = {},
) {
  const pool = new DatabasePool(url, {
    ...sessionSettings,
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
 * Runs a task that takes minutes, such as storing all content, on a connection of its own, without
 * the time limit of the pool.
 */
export async function withOwnConnection<Value>(
  task: (db: Database) => Promise<Value>,
): Promise<Value> {
  const { database, pool } = connect(sessionUrl, { poolSize: 1, timeoutMs: longStatementTimeoutMs })
  try {
    return await task(database)
  } finally {
    await pool.end()
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
