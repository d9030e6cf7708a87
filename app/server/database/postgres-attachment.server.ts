import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/** Any number that nothing else in this database locks. */
const lockKey = 5_327_684_100
const connectTimeoutSeconds = 5
const retryMs = 1000
/** For how long a server may recover before a product that stops gives up asking it. */
const silenceMs = 5000
const pollMs = 50

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
  /**
   * Releases the lock and runs `ifLast` if no one else holds one. No one can attach until `ifLast` is done. A server that can't
   * be asked for a while is silent: nobody knows then who else holds one.
   */
  release(ifLast: (isSilent: boolean) => Promise<void>): Promise<void>
}

/** What serves the database. */
type Server = {
  isUp(): Promise<boolean>
  /** Called while nobody answers there, once a second. */
  revive(): Promise<void>
}

/** @returns null if nobody answers at `url`, or not yet, or only with other passwords. */
export async function attach(url: string, server: Server): Promise<Attachment | null> {
  let held = false
  let holdingAgain: Promise<void> | undefined
  const released = new AbortController()
  const sql = postgres(`${url}/postgres`, {
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    backoff: false,
    fetch_types: false,
    connect_timeout: connectTimeoutSeconds,
    connection: { application_name: 'learnify presence' },
    onnotice: () => {},
    onclose: () => {
      if (held) holdingAgain ??= holdAgain()
    },
  })
  const hold = () => sql`select pg_advisory_lock_shared(${lockKey})`
  // PostgreSQL ends every session when one backend crashes, and goes on; or it was killed as a whole.
  const holdAgain = async () => {
    while (held) {
      await delay(retryMs, undefined, { ref: false, signal: released.signal }).catch(() => {})
      if (!held || (await succeeds(hold()))) break
      if (held) await succeeds(server.revive())
    }
    holdingAgain = undefined
  }
  /** @returns null if it can't be asked. */
  const isLast = () =>
    sql`select pg_advisory_unlock_all()`
      .then(() => sql<[{ free: boolean }]>`select pg_try_advisory_lock(${lockKey}) as free`)
      .then(([{ free }]) => free)
      .catch(() => null)
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
      released.abort()
      await holdingAgain
      const giveUpAt = performance.now() + silenceMs
      let answer = await isLast()
      // After a crash it recovers first.
      while (answer === null && performance.now() < giveUpAt && (await server.isUp())) {
        await delay(pollMs)
        answer = await isLast()
      }
      if (answer !== false) await ifLast(answer === null)
      await sql.end({ timeout: 1 })
    },
  }
}
