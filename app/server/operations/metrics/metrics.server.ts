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
  /** The build that runs. */
  build: string
  /** Asked at most once in some seconds; null while the database does not answer. */
  outbox(): Promise<OutboxFigures | null>
}

/**
 * All metrics: this process's counters, and values read at each scrape. Each one is also listed in
 * docs/observe.md; a test compares them.
 */
export function createMetrics({ build, outbox }: Sources): Registry {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  addPageCache(registers)
  addDatabase(registers, outbox)
  addConcurrencyLimits(registers)
  addProcess(registers, build)

  return Registry.merge([counters, registry])
}

function addPageCache(registers: Registry[]): void {
  gauge(registers, 'learnify_page_store_entries', 'Pages in the cache', () => pageCache.size)
  gauge(
    registers,
    'learnify_page_store_bytes',
    'Memory that the cached pages take',
    () => pageCache.bytes,
  )
}

function addDatabase(registers: Registry[], outbox: Sources['outbox']): void {
  gauge(
    registers,
    'learnify_database_connections_in_use',
    'Connections at work',
    () => poolFigures()?.inUse ?? null,
  )
  const most = 'Connections that there may be'
  gauge(registers, 'learnify_database_connections_max', most, () => poolFigures()?.size ?? null)
  const waiting = 'Queries and transactions that wait for a connection'
  gauge(registers, 'learnify_database_waiting', waiting, () => poolFigures()?.waiting ?? null)

  const up = 'Whether the database answered the last question for these figures: 1 or 0'
  gauge(registers, 'learnify_database_up', up, async () => ((await outbox()) ? 1 : 0))
  const mail = (of: keyof OutboxFigures) => async () => (await outbox())?.[of] ?? null
  gauge(
    registers,
    'learnify_outbox_waiting',
    'Emails to be sent, of all processes',
    mail('waiting'),
  )

  gauge(
    registers,
    'learnify_outbox_failed',
    'Emails that were given up in the last two weeks',
    mail('failed'),
  )
  const oldest = 'How long ago the oldest email to be sent was due'
  gauge(registers, 'learnify_outbox_oldest_seconds', oldest, mail('oldestSeconds'))

  const leads = 'Whether this process does the background work: 1 or 0'
  gauge(registers, 'learnify_background_leader', leads, () => (backgroundWork.isHeld ? 1 : 0))
}

function addConcurrencyLimits(registers: Registry[]): void {
  const labelNames = ['work']
  const limited = (name: string, help: string, of: 'running' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const limit of concurrencyLimits) {
          this.set({ work: limit.name }, limit[of])
        }
      },
    })

  limited(
    'learnify_turns_running',
    'Costly work under way, of which little is done at once',
    'running',
  )

  limited('learnify_turns_waiting', 'Such work that waits for its turn', 'waiting')
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

function addProcess(registers: Registry[], build: string): void {
  const { version } = JSON.parse(readFileSync(path.join(productFolder, 'package.json'), 'utf8'))
  const labels = { version, build, node: process.versions.node }
  new Gauge({
    name: 'learnify_build_info',
    help: 'Always 1, with what runs',
    labelNames: Object.keys(labels),
    registers,
  }).set(labels, 1)

  const latest = 'The longest hold-up in the last second'
  gauge(
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

/** @param read returns null where there is no value now. */
function gauge(
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
