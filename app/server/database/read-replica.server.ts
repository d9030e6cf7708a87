import { env } from '../env.server'
import { log } from '../operations/log.server'
import { connect, type Database, db as primaryDatabase } from './client.server'
import { findRootCause } from './connection-error.server'

/** How long a page waits for the replica before its data is read from the primary. */
const replicaTimeoutMs = 2_000
/** How long all reads go to the primary after the replica has failed. */
const replicaPauseMs = 10_000

let replica: Database | null = null
let pausedUntilMs = 0

/**
 * Reads public data from the replica of `DATABASE_READ_URL`. If there is no replica or it fails,
 * the data is read from the primary. Data of learners must not be read here, because a replica lags
 * a little behind.
 *
 * @param read must change nothing, because it is called again on the primary if the replica fails
 */
export async function readPublic<T>(read: (db: Database) => Promise<T>): Promise<T> {
  if (!replica || performance.now() < pausedUntilMs) {
    return read(primaryDatabase)
  }

  try {
    return await read(replica)
  } catch (error) {
    if (wouldFailOnPrimary(error)) {
      throw error
    }

    log.warn(
      { err: error },
      'the replica failed: public pages are read from the primary for ten seconds',
    )
    pausedUntilMs = performance.now() + replicaPauseMs

    return read(primaryDatabase)
  }
}

/**
 * Returns whether the same error is to be expected from the primary. Every other error counts as a
 * failure of the replica, such as a lost connection, a conflict with recovery, or a table that it
 * does not have yet.
 */
function wouldFailOnPrimary(error: unknown): boolean {
  // A route throws a `Response` or `data` for a URL that doesn't exist.
  if (!(error instanceof Error)) {
    return true
  }

  const rootCause = findRootCause(error)
  // Class 22 is for values that PostgreSQL refuses, such as a text that is no number.
  const isInvalidValue = 'severity' in rootCause && /^22/.test(rootCause.code ?? '')
  return isInvalidValue || programmingErrors.some((type) => rootCause instanceof type)
}

const programmingErrors = [TypeError, RangeError, ReferenceError]

/**
 * Connects to the replica of `DATABASE_READ_URL`, if there is one. The replica does not have to
 * respond yet.
 *
 * @returns a function that closes the connections
 */
export async function openReadReplica(url = env.DATABASE_READ_URL): Promise<() => Promise<void>> {
  if (!url) {
    return async () => {}
  }

  const { database, pool } = connect(url, { timeoutMs: replicaTimeoutMs })
  replica = database
  pausedUntilMs = 0

  return async () => {
    replica = null
    await pool.end()
  }
}
