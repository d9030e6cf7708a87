import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Counters of this process. Values that are read at each scrape are in `metrics.server.ts`. Metrics
 * contain no personal data, and no label comes from visitors' input.
 */
export const counters = new Registry()
const registers = [counters]

/** The buckets reach from the time of a cached page to more than any visitor waits. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const requestSeconds = new Histogram({
  name: 'learnify_request_seconds',
  help: 'Time until an answer began, by the pattern of its route and its status',
  labelNames: ['route', 'status'],
  buckets,
  registers,
})

/** The label of all unknown URLs, so that visitors can't add labels. */
export const otherRoute = 'other'

/**
 * Counts a response.
 *
 * @param route a pattern of the product's own routes, never a requested URL
 */
export function countResponse(route: string, status: number, seconds: number): void {
  requestSeconds.observe({ route, status }, seconds)
}

export const pageCacheHits = new Counter({
  name: 'learnify_page_store_hits_total',
  help: 'Answers from the page cache, with those of status 304',
  registers,
})
export const notModifiedResponses = new Counter({
  name: 'learnify_page_store_unchanged_total',
  help: 'Answers of status 304 from the page cache',
  registers,
})
export const pageCacheRenderings = new Counter({
  name: 'learnify_page_store_renderings_total',
  help: 'Pages rendered for the page cache',
  registers,
})

export const databaseQuerySeconds = new Histogram({
  name: 'learnify_database_query_seconds',
  help: 'Time that queries and transactions took, without waiting for a connection',
  buckets,
  registers,
})
export const databaseWaitSeconds = new Histogram({
  name: 'learnify_database_wait_seconds',
  help: 'Time that queries and transactions waited for a connection',
  buckets,
  registers,
})

export const eventLoopDelaySeconds = new Histogram({
  name: 'learnify_event_loop_delay_seconds',
  help: 'The longest hold-up of the main thread in each second',
  buckets,
  registers,
})

const events = {
  enrollments: new Counter({
    name: 'learnify_enrollments_total',
    help: 'Courses that learners enrolled in',
    registers,
  }),
  certificates: new Counter({
    name: 'learnify_certificates_total',
    help: 'Certificates issued',
    registers,
  }),
  examAttempts: new Counter({
    name: 'learnify_exam_attempts_total',
    help: 'Exam attempts started',
    registers,
  }),
  paidOrders: new Counter({
    name: 'learnify_orders_paid_total',
    help: 'Orders that were paid',
    registers,
  }),
  signUps: new Counter({ name: 'learnify_sign_ups_total', help: 'Accounts made', registers }),
  progressReports: new Counter({
    name: 'learnify_progress_reports_total',
    help: 'Progress reports stored and acknowledged',
    registers,
  }),
}

/** Counts a change that is stored and acknowledged. It has to be called after the commit. */
export function countEvent(event: keyof typeof events, count = 1): void {
  events[event].inc(count)
}

export const orderProblems = new Gauge({
  name: 'learnify_order_problems',
  help: 'Contradictions between orders, ledger, receipts and access at the last check; 0 before the first',
  registers,
})

const jobOptions = { labelNames: ['task'], registers } as const
const jobRuns = new Counter({
  name: 'learnify_job_runs_total',
  help: 'Runs of background work',
  ...jobOptions,
})
const jobFailures = new Counter({
  name: 'learnify_job_failures_total',
  help: 'Runs that failed',
  ...jobOptions,
})
const jobLastSuccess = new Gauge({
  name: 'learnify_job_last_success_timestamp_seconds',
  help: 'When the last run succeeded, in seconds since 1970; 0 before the first',
  ...jobOptions,
})
const jobLastDuration = new Gauge({
  name: 'learnify_job_last_duration_seconds',
  help: 'Duration of the last run',
  ...jobOptions,
})

/**
 * Runs background work, and counts the run, its duration and its success or failure.
 *
 * @param task is one of few names, because each one becomes a label
 * @throws the error of the work
 */
export async function trackRun<T>(task: string, run: () => Promise<T>, now = Date.now): Promise<T> {
  const startedAt = performance.now()
  jobFailures.inc({ task }, 0)
  jobLastSuccess.inc({ task }, 0)
  try {
    const result = await run()
    jobLastSuccess.set({ task }, now() / 1000)
    return result
  } catch (error) {
    jobFailures.inc({ task })
    throw error
  } finally {
    jobRuns.inc({ task })
    jobLastDuration.set({ task }, (performance.now() - startedAt) / 1000)
  }
}
