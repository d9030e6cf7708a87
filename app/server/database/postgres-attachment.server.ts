import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/** Any number that nothing else in this database locks. */
const lockKey = 5_327_684_100
const connectTimeoutSeconds = 5
const retryMs = 1000

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

/**
 * A product's presence in a database: a session that holds a shared lock, and ends with the process however it ends.
 */
export type Attachment = {
  /** The server's address with name and password, without a database. */
  url: string
  /** Releases the lock and runs `ifLast` if no one else holds one. No one can attach until `ifLast` is done. */
  release(ifLast: () => Promise<void>): Promise<void>
}

/**
 * @param revive called while the database of an attached product does not answer any more, once a second.
 * @returns null if nobody answers at `url`, or not yet, or only with other passwords.
 */
export async function attach(url: string, revive: () => Promise<void>): Promise<Attachment | null> {
  let held = false
  let holdingAgain = false
  const sql = postgres(`${url}/postgres`, {
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    backoff: false,
    fetch_types: false,
    connect_timeout: connectTimeoutSeconds,
    connection: { application_name: 'learnify presence' },
    onnotice: () => {},
    onclose: () => void holdAgain(),
  })
  const hold = () => sql`select pg_advisory_lock_shared(${lockKey})`
  // PostgreSQL ends every session when one backend crashes, and goes on; or it was killed as a whole.
  const holdAgain = async () => {
    if (holdingAgain) return
    holdingAgain = true
    while (held) {
      await delay(retryMs, undefined, { ref: false })
      if (!held || (await succeeds(hold()))) break
      await succeeds(revive())
    }
    holdingAgain = false
  }
  try {
    const answered = await Promise.race([
      hold().then(() => true),
      delay(connectTimeoutSeconds * 1000, false, { ref: false }),
    ])
    if (!answered) throw new Error('No answer.')
  } catch {
    await sql.end({ timeout: 0 })
    return null
  }
  held = true
  return {
    url,
    async release(ifLast) {
      held = false
      const isLast = await sql`select pg_advisory_unlock_all()`
        .then(() => sql<[{ free: boolean }]>`select pg_try_advisory_lock(${lockKey}) as free`)
        .then(([{ free }]) => free)
        // A database that is gone has nothing to stop.
        .catch(() => false)
      if (isLast) await ifLast()
      await sql.end({ timeout: 1 })
    },
  }
}
