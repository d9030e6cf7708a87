import { monitorEventLoopDelay } from 'node:perf_hooks'
import { env } from '../env.server'
import { log } from '../operations/log.server'
import { eventLoopDelaySeconds } from '../operations/metrics/counters.server'
import { readiness } from '../operations/readiness.server'

const resolutionMs = 10
const sampleMs = 1_000

/**
 * How long the main thread was held up in the last whole second; every visitor waited this long on
 * top.
 */
let lastSecond = { meanMs: 0, worstMs: 0 }
let behind = false

export function eventLoopDelay(): Readonly<typeof lastSecond> {
  return lastSecond
}

/**
 * True if the process can't keep up with its work. Pages are refused then, so that other requests
 * stay fast.
 */
export function isEventLoopBehind(): boolean {
  return behind
}

/** @returns stops the measuring. */
export function watchEventLoop(): () => void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  const timer = setInterval(() => {
    takeSample(
      delays.count > 0
        ? { meanMs: beyondPause(delays.mean), worstMs: beyondPause(delays.max) }
        : lastSecond,
    )

    delays.reset()
  }, sampleMs)

  timer.unref()

  return () => {
    clearInterval(timer)
    delays.disable()
  }
}

/** Node's figure includes the pause between two measurements. */
function beyondPause(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolutionMs)
}

/** Exported for tests. */
export function takeSample(sample: { meanMs: number; worstMs: number }): void {
  lastSecond = sample
  eventLoopDelaySeconds.observe(sample.worstMs / 1000)
  const isBehind = sample.meanMs >= env.SHED_AFTER_MS
  if (isBehind === behind) {
    return
  }

  behind = isBehind
  readiness.warn(
    'load',
    behind ? 'Learnify is behind with its work and refuses to render some pages.' : null,
  )
  log.warn(sample, behind ? 'behind with work: refuses to render pages' : 'renders all pages again')
}
