import type { Result } from '../result'
import type { Database, Transaction } from './client.server'

/**
 * Runs work in a transaction that is committed if the result is a success, and rolled back if it is
 * a failure.
 */
export async function transactionWithResult<Value>(
  db: Database,
  work: (tx: Transaction) => Promise<Result<Value>>,
  settings?: Parameters<Database['transaction']>[1],
): Promise<Result<Value>> {
  let failedResult: Result<Value> | null = null

  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      if (!result.ok) {
        failedResult = result
        tx.rollback()
      }

      return result
    }, settings)
  } catch (error) {
    // Drizzle rolls a transaction back by an exception.
    if (failedResult !== null) {
      return failedResult
    }

    throw error
  }
}
