import pg from 'pg'
import { currentTrace, type RequestTrace } from '../http/request-trace.server'
import { log } from '../operations/log.server'
import { databaseQuerySeconds, databaseWaitSeconds } from '../operations/metrics/counters.server'
import { isLostConnection } from './connection-error.server'

/** Opens a single connection outside of the pool. */
export async function openConnection(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...createConnectionOptions(url),
    connectionTimeoutMillis: 10_000,
    ...options,
  })

  // The running query fails with the same error. Without a listener, the error would end the
  // process.
  client.on('error', () => {})
  await client.connect()

  return client
}

/**
 * Lets `pg` read `sslmode` as PostgreSQL's own programs do: `require` encrypts the connection, and
 * only `verify-full` checks the name of the server.
 */
function createConnectionOptions(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl)
  if (url.searchParams.has('sslmode')) {
    url.searchParams.set('uselibpqcompat', 'true')
  }

  return { connectionString: url.href }
}

type Callback = Parameters<pg.Pool['connect']>[0]

/**
 * A pool that counts and times its queries and transactions, for the metrics and for the request
 * that runs them.
 */
export class DatabasePool extends pg.Pool {
  readonly #checkouts = new WeakMap<
    pg.PoolClient,
    { trace: RequestTrace | undefined; startedAt: number }
  >()

  constructor(url: string, options: pg.PoolConfig) {
    super({ ...createConnectionOptions(url), ...options, Client: Connection })
    this.on('error', (error) =>
      log.warn({ err: error }, 'an unused connection to the database was lost'),
    )
    this.on('release', (_error, client) => this.#recordRelease(client))
  }

  /** The number of connections in use, of waiting queries, and of connections at most. */
  get usage() {
    return {
      inUse: this.totalCount - this.idleCount,
      waiting: this.waitingCount,
      size: this.options.max,
    }
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const checkout = this.#checkOut()
    if (!callback) {
      return checkout
    }

    // A promise keeps the async context of this request. The pool would run the callback in the
    // context of the request that returned the connection.
    checkout.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )

    return undefined
  }

  /** Takes a connection from the pool, and records how long that took. */
  async #checkOut(): Promise<pg.PoolClient> {
    const trace = currentTrace()
    const requestedAt = performance.now()
    try {
      const client = await super.connect()
      this.#checkouts.set(client, { trace, startedAt: performance.now() })
      return client
    } finally {
      const waitedMs = performance.now() - requestedAt
      databaseWaitSeconds.observe(waitedMs / 1000)
      if (trace) {
        trace.poolWaitMs += waitedMs
      }
    }
  }

  #recordRelease(client: pg.PoolClient): void {
    const checkout = this.#checkouts.get(client)
    if (!checkout) {
      return
    }

    this.#checkouts.delete(client)
    const { trace, startedAt } = checkout
    const durationMs = performance.now() - startedAt
    databaseQuerySeconds.observe(durationMs / 1000)
    if (trace) {
      trace.queryCount += 1
      trace.sqlMs += durationMs
    }
  }
}

/**
 * A connection that leaves the pool when it is unusable. This class works around a bug in Drizzle
 * (https://github.com/drizzle-team/drizzle-orm/issues/6114): a transaction whose BEGIN failed never
 * releases its connection, and another one may release a connection that still waits for a
 * response.
 */
class Connection extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super(options)
    // The running query fails with the same error. Without a listener, the error would end the
    // process.
    this.on('error', () => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: all overloads pass through as they are.
  override query(...parameters: any[]): any {
    const result: unknown = super.query(...(parameters as Parameters<pg.Client['query']>))
    // Only queries of the pool itself have a callback instead of a promise. The pool removes the
    // connection of such a query when it fails.
    if (result instanceof Promise) {
      result.catch((error) => this.#leavePoolIfUnusable(error, parameters[0]))
    }

    return result
  }

  #leavePoolIfUnusable(error: unknown, { text }: { text?: string }): void {
    if (text?.startsWith('begin')) {
      ;(this as unknown as pg.PoolClient).release(true)
    } else if (isLostConnection(error)) {
      void this.end()
    }
  }
}
