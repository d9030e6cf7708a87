import { env } from '../env.server'
import { log } from '../operations/log.server'
import { connect, type Database, db } from './client.server'

/** How long a page waits for the replica before it is read from the primary. */
const timeoutMs = 2_000
/** How long pages are read from the primary after the replica has failed. */
const pauseMs = 10_000

let replica: Database | null = null
let pausedUntil = 0

/**
 * Reads public data from the replica of `DATABASE_READ_URL`. If there is no replica or it fails, the
 * data is read from the primary. Data of learners must not be read here, because a replica lags a little
 * behind.
 *
 * @param read changes nothing, and may be called twice
 */
export async function readPublic<T>(read: (db: Database) => Promise<T>): Promise<T> {
  if (!replica || performance.now() < pausedUntil) {
    return read(db)
  }

  try {
    return await read(replica)
  } catch (error) {
    // A route throws a `Response` or `data` for a URL that doesn't exist. The replica did not fail then.
    if (!(error instanceof Error)) {
      throw error
    }

    log.warn(
      { err: error },
      'the replica failed: public pages are read from the primary for ten seconds',
    )
    pausedUntil = performance.now() + pauseMs

    return read(db)
  }
}

/**
 * Connects to the replica of `DATABASE_READ_URL`, if there is one. The replica does not have to respond
 * yet.
 *
 * @returns a function that closes the connections
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
