/**
 * Runs the queries of a search with a time limit, so that no search holds a database connection for
 * long. A search that takes longer ends with a response 503, which asks the visitor to try again.
 */
import { type SQL, sql } from 'drizzle-orm'
import { data } from 'react-router'
import type { Database, Statements } from '~/server/database/client.server'

/** A database, or a transaction of it. */
export type Connection = Pick<Statements, 'execute'>

const searchTooLong = 'This search takes too long right now. Try again in a moment, or add a word.'

const statementTimeoutMs = 1_000
/** PostgreSQL's code for a statement that was canceled, for example by the timeout. */
const queryCanceled = '57014'

/**
 * Runs the queries of one search in a transaction.
 *
 * @throws {Response} 503 if a statement takes longer than `statementTimeoutMs`
 */
export async function runSearchTransaction<Result>(
  db: Database,
  search: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (transaction) => {
      await transaction.execute(sql`
        select
          set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
          set_config('max_parallel_workers_per_gather', '0', true)`)
      return search(transaction)
    })
  } catch (error) {
    if (!isQueryCanceled(error)) {
      throw error
    }

    throw data(searchTooLong, { status: 503, headers: { 'Retry-After': '1' } })
  }
}

function isQueryCanceled(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code === queryCanceled || cause?.code === queryCanceled
}

/** Returns numbers as one parameter of a query. */
export const toIntegerArray = (numbers: readonly number[]): SQL =>
  sql`${`{${numbers.join()}}`}::int[]`

export async function listRows<Row>(connection: Connection, query: SQL): Promise<Row[]> {
  const { rows } = await connection.execute(query)
  return rows as Row[]
}

/**
 * Returns the only row of a query.
 *
 * @throws if the query returns no row, which a query without a FROM clause never does
 */
export async function readRow<Row>(connection: Connection, query: SQL): Promise<Row> {
  const [row] = await listRows<Row>(connection, query)
  if (row === undefined) {
    throw new Error('A query that always has a row returned none.')
  }

  return row
}
