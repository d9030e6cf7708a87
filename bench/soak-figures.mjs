/** What the soak bench reads of the product each minute, and how it shows it. */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { at } from './visitors.mjs'

const publicKinds = new Set([
  'public page',
  'suggestions',
  'certificate',
  'certificate PDF',
  'certificate picture',
  'credential',
])
export const isPublic = ({ kind }) => publicKinds.has(kind)
const columns = [
  'minute',
  'requests',
  'errors',
  'public p50 / p99 (ms)',
  'learners p50 / p99 (ms)',
  'resident (MB)',
  'JavaScript at most / after GC (MB)',
  'database (MB)',
  'connections in use / waiting',
  'event loop: busy / longest delay',
  'load of the machine',
]

export function printHead() {
  console.log(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`)
}

/** @param minute what was measured in it. */
export function printMinute({ number, times, problems, residentMb, scriptMb, heapMb, databaseMb, pool, loop }) {
  const split = (wanted) => {
    const { p50, p99 } = quantiles(times.filter((one) => isPublic(one) === wanted))
    return `${p50.toFixed(1)} / ${p99.toFixed(0)}`
  }
  const cells = [
    number,
    times.length,
    problems.length,
    split(true),
    split(false),
    residentMb.toFixed(0),
    `${scriptMb.toFixed(0)} / ${heapMb?.toFixed(0) ?? ''}`,
    databaseMb.toFixed(1),
    `${pool.inUse} / ${pool.waiting}`,
    `${(loop.busy * 100).toFixed(0)}% / ${loop.longestMs.toFixed(0)} ms`,
    (loadavg()[0] ?? 0).toFixed(1),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

export function printKinds(times) {
  console.log('\n| request | count | p50 (ms) | p99 (ms) |\n|---|---|---|---|')
  for (const kind of [...new Set(times.map((one) => one.kind))].sort()) {
    const mine = times.filter((one) => one.kind === kind)
    const { p50, p99 } = quantiles(mine)
    console.log(`| ${kind} | ${mine.length} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`)
  }
}

export function quantiles(times) {
  const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b)
  return { p50: at(sorted, 0.5) ?? 0, p99: at(sorted, 0.99) ?? 0 }
}

/** Looks every few seconds; `take` gives the minute's means and worst. */
export function watchProduct({ pid, metricsPort, sql }) {
  let looks = []
  let before = { busy: 0, at: performance.now() }
  const look = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const figure = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
    looks.push({
      residentMb: residentMb(pid),
      scriptMb: (figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes')) / 1e6,
      inUse: figure('learnify_database_connections_in_use'),
      waiting: figure('learnify_database_waiting'),
      delayMs: figure('learnify_event_loop_delay_last_seconds') * 1000,
    })
    return figure('learnify_event_loop_active_seconds_total')
  }
  const timer = setInterval(() => void look().catch(() => {}), 3_000)
  return {
    async take() {
      const busy = await look()
      const now = performance.now()
      const [{ bytes }] = await sql`select pg_database_size(current_database())::float8 as bytes`
      const most = (name) => Math.max(...looks.map((one) => one[name]))
      const taken = {
        residentMb: looks.reduce((sum, one) => sum + one.residentMb, 0) / looks.length,
        scriptMb: most('scriptMb'),
        databaseMb: bytes / 1e6,
        pool: { inUse: most('inUse'), waiting: most('waiting') },
        loop: { busy: ((busy - before.busy) * 1000) / (now - before.at), longestMs: most('delayMs') },
      }
      before = { busy, at: now }
      looks = []
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
