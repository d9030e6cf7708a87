import { env } from '../env.server'
import { log } from '../operations/log.server'
import { connect, type Database, db } from './client.server'

/** How long a page waits for the replica before the primary is asked. */
const timeoutMs = 2_000
/** After a failure, pages are read from the primary for so long. */
const pauseMs = 10_000

let replica: Database | null = null
let pausedUntil = 0

/**
 * Reads public data from the replica of `DATABASE_READ_URL`, or from the primary if there is no
 * replica or it fails. Not for learners' data, because a replica lags a little behind.
 *
 * @param work reads only; it may be called twice.
 */
export async function readPublic<T>(work: (db: Database) => Promise<T>): Promise<T> {
  if (!replica || performance.now() < pausedUntil) {
    return work(db)
  }

  try {
    return await work(replica)
  } catch (error) {
    // A route throws a `Response` or `data` for an address that doesn't exist.
    if (!(error instanceof Error)) {
      throw error
    }

    log.warn(
      { err: error },
      'the replica failed: public pages are read from the primary for ten seconds',
    )
    pausedUntil = performance.now() + pauseMs

    return work(db)
  }
}

/**
 * Connects to the replica of `DATABASE_READ_URL`, if there is one; it may be away.
 *
 * @returns closes the connections.
 */
export async function openReadReplica(url = env.DATABASE_READ_URL): Promise<() => Promise<void>> {
  if (!url) {
    return async () => {}
  }

  const { database, pool } = connect(url, { timeoutMs })
  replica = database
  pausedUntil = 0

  return async () => {
    replica = null
    await pool.end()
  }
}
