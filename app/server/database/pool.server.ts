import pg from 'pg'
import { currentTrace, type RequestTrace } from '../http/request-trace.server'
import { log } from '../operations/log.server'
import { databaseQuerySeconds, databaseWaitSeconds } from '../operations/metrics/counters.server'
import { isLostConnection } from './connection-error.server'

/**
 * `sslmode` as PostgreSQL's own programs read it: `require` encrypts, and only `verify-full` checks
 * the server's name.
 */
function addressOptions(url: string): pg.ClientConfig {
  const address = new URL(url)
  if (address.searchParams.has('sslmode')) {
    address.searchParams.set('uselibpqcompat', 'true')
  }

  return { connectionString: address.href }
}

/** One connection beside the pool, for a program that works by itself. */
export async function openConnection(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const session = new pg.Client({
    ...addressOptions(url),
    connectionTimeoutMillis: 10_000,
    ...options,
  })

  // The query under way fails with the same error; without a listener it would end the process.
  session.on('error', () => {})
  await session.connect()

  return session
}

type Callback = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that counts and times its queries and transactions, in total and for the request that asks
 * them.
 */
export class DatabasePool extends pg.Pool {
  readonly #lent = new WeakMap<pg.PoolClient, { trace: RequestTrace | undefined; since: number }>()

  constructor(url: string, options: pg.PoolConfig) {
    super({ ...addressOptions(url), ...options, Client: Connection })
    this.on('error', (error) =>
      log.warn({ err: error }, 'an unused connection to the database was lost'),
    )
    this.on('release', (_error, client) => this.#noteReturn(client))
  }

  /** Busy connections, waiting queries and the maximum number of connections. */
  get figures() {
    return {
      inUse: this.totalCount - this.idleCount,
      waiting: this.waitingCount,
      size: this.options.max,
    }
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const lent = this.#lend()
    if (!callback) {
      return lent
    }

    // A promise preserves the request's async context; the pool's callback would run in that of
    // another request.
    lent.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )

    return undefined
  }

  async #lend(): Promise<pg.PoolClient> {
    const trace = currentTrace()
    const askedAt = performance.now()
    try {
      const client = await super.connect()
      this.#lent.set(client, { trace, since: performance.now() })
      return client
    } finally {
      const waitedMs = performance.now() - askedAt
      databaseWaitSeconds.observe(waitedMs / 1000)
      if (trace) {
        trace.poolMs += waitedMs
      }
    }
  }

  #noteReturn(client: pg.PoolClient): void {
    const lent = this.#lent.get(client)
    if (!lent) {
      return
    }

    this.#lent.delete(client)
    const tookMs = performance.now() - lent.since
    databaseQuerySeconds.observe(tookMs / 1000)
    if (!lent.trace) {
      return
    }

    lent.trace.queries += 1
    lent.trace.sqlMs += tookMs
  }
}

/**
 * A connection that leaves the pool when it is unusable. Drizzle's transactions don't release one
 * whose BEGIN failed, and release one that still waits for a response
 * (https://github.com/drizzle-team/drizzle-orm/issues/6114).
 */
class Connection extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options)
    // The query under way fails with the same error; without a listener it would end the process.
    this.on('error', () => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: all overloads pass through as they are.
  override query(...parts: any[]): any {
    const answer: unknown = super.query(...(parts as Parameters<pg.Client['query']>))
    // The pool's own queries are asked with a callback, and it drops the connection of one that
    // fails.
    if (answer instanceof Promise) {
      answer.catch((error) => this.#leavePool(error, parts[0]))
    }

    return answer
  }

  #leavePool(error: unknown, { text }: { text?: string }): void {
    if (text?.startsWith('begin')) {
      ;(this as unknown as pg.PoolClient).release(true)
    } else if (isLostConnection(error)) {
      void this.end()
    }
  }
}
