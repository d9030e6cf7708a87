import { readFileSync } from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { backgroundWork } from '../background-work.server'
import { poolWaits, queryTimes } from '../database/pool.server'
import { worstDelays } from '../event-loop.server'
import { currentLoad } from '../load.server'
import type { OutboxFigures } from '../outbox.server'
import { pageCache } from '../page-cache.server'
import { productFolder } from '../product-folder.server'
import { type Answers, listAnswers } from './answers.server'
import { type CountedEvent, eventCounts } from './events.server'
import { listJobRuns } from './job-runs.server'
import { metricKinds } from './metric-kinds.server'
import { listTurns } from './turns.server'

type Sources = {
  /** The build that runs. */
  build: string
  /** Asked at most once in some seconds; null while the database does not answer. */
  outbox(): Promise<OutboxFigures | null>
}

/**
 * Everything that can be seen from outside of this process, never by person, and by nothing whose values could grow
 * without limit. Each row stands in docs/observe.md, too; a test compares them.
 */
export function createMetrics({ build, outbox }: Sources): Registry {
  const registry = new Registry()
  const add = metricKinds(registry)
  addRequests(add)
  addPageStore(add)
  addDatabase(add)
  addOutbox(add, outbox)
  addEvents(add)
  addJobs(add)
  addTurns(add)
  addProcess(add, build)
  return registry
}

type Add = ReturnType<typeof metricKinds>

function addRequests(add: Add): void {
  const read = () =>
    listAnswers().map((answers): [Record<string, string>, Sum] => [labelsOf(answers), withKept(answers)])
  const help = 'Time until an answer began, by the pattern of its route and its status'
  add.histogram('learnify_request_seconds', help, read, ['route', 'status'])
}

type Sum = Pick<Answers['made'], 'counts' | 'sum'>

const labelsOf = ({ route, status }: Answers) => ({ route, status: String(status) })

/** A kept page is sent at once: it counts in the first bucket, with no time. */
function withKept({ kept, made: { counts, sum } }: Answers): Sum {
  return { counts: counts.map((count, place) => (place === 0 ? count + kept : count)), sum }
}

function addPageStore(add: Add): void {
  const sum = (answers: Answers[]) => answers.reduce((sum, { kept, foundLate }) => sum + kept + foundLate, 0)
  const hits = 'Answers from the page store, with those of status 304'
  add.counter('learnify_page_store_hits_total', hits, () => sum(listAnswers()))
  const unchanged = () => sum(listAnswers().filter(({ status }) => status === 304))
  add.counter('learnify_page_store_unchanged_total', 'Answers of status 304 from the page store', unchanged)
  add.counter('learnify_page_store_renderings_total', 'Pages rendered for the page store', () => pageCache.rendered)
  add.gauge('learnify_page_store_entries', 'Pages in the store', () => pageCache.entries)
  add.gauge('learnify_page_store_bytes', 'Memory that the stored pages take', () => pageCache.bytes)
}

function addDatabase(add: Add): void {
  const pool = (of: 'inUse' | 'waiting' | 'size') => () => currentLoad().pool?.[of] ?? null
  add.gauge('learnify_database_connections_in_use', 'Connections at work', pool('inUse'))
  const most = 'Connections that there may be (DATABASE_POOL_SIZE)'
  add.gauge('learnify_database_connections_max', most, pool('size'))
  add.gauge('learnify_database_waiting', 'Queries and transactions that wait for a connection', pool('waiting'))
  const took = 'Time that queries and transactions took, without waiting for a connection'
  add.histogram('learnify_database_query_seconds', took, () => [[{}, queryTimes]])
  const waited = 'Time that queries and transactions waited for a connection'
  add.histogram('learnify_database_wait_seconds', waited, () => [[{}, poolWaits]])
}

function addOutbox(add: Add, outbox: Sources['outbox']): void {
  const up = 'Whether the database answered the last question for these figures: 1 or 0'
  add.gauge('learnify_database_up', up, async () => ((await outbox()) ? 1 : 0))
  const mail = (of: keyof OutboxFigures) => async () => (await outbox())?.[of] ?? null
  add.gauge('learnify_outbox_waiting', 'Emails to be sent, of all processes', mail('waiting'))
  add.gauge('learnify_outbox_failed', 'Emails that were given up in the last two weeks', mail('failed'))
  add.gauge('learnify_outbox_oldest_seconds', 'How long ago the oldest email to be sent was due', mail('oldestSeconds'))
}

