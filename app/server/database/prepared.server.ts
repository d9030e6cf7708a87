import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Sql } from 'postgres'
import type { Database } from './client.server'
import { isUnknownStatement } from './pool.server'

const dialect = new PgDialect()

/**
 * Runs a frequent statement as a prepared one: one round trip, and planned once a connection. Drizzle's own `execute`
 * prepares nothing, so that PostgreSQL describes and plans the statement every time. Not for use in a transaction.
 */
export async function executePrepared<Row>(database: Database, query: SQL): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query)
  const { $client } = database as Database & { $client: Sql }
  const run = () =>
    $client.unsafe<Row[] & Record<string, unknown>[]>(sql, params as string[], { prepare: true }).execute()
  return run().catch((error) => {
    // It has not run, and the pool prepares no more.
    if (isUnknownStatement(error)) return run()
    throw error
  })
}
