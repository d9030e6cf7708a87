import type { Result } from '../result'
import type { Database, Transaction } from './client.server'

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
