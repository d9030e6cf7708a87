import { performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { pageCache } from '../../cache/page-cache.server'
import { getPoolUsage } from '../../database/client.server'
import { getEventLoopDelay } from '../../http/event-loop.server'
import { concurrencyLimits } from '../../http/limit-concurrency.server'
import type { OutboxFigures } from '../../mail/outbox.server'
import { backgroundWork } from '../background-work.server'
import { productVersion } from '../product-folder.server'
import { counters } from './counters.server'

type MetricsSources = {
  /** The name of the running build. */
  build: string
  /** Returns the figures of the outbox, or null while the database does not respond. */
  readOutbox(): Promise<OutboxFigures | null>
}

/**
 * Returns all metrics, which are the counters of this process and values that are read at each
 * scrape. `docs/observe.md` lists each metric, and a test compares the two.
 */
export function createMetrics({ build, readOutbox }: MetricsSources): Registry {
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
  addGauge(registers, {
    name: 'learnify_page_store_entries',
    help: 'Pages in the cache',
    read: () => pageCache.size,
  })
  addGauge(registers, {
    name: 'learnify_page_store_bytes',
    help: 'Memory that the cached pages take',
    read: () => pageCache.bytes,
  })
}

function addDatabaseMetrics(registers: Registry[], readOutbox: MetricsSources['readOutbox']): void {
  addGauge(registers, {
    name: 'learnify_database_connections_in_use',
    help: 'Connections at work',
    read: () => getPoolUsage()?.inUse ?? null,
  })
  addGauge(registers, {
    name: 'learnify_database_connections_max',
    help: 'Connections that there may be',
    read: () => getPoolUsage()?.size ?? null,
  })
  addGauge(registers, {
    name: 'learnify_database_waiting',
    help: 'Queries and transactions that wait for a connection',
    read: () => getPoolUsage()?.waiting ?? null,
  })
  addGauge(registers, {
    name: 'learnify_database_up',
    help: 'Whether the database answered the last question for these figures: 1 or 0',
    read: async () => ((await readOutbox()) ? 1 : 0),
  })

  const readFigure = (name: keyof OutboxFigures) => async () => (await readOutbox())?.[name] ?? null
  addGauge(registers, {
    name: 'learnify_outbox_waiting',
    help: 'Emails to be sent, of all processes',
    read: readFigure('waiting'),
  })
  addGauge(registers, {
    name: 'learnify_outbox_failed',
    help: 'Emails that were given up in the last two weeks',
    read: readFigure('failed'),
  })
  addGauge(registers, {
    name: 'learnify_outbox_oldest_seconds',
    help: 'How long ago the oldest email to be sent was due',
    read: readFigure('oldestSeconds'),
  })

  addGauge(registers, {
    name: 'learnify_background_leader',
    help: 'Whether this process does the background work: 1 or 0',
    read: () => (backgroundWork.holdsLease ? 1 : 0),
  })
}

function addConcurrencyMetrics(registers: Registry[]): void {
  const labelNames = ['work']
  new Gauge({
    name: 'learnify_turns_running',
    help: 'Costly work under way, of which little is done at once',
    labelNames,
    registers,
    collect() {
      for (const limit of concurrencyLimits) {
        this.set({ work: limit.name }, limit.running)
      }
    },
  })

  new Gauge({
    name: 'learnify_turns_waiting',
    help: 'Such work that waits for its turn',
    labelNames,
    registers,
    collect() {
      for (const limit of concurrencyLimits) {
        this.set({ work: limit.name }, limit.waiting)
      }
    },
  })

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
  const labels = { version: productVersion(), build, node: process.versions.node }
  new Gauge({
    name: 'learnify_build_info',
    help: 'Always 1, with what runs',
    labelNames: Object.keys(labels),
    registers,
  }).set(labels, 1)

  addGauge(registers, {
    name: 'learnify_event_loop_delay_last_seconds',
    help: 'The longest hold-up in the last second',
    read: () => getEventLoopDelay().worstMs / 1000,
  })

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

type GaugeOptions = {
  name: string
  help: string
  /** Returns null if there is no value at the moment. */
  read(): number | null | Promise<number | null>
}

/** Adds a gauge whose value is read at each scrape. */
function addGauge(registers: Registry[], { name, help, read }: GaugeOptions): void {
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
