import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { env, StartError } from '../env.server'
import { log } from '../log.server'
import { startEmbeddedPostgres } from './embedded-postgres.server'
import { migrateDatabase } from './migrate.server'
import * as schema from './schema'

export type Database = PostgresJsDatabase<typeof schema>
/** What the database and a transaction of it have in common. */
export type Statements = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>

/** The product's database; set by `openDatabase` before anything else starts. Queries take it as their first argument. */
export let db: Database

export function connect(url: string, { poolSize = env.DATABASE_POOL_SIZE, prepare = env.DATABASE_PREPARE } = {}) {
  const client = postgres(url, {
    max: poolSize,
    prepare,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'learnify' },
  })
  return { database: drizzle(client, { schema }), client }
}

async function startEmbedded() {
  try {
    return await startEmbeddedPostgres({ folder: `${env.DATA_DIR}/database`, log: (message) => log.info(message) })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

/**
 * Starts the embedded PostgreSQL, or uses the server of `DATABASE_URL`, and brings its tables up to date.
 *
 * @returns closes the connections, then stops what was started.
 * @throws {StartError} if the server of `DATABASE_URL` does not answer.
 */
export async function openDatabase(): Promise<() => Promise<void>> {
  const embedded = env.DATABASE_URL ? null : await startEmbedded()
  const { database, client } = connect(embedded?.url ?? env.DATABASE_URL ?? '')
  const close = async () => {
    await client.end({ timeout: 5 })
    await embedded?.stop()
  }
  try {
    await client`select 1`
    await migrateDatabase(client)
  } catch (error) {
    await close()
    if (!env.DATABASE_URL) throw error
    throw new StartError(`The database of DATABASE_URL cannot be used: ${(error as Error).message}`)
  }
  db = database
  return close
}
