import { sql } from 'drizzle-orm'
import type { Statements } from '../database/client.server'
import { rootOf } from '../database/connection-error.server'
import { StartError } from '../env.server'

/** Any number; all processes agree on it. */
const contentLock = 7_301_002

/**
 * One process stores the content, others that start at the same time wait for it. The lock ends with the transaction.
 *
 * @throws {StartError} after a minute.
 */
export async function lockContent(transaction: Pick<Statements, 'execute'>): Promise<void> {
  await transaction.execute(sql`set local lock_timeout = '60s'`)
  await transaction.execute(sql`select pg_advisory_xact_lock(${contentLock})`).catch((error) => {
    if (rootOf(error).code !== '55P03') throw error
    throw new StartError(
      'Another process has been loading content for 60 seconds. Wait for it, or end it, and start again.',
    )
  })
}
