import { type SQL, sql } from 'drizzle-orm'
import { data } from 'react-router'
import type { Database, Statements } from '~/server/database/client.server'

/** A database, or a transaction of it. */
export type Connection = Pick<Statements, 'execute'>

const searchTooLong = 'This search takes too long right now. Try again in a moment, or add a word.'

/** The limit of one statement, so that no search holds a connection for long. */
const longestMs = 1_000
const canceled = '57014'

/**
 * Searches in one transaction with a time limit.
 *
 * @throws {Response} 503 when a statement takes longer.
 */
export async function runSearch<Answer>(
  db: Database,
  search: (connection: Connection) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await db.transaction(async (transaction) => {
      await transaction.execute(sql`select set_config('statement_timeout', ${String(longestMs)}, true),
        set_config('max_parallel_workers_per_gather', '0', true)`)
      return search(transaction)
    })
  } catch (error) {
    if (!isCanceled(error)) {
      throw error
    }

    throw data(searchTooLong, { status: 503, headers: { 'Retry-After': '1' } })
  }
}

function isCanceled(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code === canceled || cause?.code === canceled
}

/** A parameter of numbers. */
export const integerArray = (numbers: readonly number[]): SQL =>
  sql`${`{${numbers.join()}}`}::int[]`

/** The rows of a statement. */
export async function listRows<Row>(connection: Connection, query: SQL): Promise<Row[]> {
  const { rows } = await connection.execute(query)
  return rows as Row[]
}
