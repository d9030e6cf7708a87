/**
 * Runs the scheduled jobs in one process at a time.
 *
 * The processes of the product share a lease, a row in the database (`background-lease.server.ts`).
 * The process that holds the lease runs the jobs and renews the lease every `renewalIntervalMs`. If
 * it stops, it releases the lease, and another process takes the lease within `renewalIntervalMs`.
 * If it crashes or hangs, the lease expires after `leaseDurationMs`.
 *
 * A step of a job that takes too long, or whose process is suspended meanwhile, can overlap with a
 * step of another process. So a job asks before each step whether it may continue, and each step
 * must be idempotent.
 *
 * A job runs for the first time one interval after its process has started. So the interval of a
 * job should be an hour at most: in a process that is restarted more often, the job never runs.
 */
import { type Database, db } from '../database/client.server'
import {
  createHolderName,
  leaseDurationMs,
  releaseLease,
  takeLease,
} from './background-lease.server'
import { log, reportError } from './log.server'
import { trackRun } from './metrics/counters.server'

/** How often a process renews the lease, or tries to take it. */
const renewalIntervalMs = 2_000

/** In the last second of the lease, no step begins, because another process may soon take over. */
const safetyMarginMs = 1_000

type Job = {
  name: string
  intervalMs: number
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
   * Takes the lease if it is free, or renews it if this process holds it.
   *
   * @returns the term, which grows with each change of the holder, or null while another process
   *   holds the lease
   */
  takeOrRenew(): Promise<number | null>
  release(): Promise<void>
}

/** The lease while this process holds it. */
type HeldLease = { term: number; renewedAt: ClockTimes }

type ScheduledJob = { job: Job; dueAt: number; currentRun: Promise<void> | null }

export class BackgroundWork {
  readonly #scheduledJobs = new Set<ScheduledJob>()
  /** Null until this process has taken the lease, and after it was lost. It may have expired. */
  #heldLease: HeldLease | null = null
  #timer: NodeJS.Timeout | undefined
  #renewal: Promise<void> | null = null
  #isStopping = false
  #hasRenewalFailed = false

  /** Whether this process holds the lease, so that no other process runs the jobs. */
  get holdsLease(): boolean {
    if (this.#heldLease === null) {
      return false
    }

    return getElapsedMs(this.#heldLease.renewedAt) < leaseDurationMs - safetyMarginMs
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
      dueAt: performance.now() + job.intervalMs,
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
    this.#isStopping = false
    this.#timer = setInterval(() => this.#renewAndRunJobs(lease), renewalIntervalMs).unref()
    this.#renewAndRunJobs(lease)

    return async () => {
      this.#isStopping = true
      clearInterval(this.#timer)
      await this.#renewal
      await Promise.all([...this.#scheduledJobs].map(({ currentRun }) => currentRun))
      if (!this.holdsLease) {
        return
      }

      this.#heldLease = null
      // A lease that can't be released expires soon.
      await lease.release().catch(() => {})
    }
  }

  /**
   * Takes or renews the lease, and then runs the jobs if this process holds it. Does nothing while
   * the previous renewal is running, which fails by the time limit of the database if it hangs.
   */
  #renewAndRunJobs(lease: Lease): void {
    if (this.#renewal !== null) {
      return
    }

    this.#renewal = this.#renewLease(lease).then(() => {
      this.#renewal = null
      this.#runDueJobs()
    })
  }

  async #renewLease(lease: Lease): Promise<void> {
    // The lease counts from before the request. So in this process it ends before it expires in the
    // database.
    const renewedAt = readClocks()

    let term: number | null
    try {
      term = await lease.takeOrRenew()
    } catch (error) {
      this.#logFailedRenewal(error)
      return
    }

    this.#hasRenewalFailed = false
    const previousTerm = this.#heldLease?.term ?? null
    this.#heldLease = term === null ? null : { term, renewedAt }

    if (term !== null && term !== previousTerm) {
      log.info({ term }, 'this process does the background work')
    }

    if (term === null && previousTerm !== null) {
      log.info('another process does the background work')
    }
  }

  /** Warns once until the next renewal that succeeds, so that the log is not filled meanwhile. */
  #logFailedRenewal(error: unknown): void {
    const level = this.#hasRenewalFailed ? 'debug' : 'warn'
    log[level]({ err: error }, 'the lease of background work could not be renewed')
    this.#hasRenewalFailed = true
  }

  #runDueJobs(): void {
    if (this.#isStopping) {
      return
    }

    for (const scheduledJob of this.#scheduledJobs) {
      const now = performance.now()
      // Renewals come a little early or late, so a job that is almost due counts as due.
      const isDue = now >= scheduledJob.dueAt - renewalIntervalMs / 2
      if (!this.holdsLease || scheduledJob.currentRun || !isDue) {
        continue
      }

      scheduledJob.dueAt = now + scheduledJob.job.intervalMs
      scheduledJob.currentRun = this.#runJob(scheduledJob).finally(() => {
        scheduledJob.currentRun = null
      })
    }
  }

  async #runJob(scheduledJob: ScheduledJob): Promise<void> {
    const { job } = scheduledJob
    // A different term means that another process has held the lease in between.
    const term = this.#heldLease?.term
    const mayContinue = () =>
      this.holdsLease &&
      this.#heldLease?.term === term &&
      !this.#isStopping &&
      this.#scheduledJobs.has(scheduledJob)
    await trackRun(job.name, () => job.run(mayContinue)).catch((error) => reportError(error))
  }
}

/** The times of two clocks, in milliseconds. */
type ClockTimes = { monotonicMs: number; systemMs: number }

function readClocks(): ClockTimes {
  return { monotonicMs: performance.now(), systemMs: Date.now() }
}

/**
 * Returns the time that has passed by the clock that has advanced further. On Linux, the monotonic
 * clock stands still while the computer is suspended. The system's clock may be set back.
 */
function getElapsedMs(since: ClockTimes): number {
  const now = readClocks()
  return Math.max(now.monotonicMs - since.monotonicMs, now.systemMs - since.systemMs)
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
