import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { StartError } from '../env.server'
import type { Statements } from './client.server'

/** Any numbers; all processes agree on them. */
const keys = { content: 7_301_002 }
const retryMs = 200

type Lock = keyof typeof keys
type Transaction = Pick<Statements, 'execute'>

/**
 * One process loads the content, others that start at the same time wait for it. The lock ends with the transaction. It is
 * asked for again and again, because a statement that waits would meet the time limit of the connection.
 *
 * @throws {StartError} after a minute.
 */
export async function lockForStart(transaction: Transaction, what: Lock, { timeoutMs = 60_000 } = {}): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs
  while (!(await tryLock(transaction, what))) {
    if (performance.now() >= giveUpAt) {
      throw new StartError(
        `Another process has been changing the ${what} of the database for ${timeoutMs / 1000} seconds. Wait for it, or end it, and start again.`,
      )
    }
    await delay(retryMs)
  }
}

/** Takes the lock of `lockForStart` unless another process has it. @returns whether it did. */
async function tryLock(transaction: Transaction, what: Lock): Promise<boolean> {
  const { rows } = await transaction.execute(sql`select pg_try_advisory_xact_lock(${keys[what]}::bigint) as held`)
  return rows[0]?.held === true
}
