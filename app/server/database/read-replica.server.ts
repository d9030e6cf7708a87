import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { leaseMs } from '../background-lease.server'
import { env } from '../env.server'
import { log } from '../log.server'
import { readiness } from '../readiness.server'
import { currentVersion } from '../shared-state.server'
import { connect, type Database, db, stopPreparingBehindPooler } from './client.server'
import { executePreparedIn } from './prepared.server'

/** How far it may be behind with what no version tells of, such as a new enrollment. */
const mostLagMs = 10_000
/** How long a page waits for the replica before the primary is asked. */
const patienceMs = 2_000
/** After a failure it is tried again by a question that no page waits for, this often. */
const retryEveryMs = 250
const logAfterMs = 3_000
const warnAfterMs = 30_000

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
type Parts = {
  primary(): Database
  replica: Database
  /** The version that a page must not be behind; null while it isn't known. */
  known(): number | null
  /** Told when the replica starts or stops to be used, with the reason. */
  onTurn?(problem: string | null): void
  now?(): number
}

/** The replica has not replayed what this process knows of, or is too late in general. */
class Behind extends Error {}

/**
 * Reads what public pages show from a replica, and from the primary while the replica is away or behind. All of a page is
 * read in one snapshot together with the version that it belongs to, so that several replicas at one address do no harm.
 */
export class ReadReplica {
  readonly #parts: Required<Parts>
  readonly #transactions = new AsyncLocalStorage<Transaction>()
  /** Stable, for whatever is kept by database; asks the transaction of the page that is being read. */
  readonly #routed: Database
  #isTrusted = false
  #retryAt = Number.NEGATIVE_INFINITY
  #probe: Promise<void> | null = null

  constructor(parts: Parts) {
    this.#parts = { onTurn: () => {}, now: () => performance.now(), ...parts }
    this.#routed = new Proxy(parts.replica, {
      get: (replica, key) => Reflect.get(this.#transactions.getStore() ?? replica, key),
    })
  }

  /** @param work reads only; it may be called again on the primary. */
  async read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (!this.#isTrusted) this.#tryAgain()
    const answer = this.#isTrusted ? await this.#readHere(work) : null
    return answer ? answer.value : work(this.#parts.primary())
  }

  /** For tests: resolves once a question under way is answered. */
  async settled(): Promise<void> {
    await this.#probe
  }

  async #readHere<T>(work: (db: Database) => Promise<T>): Promise<{ value: T } | null> {
    try {
      return await inTime(
        this.#parts.replica.transaction(
          async (transaction) => {
            await this.#requireCurrent(transaction)
            return { value: await this.#transactions.run(transaction, () => work(this.#routed)) }
          },
          { isolationLevel: 'repeatable read', accessMode: 'read only' },
        ),
      )
    } catch (error) {
      this.#distrust(error)
      return null
    }
  }

  /** @throws {Behind} */
  async #requireCurrent(transaction: Transaction): Promise<void> {
    // The lease of background work is renewed every two seconds: a heartbeat, also where nothing else changes.
    const [row] = await executePreparedIn<{ version: number; lag: number | null }>(
      transaction,
      sql`select
      coalesce((select version from product_state where id = 1), 0)::float8 as version,
      (select extract(epoch from clock_timestamp() - expires_at) * 1000 + ${leaseMs}::int from background_lease where id = 1)::float8 as lag`,
    )
    const known = this.#parts.known()
    if (!row || known === null || row.version < known) throw new Behind('The read replica is behind a change.')
    if (row.lag === null || row.lag > mostLagMs) throw new Behind('The read replica is too far behind.')
  }

  #tryAgain(): void {
    if (this.#probe || this.#parts.now() < this.#retryAt) return
    this.#probe = this.#readHere(async () => true)
      .then((answer) => {
        if (!answer) return
        this.#isTrusted = true
        this.#parts.onTurn(null)
      })
      .finally(() => {
        this.#probe = null
      })
  }

  #distrust(error: unknown): void {
    this.#isTrusted = false
    this.#retryAt = this.#parts.now() + retryEveryMs
    this.#parts.onTurn(error instanceof Behind ? error.message : 'The read replica doesn’t answer.')
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in ${patienceMs / 1000} seconds.`)), patienceMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

let opened: ReadReplica | null = null

/**
 * What everybody may see, from the replica of `DATABASE_READ_URL` or from the primary. Not for what belongs to a learner.
 *
 * @param work reads only; it may be called twice.
 */
export function readPublic<T>(work: (db: Database) => Promise<T>): Promise<T> {
  return opened ? opened.read(work) : work(db)
}

/** Connects to the replica of `DATABASE_READ_URL`, if there is one; it may be away. @returns closes the connections. */
export async function openReadReplica(url = env.DATABASE_READ_URL): Promise<() => Promise<void>> {
  if (!url) return () => Promise.resolve()
  const { database, pool } = connect(url, { patience: patienceMs })
  await stopPreparingBehindPooler(pool)
  opened = new ReadReplica({
    primary: () => db,
    replica: database,
    known: currentVersion,
    onTurn: reportTurns(),
  })
  return async () => {
    opened = null
    await pool.end({ timeout: 5 })
  }
}

/**
 * In the log once each time it lasts, because every change is a moment ahead of its replica, and on `/readyz` when it goes on.
 *
 * @param options.now of a clock that never goes back.
 */
export function reportTurns({ now = () => performance.now() } = {}): (problem: string | null) => void {
  let since: number | null = null
  let isLogged = false
  return (problem) => {
    if (problem === null) {
      if (isLogged) log.info('public pages are read from the replica again')
      since = null
      isLogged = false
      readiness.warn('replica', null)
      return
    }
    since ??= now()
    const lastsMs = now() - since
    if (lastsMs >= logAfterMs && !isLogged) {
      isLogged = true
      log.warn({ problem }, 'public pages are read from the primary')
    }
    if (lastsMs > warnAfterMs) readiness.warn('replica', problem)
  }
}