const eventHelp: Record<CountedEvent, [name: string, help: string]> = {
  enrollments: ['learnify_enrollments_total', 'Courses that learners enrolled in'],
  certificates: ['learnify_certificates_total', 'Certificates issued'],
  examAttempts: ['learnify_exam_attempts_total', 'Exam attempts started'],
  signUps: ['learnify_sign_ups_total', 'Accounts made'],
  progressReports: ['learnify_progress_reports_total', 'Progress reports stored and acknowledged'],
}

function addEvents(add: Add): void {
  for (const [event, [name, help]] of Object.entries(eventHelp)) {
    add.counter(name, help, () => eventCounts()[event as CountedEvent])
  }
}

function addJobs(add: Add): void {
  const leads = 'Whether this process does the background work: 1 or 0'
  add.gauge('learnify_background_leader', leads, () => (backgroundWork.isHeld ? 1 : 0))
  const each = (of: 'runs' | 'failures' | 'lastSeconds' | 'lastSuccessAt', unit: number) => () =>
    listJobRuns().map(([task, runs]): [{ task: string }, number] => [{ task }, runs[of] / unit])
  add.counter('learnify_job_runs_total', 'Runs of background work', each('runs', 1), ['task'])
  add.counter('learnify_job_failures_total', 'Runs that failed', each('failures', 1), ['task'])
  const last = 'When the last run succeeded, in seconds since 1970; 0 before the first'
  add.gauge('learnify_job_last_success_timestamp_seconds', last, each('lastSuccessAt', 1000), ['task'])
  add.gauge('learnify_job_last_duration_seconds', 'Duration of the last run', each('lastSeconds', 1), ['task'])
}

function addTurns(add: Add): void {
  const each = (of: 'running' | 'waiting' | 'refused') => () =>
    listTurns().map(([work, turns]): [{ work: string }, number] => [{ work }, turns[of]])
  const running = 'Costly work under way, of which little is done at once'
  add.gauge('learnify_turns_running', running, each('running'), ['work'])
  add.gauge('learnify_turns_waiting', 'Such work that waits for its turn', each('waiting'), ['work'])
  add.counter('learnify_turns_refused_total', 'Such work that was sent away (503)', each('refused'), ['work'])
}

function addProcess(add: Add, build: string): void {
  const { version } = JSON.parse(readFileSync(path.join(productFolder, 'package.json'), 'utf8'))
  const labels = { version, build, node: process.versions.node }
  add.gauge('learnify_build_info', 'Always 1, with what runs', () => [[labels, 1]], Object.keys(labels))
  const worst = 'The longest hold-up of the main thread in each second'
  add.histogram('learnify_event_loop_delay_seconds', worst, () => [[{}, worstDelays]])
  const latest = () => currentLoad().eventLoopDelayMs.worst / 1000
  add.gauge('learnify_event_loop_delay_last_seconds', 'The longest hold-up in the last second', latest)
  const active = () => performance.eventLoopUtilization().active / 1000
  add.counter('learnify_event_loop_active_seconds_total', 'Time that the main thread was busy', active)

  const cpuSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  add.counter('process_cpu_seconds_total', 'Processor time of all threads', cpuSeconds)
  const startedAt = Date.now() / 1000 - process.uptime()
  add.gauge('process_start_time_seconds', 'When the process started, in seconds since 1970', () => startedAt)
  const memory = (of: keyof NodeJS.MemoryUsage) => () => process.memoryUsage()[of]
  add.gauge('process_resident_memory_bytes', 'Memory of the process', memory('rss'))
  add.gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript uses', memory('heapUsed'))
  add.gauge('nodejs_heap_size_total_bytes', 'Memory set aside for JavaScript', memory('heapTotal'))
  add.gauge('nodejs_external_memory_bytes', 'Memory of buffers', memory('external'))
}
