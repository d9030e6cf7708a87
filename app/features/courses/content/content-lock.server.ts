import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { findRootCause } from '~/server/database/connection-error.server'
import { failure, type Result, success } from '~/server/result'

/** The number of the content's advisory lock. No other lock of the database has this number. */
const contentLockKey = 7_301_002

/** PostgreSQL's error code for a lock that was not available in time. */
const lockNotAvailable = '55P03'

/**
 * Takes the lock that lets one process at a time change the content. The lock ends with the
 * transaction.
 *
 * @returns a failure if another process keeps the lock for longer than `maxWaitSeconds`. The
 *   transaction can only be rolled back then.
 */
export async function lockContent(
  transaction: Pick<Statements, 'execute'>,
  { maxWaitSeconds = 60 } = {},
): Promise<Result> {
  const maxWait = `${maxWaitSeconds}s`
  try {
    await transaction.execute(sql`select set_config('lock_timeout', ${maxWait}, true)`)
    await transaction.execute(sql`select pg_advisory_xact_lock(${contentLockKey})`)
    // The limit is for this lock only. Later statements wait for rows as long as elsewhere.
    await transaction.execute(sql`set local lock_timeout to default`)
  } catch (error) {
    if (findRootCause(error).code !== lockNotAvailable) {
      throw error
    }

    return failure(
      `Another process has been loading content for ${maxWaitSeconds} seconds. Wait for it, or end it, and start again.`,
    )
  }

  return success()
}

/**
 * Loading a large school takes minutes. A request can't wait for that, because the database cancels
 * its statements after `statementTimeoutMs`.
 */
const maxRequestWaitSeconds = 2

/** Takes the lock for an action of staff. The failure's message is for them. */
export async function lockContentForRequest(
  transaction: Pick<Statements, 'execute'>,
): Promise<Result> {
  const result = await lockContent(transaction, { maxWaitSeconds: maxRequestWaitSeconds })
  return result.ok ? result : failure('The content is being loaded. Try again in a minute.')
}
