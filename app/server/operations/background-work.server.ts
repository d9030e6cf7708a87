/**
 * Runs the scheduled jobs in one process at a time.
 *
 * The processes of the product share a lease, a row in the database (`background-lease.server.ts`).
 * The process that holds the lease runs the jobs and renews the lease every `renewalIntervalMs`. If
 * it stops, it releases the lease, and another process takes over within the same time. If it
 * crashes or hangs, the lease expires after `leaseMs`.
 *
 * A process that was suspended and resumes may not know that it has lost the lease. So each job
 * asks before each step whether it may continue, and each step must be idempotent.
 *
 * A job runs for the first time one interval after its process has started. Intervals are therefore
 * an hour at most, so that frequent restarts keep no job from running.
 */
import { type Database, db } from '../database/client.server'
import { createHolderName, leaseMs, releaseLease, takeLease } from './background-lease.server'
import { log, reportError } from './log.server'
import { trackRun } from './metrics/counters.server'

/** How often a process renews the lease, or tries to take it. */
const renewalIntervalMs = 2_000

/** No step begins in this time before the lease expires, because another process may take over. */
const safetyMarginMs = 1_000

type Job = {
  name: string
  everyMs: number
  /**
   * Does the work that is due, in idempotent steps.
   *
   * @param mayContinue returns false once another process may have taken over, this process stops,
   *   or the job was removed. It has to be called before each step.
   */
  run(mayContinue: () => boolean): Promise<unknown>
}

type Lease = {
  /**
   * Takes or renews the lease.
   *
   * @returns the term, which grows with each change of the holder, or null while another process
   *   holds the lease
   */
  takeOrRenew(): Promise<number | null>
  release(): Promise<void>
}

type ScheduledJob = { job: Job; dueAt: number; currentRun: Promise<void> | null }

export class BackgroundWork {
  readonly #now: () => number
  readonly #scheduledJobs = new Set<ScheduledJob>()
  #lease: Lease | null = null
  /** The time until which this process surely holds the lease. Null if it does not hold it. */
  #heldUntil: number | null = null
  /** The term of the lease that this process holds, as `takeOrRenew` returns it. */
  #term: number | null = null
  #timer: NodeJS.Timeout | undefined
  #renewal: Promise<void> | null = null
  #isStopping = false
  #hasRenewalFailed = false

  constructor({ now = () => performance.now() } = {}) {
    this.#now = now
  }

  /** Whether this process holds the lease, so that no other process runs the jobs. */
  get holdsLease(): boolean {
    return this.#heldUntil !== null && this.#now() < this.#heldUntil
  }

  /**
   * Schedules a job.
   *
   * @returns a function that removes the job, lets its current run end after the current step, and
   *   waits for that
   */
  schedule(job: Job): () => Promise<void> {
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
   * @returns a function that lets the current runs end after their current step, waits for them,
   *   and releases the lease
   */
  start(lease: Lease): () => Promise<void> {
    this.#lease = lease
    this.#isStopping = false
    this.#timer = setInterval(() => this.#renewAndRunJobs(), renewalIntervalMs).unref()
    this.#renewAndRunJobs()

    return async () => {
      this.#isStopping = true
      clearInterval(this.#timer)
      await this.#renewal
      await Promise.all([...this.#scheduledJobs].map(({ currentRun }) => currentRun))
      if (!this.holdsLease) {
        return
      }

      this.#heldUntil = null
      // A lease that can't be released expires soon.
      await lease.release().catch(() => {})
    }
  }

  /**
   * Renews the lease, and then runs the jobs if this process still holds it. Does nothing while the
   * previous renewal is running.
   */
  #renewAndRunJobs(): void {
    this.#renewal ??= this.#renewLease()
      .catch((error) => this.#logFailedRenewal(error))
      .finally(() => {
        this.#renewal = null
        this.#runDueJobs()
      })
  }

  /** Warns once until the next renewal that succeeds, so that the log is not filled meanwhile. */
  #logFailedRenewal(error: unknown): void {
    const level = this.#hasRenewalFailed ? 'debug' : 'warn'
    log[level]({ err: error }, 'the lease of background work could not be renewed')
    this.#hasRenewalFailed = true
  }

  async #renewLease(): Promise<void> {
    // The time is counted from before the request, so that this process stops to rely on the lease
    // before the lease expires in the database.
    const requestedAt = this.#now()
    const term = (await this.#lease?.takeOrRenew()) ?? null
    this.#hasRenewalFailed = false
    this.#heldUntil = term === null ? null : requestedAt + leaseMs - safetyMarginMs

    if (term !== null && term !== this.#term) {
      log.info({ term }, 'this process does the background work')
    }

    if (term === null && this.#term !== null) {
      log.info('another process does the background work')
    }

    this.#term = term
  }

  #runDueJobs(): void {
    if (this.#isStopping) {
      return
    }

    for (const scheduledJob of this.#scheduledJobs) {
      const now = this.#now()
      // Renewals come a little early or late, so a job that is almost due counts as due.
      const isDue = now >= scheduledJob.dueAt - renewalIntervalMs / 2
      if (!this.holdsLease || scheduledJob.currentRun || !isDue) {
        continue
      }

      scheduledJob.dueAt = now + scheduledJob.job.everyMs
      scheduledJob.currentRun = this.#runJob(scheduledJob).finally(() => {
        scheduledJob.currentRun = null
      })
    }
  }

  async #runJob(scheduledJob: ScheduledJob): Promise<void> {
    const { name, run } = scheduledJob.job
    const term = this.#term
    const mayContinue = () =>
      this.holdsLease &&
      this.#term === term &&
      !this.#isStopping &&
      this.#scheduledJobs.has(scheduledJob)
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
  const holderName = createHolderName()
  return backgroundWork.start({
    takeOrRenew: () => takeLease(database, holderName),
    release: () => releaseLease(database, holderName),
  })
}
