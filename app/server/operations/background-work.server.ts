import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import { type Database, db } from '../database/client.server'
import { log, reportError } from './log.server'
import { trackRun } from './metrics/counters.server'

/** How often the lease is renewed, or asked for. */
const lookEveryMs = 2_000
/**
 * The margin before the lease ends in which no new step begins, because another process may take
 * over.
 */
const marginMs = 1_000

type Job = {
  name: string
  everyMs: number
  /**
   * Does the due work. Each step must be idempotent, because a process that was suspended may
   * resume while another one does the same work.
   *
   * @param mayGoOn false once another process may have taken over; to be checked before each step.
   */
  run(mayGoOn: () => boolean): Promise<unknown>
}
type Lease = { take(): Promise<number | null>; release(): Promise<void> }
type Running = { job: Job; dueAt: number; run: Promise<void> | null }

/**
 * Scheduled work, done by one process at a time: the holder of the lease. When it stops, another
 * one takes over within `lookEveryMs`; when it crashes or hangs, after at most `leaseMs` more.
 */
export class BackgroundWork {
  readonly #now: () => number
  readonly #jobs = new Set<Running>()
  #lease: Lease | null = null
  #heldUntil = Number.NEGATIVE_INFINITY
  #term: number | null = null
  #timer: NodeJS.Timeout | undefined
  #look: Promise<void> | null = null

  constructor({ now = () => performance.now() } = {}) {
    this.#now = now
  }

  /** True while no other process does this work. */
  get isHeld(): boolean {
    return this.#now() < this.#heldUntil
  }

  /** @returns stops the job, after the run under way. */
  add(job: Job): () => Promise<void> {
    const running: Running = { job, dueAt: this.#now() + job.everyMs, run: null }
    this.#jobs.add(running)

    return async () => {
      this.#jobs.delete(running)
      await running.run
    }
  }

  /** @returns ends it, once nothing runs any more. */
  start(lease: Lease): () => Promise<void> {
    this.#lease = lease
    this.#timer = setInterval(() => this.#lookOnce(), lookEveryMs).unref()
    this.#lookOnce()

    return async () => {
      clearInterval(this.#timer)
      await this.#look
      await Promise.all([...this.#jobs].map(({ run }) => run))
      if (!this.isHeld) {
        return
      }

      this.#heldUntil = Number.NEGATIVE_INFINITY
      await lease.release().catch(() => {})
    }
  }

  #lookOnce(): void {
    this.#look ??= this.#takeLease()
      .catch((error) =>
        log.debug({ err: error }, 'the lease of background work could not be renewed'),
      )
      .finally(() => {
        this.#look = null
        this.#runDue()
      })
  }

  async #takeLease(): Promise<void> {
    // From before it was asked for: the database counts from later.
    const askedAt = this.#now()
    const term = (await this.#lease?.take()) ?? null
    this.#heldUntil = term === null ? Number.NEGATIVE_INFINITY : askedAt + leaseMs - marginMs
    if (term !== null && term !== this.#term) {
      log.info({ term }, 'this process does the background work')
    }

    if (term === null && this.#term !== null) {
      log.info('another process does the background work')
    }

    this.#term = term
  }

  #runDue(): void {
    for (const running of this.#jobs) {
      const now = this.#now()
      // Looks come a little early or late.
      if (!this.isHeld || running.run || now < running.dueAt - lookEveryMs / 2) {
        continue
      }

      running.dueAt = now + running.job.everyMs
      running.run = this.#run(running.job).finally(() => {
        running.run = null
      })
    }
  }

  async #run({ name, run }: Job): Promise<void> {
    const term = this.#term
    const mayGoOn = () => this.isHeld && this.#term === term
    await trackRun(name, () => run(mayGoOn)).catch((error) => reportError(error))
  }
}

/** The process's own. */
export const backgroundWork = new BackgroundWork()

/** @returns stops it. */
export function startBackgroundWork(database: Database = db): () => Promise<void> {
  const holder = newHolder()
  return backgroundWork.start({
    take: () => takeLease(database, holder),
    release: () => releaseLease(database, holder),
  })
}

/** How long the others wait for a process that is silent. */
export const leaseMs = 6_000

/** A name for this process that is never used again. */
export function newHolder(): string {
  return `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`
}

/**
 * Takes a free lease or renews the process's own, by the database's clock alone. A lease that would
 * last much longer than `leaseMs` counts as free, because that clock was set back.
 *
 * @returns the term, null while another process has it.
 */
export async function takeLease(db: Database, holder: string): Promise<number | null> {
  const seconds = leaseMs / 1000
  const { rows } = await db.execute<{ term: number }>(sql`
    insert into background_lease as l (id, holder, term, expires_at)
    values (1, ${holder}, 1, clock_timestamp() + make_interval(secs => ${seconds}::float8))
    on conflict (id) do update set
      holder = excluded.holder,
      term = l.term + (l.holder <> excluded.holder)::int,
      expires_at = excluded.expires_at
    where l.holder = excluded.holder
      or l.expires_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => ${2 * seconds}::float8)
    returning term::float8 as term`)

  return rows[0]?.term ?? null
}

/** Lets another process take over at once. */
export async function releaseLease(db: Database, holder: string): Promise<void> {
  await db.execute(
    sql`update background_lease set expires_at = '-infinity' where holder = ${holder}`,
  )
}
