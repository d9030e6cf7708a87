import { readFileSync } from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { pageCache } from '../../cache/cache-public-pages.server'
import { poolFigures } from '../../database/client.server'
import { eventLoopDelay } from '../../http/event-loop.server'
import { concurrencyLimits } from '../../http/limit-concurrency.server'
import type { OutboxFigures } from '../../mail/outbox.server'
import { backgroundWork } from '../background-work.server'
import { productFolder } from '../product-folder.server'
import { counters } from './counters.server'

type Sources = {
  /** The name of the running build. */
  build: string
  /** Returns the figures of the outbox, or null while the database does not respond. */
  readOutbox(): Promise<OutboxFigures | null>
}

/**
 * Returns all metrics, which are the counters of this process and values that are read at each scrape.
 * `docs/observe.md` lists each metric, and a test compares the two.
 */
export function createMetrics({ build, readOutbox }: Sources): Registry {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  addPageCacheMetrics(registers)
  addDatabaseMetrics(registers, readOutbox)
  addConcurrencyMetrics(registers)
  addProcessMetrics(registers, build)

  return Registry.merge([counters, registry])
}

function addPageCacheMetrics(registers: Registry[]): void {
  addGaugeOfValue(
    registers,
    'learnify_page_store_entries',
    'Pages in the cache',
    () => pageCache.size,
  )
  addGaugeOfValue(
    registers,
    'learnify_page_store_bytes',
    'Memory that the cached pages take',
    () => pageCache.bytes,
  )
}

function addDatabaseMetrics(registers: Registry[], readOutbox: Sources['readOutbox']): void {
  addGaugeOfValue(
    registers,
    'learnify_database_connections_in_use',
    'Connections at work',
    () => poolFigures()?.inUse ?? null,
  )
  const most = 'Connections that there may be'
  addGaugeOfValue(
    registers,
    'learnify_database_connections_max',
    most,
    () => poolFigures()?.size ?? null,
  )
  const waiting = 'Queries and transactions that wait for a connection'
  addGaugeOfValue(
    registers,
    'learnify_database_waiting',
    waiting,
    () => poolFigures()?.waiting ?? null,
  )

  const up = 'Whether the database answered the last question for these figures: 1 or 0'
  addGaugeOfValue(registers, 'learnify_database_up', up, async () => ((await readOutbox()) ? 1 : 0))

  const readFigure = (name: keyof OutboxFigures) => async () => (await readOutbox())?.[name] ?? null
  addGaugeOfValue(
    registers,
    'learnify_outbox_waiting',
    'Emails to be sent, of all processes',
    readFigure('waiting'),
  )

  addGaugeOfValue(
    registers,
    'learnify_outbox_failed',
    'Emails that were given up in the last two weeks',
    readFigure('failed'),
  )
  const oldest = 'How long ago the oldest email to be sent was due'
  addGaugeOfValue(registers, 'learnify_outbox_oldest_seconds', oldest, readFigure('oldestSeconds'))

  const leads = 'Whether this process does the background work: 1 or 0'
  addGaugeOfValue(registers, 'learnify_background_leader', leads, () =>
    backgroundWork.isHeld ? 1 : 0,
  )
}

function addConcurrencyMetrics(registers: Registry[]): void {
  const labelNames = ['work']
  const addGauge = (name: string, help: string, property: 'running' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const limit of concurrencyLimits) {
          this.set({ work: limit.name }, limit[property])
        }
      },
    })

  addGauge(
    'learnify_turns_running',
    'Costly work under way, of which little is done at once',
    'running',
  )

  addGauge('learnify_turns_waiting', 'Such work that waits for its turn', 'waiting')
  new Counter({
    name: 'learnify_turns_refused_total',
    help: 'Such work that was sent away (503)',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const limit of concurrencyLimits) {
        this.inc({ work: limit.name }, limit.refused)
      }
    },
  })
}

function addProcessMetrics(registers: Registry[], build: string): void {
  const { version } = JSON.parse(readFileSync(path.join(productFolder, 'package.json'), 'utf8'))
  const labels = { version, build, node: process.versions.node }
  new Gauge({
    name: 'learnify_build_info',
    help: 'Always 1, with what runs',
    labelNames: Object.keys(labels),
    registers,
  }).set(labels, 1)

  const latest = 'The longest hold-up in the last second'
  addGaugeOfValue(
    registers,
    'learnify_event_loop_delay_last_seconds',
    latest,
    () => eventLoopDelay().worstMs / 1000,
  )

  new Counter({
    name: 'learnify_event_loop_active_seconds_total',
    help: 'Time that the main thread was busy',
    registers,
    collect() {
      this.reset()
      this.inc(performance.eventLoopUtilization().active / 1000)
    },
  })
}

/**
 * Adds a gauge whose value is read at each scrape.
 *
 * @param read returns null if there is no value at the moment
 */
function addGaugeOfValue(
  registers: Registry[],
  name: string,
  help: string,
  read: () => number | null | Promise<number | null>,
): void {
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      const value = await read()
      if (value === null) {
        this.remove()
      } else {
        this.set(value)
      }
    },
  })
}
