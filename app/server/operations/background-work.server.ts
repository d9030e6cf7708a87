import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import { type Database, db } from '../database/client.server'
import { log, reportError } from './log.server'
import { trackRun } from './metrics/counters.server'

/**
 * Scheduled jobs, which one process at a time runs for all processes of the product.
 *
 * The processes share a lease, a row in the database. The holder of the lease runs the jobs and renews
 * the lease every two seconds. If the holder stops, it releases the lease, and another process takes
 * over within `renewalIntervalMs`. If the holder crashes or hangs, the lease expires after `leaseMs`.
 *
 * A process that was suspended and resumes may not know that it has lost the lease. So each job asks
 * before each step whether it may continue, and each step must be idempotent.
 */

/** How often a process renews the lease, or tries to take it. */
const renewalIntervalMs = 2_000
/** No step begins in this time before the lease expires, because another process may take over soon. */
const safetyMarginMs = 1_000

type Job = {
  name: string
  everyMs: number
  /**
   * Does the work that is due, in idempotent steps.
   *
   * @param mayContinue returns false once another process may have taken over. It has to be called
   * before each step.
   */
  run(mayContinue: () => boolean): Promise<unknown>
}

type Lease = {
  /** Takes or renews the lease. Returns its term, or null while another process holds it. */
  take(): Promise<number | null>
  release(): Promise<void>
}

type ScheduledJob = { job: Job; dueAt: number; currentRun: Promise<void> | null }

export class BackgroundWork {
  readonly #now: () => number
  readonly #scheduledJobs = new Set<ScheduledJob>()
  #lease: Lease | null = null
  #heldUntil = Number.NEGATIVE_INFINITY
  #term: number | null = null
  #timer: NodeJS.Timeout | undefined
  #renewal: Promise<void> | null = null

  constructor({ now = () => performance.now() } = {}) {
    this.#now = now
  }

  /** Whether this process holds the lease, so that no other process runs the jobs. */
  get isHeld(): boolean {
    return this.#now() < this.#heldUntil
  }

  /**
   * Schedules a job.
   *
   * @returns a function that removes the job, and waits until its current run has ended
   */
  add(job: Job): () => Promise<void> {
    const scheduledJob: ScheduledJob = {
      job,
      dueAt: this.#now() + job.everyMs,
      currentRun: null,
    }
    this.#scheduledJobs.add(scheduledJob)

    return async () => {
      this.#scheduledJobs.delete(scheduledJob)
      await scheduledJob.currentRun
    }
  }

  /**
   * Starts to compete for the lease, and to run the jobs while this process holds it.
   *
   * @returns a function that waits until all current runs have ended, and releases the lease
   */
  start(lease: Lease): () => Promise<void> {
    this.#lease = lease
    this.#timer = setInterval(() => this.#renewAndRunJobs(), renewalIntervalMs).unref()
    this.#renewAndRunJobs()

    return async () => {
      clearInterval(this.#timer)
      await this.#renewal
      await Promise.all([...this.#scheduledJobs].map(({ currentRun }) => currentRun))
      if (!this.isHeld) {
        return
      }

      this.#heldUntil = Number.NEGATIVE_INFINITY
      await lease.release().catch(() => {})
    }
  }

  /** Does nothing while the previous renewal is still waiting for the database. */
  #renewAndRunJobs(): void {
    this.#renewal ??= this.#takeLease()
      .catch((error) =>
        log.debug({ err: error }, 'the lease of background work could not be renewed'),
      )
      .finally(() => {
        this.#renewal = null
        this.#runDueJobs()
      })
  }

  async #takeLease(): Promise<void> {
    // The database starts to count the lease after this time, so this process never believes that it
    // holds the lease longer than the database does.
    const requestedAt = this.#now()
    const term = (await this.#lease?.take()) ?? null
    this.#heldUntil =
      term === null ? Number.NEGATIVE_INFINITY : requestedAt + leaseMs - safetyMarginMs

    if (term !== null && term !== this.#term) {
      log.info({ term }, 'this process does the background work')
    }

    if (term === null && this.#term !== null) {
      log.info('another process does the background work')
    }

    this.#term = term
  }

  #runDueJobs(): void {
    for (const scheduledJob of this.#scheduledJobs) {
      const now = this.#now()
      // Renewals come a little early or late, so a job that is almost due counts as due.
      const isDue = now >= scheduledJob.dueAt - renewalIntervalMs / 2
      if (!this.isHeld || scheduledJob.currentRun || !isDue) {
        continue
      }

      scheduledJob.dueAt = now + scheduledJob.job.everyMs
      scheduledJob.currentRun = this.#run(scheduledJob.job).finally(() => {
        scheduledJob.currentRun = null
      })
    }
  }

  async #run({ name, run }: Job): Promise<void> {
    const term = this.#term
    const mayContinue = () => this.isHeld && this.#term === term
    await trackRun(name, () => run(mayContinue)).catch((error) => reportError(error))
  }
}

/** The background work of this process. */
export const backgroundWork = new BackgroundWork()

/**
 * Starts the background work of this process.
 *
 * @returns a function that stops it
 */
export function startBackgroundWork(database: Database = db): () => Promise<void> {
  const holder = createHolderName()
  return backgroundWork.start({
    take: () => takeLease(database, holder),
    release: () => releaseLease(database, holder),
  })
}

/** How long the other processes wait for a holder that does not renew the lease. */
export const leaseMs = 6_000

/** Returns a name for this process. A process that starts later never gets the same name. */
export function createHolderName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`
}

/**
 * Takes the lease if it is free, or renews it if this process holds it. Only the clock of the database
 * counts. A lease that would last much longer than `leaseMs` counts as free, because the clock must
 * have been set back since.
 *
 * @returns the term, which grows with each change of the holder, or null while another process holds
 * the lease
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
      or l.expires_at not between clock_timestamp()
        and clock_timestamp() + make_interval(secs => ${2 * seconds}::float8)
    returning term::float8 as term`)

  return rows[0]?.term ?? null
}

/** Releases the lease if this process holds it, so that another process takes over at once. */
export async function releaseLease(db: Database, holder: string): Promise<void> {
  await db.execute(
    sql`update background_lease set expires_at = '-infinity' where holder = ${holder}`,
  )
}
