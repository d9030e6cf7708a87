import { monitorEventLoopDelay } from 'node:perf_hooks'
import { env } from '../env.server'
import { log } from '../operations/log.server'
import { eventLoopDelaySeconds } from '../operations/metrics/counters.server'
import { readiness } from '../operations/readiness.server'

const resolutionMs = 10
const sampleIntervalMs = 1_000

/** By how much the event loop delayed the requests of one second. */
type DelaySample = { meanMs: number; worstMs: number }

let lastSample: DelaySample = { meanMs: 0, worstMs: 0 }
let isBehind = false

/** Returns the delay of the last whole second. */
export function getEventLoopDelay(): Readonly<DelaySample> {
  return lastSample
}

/**
 * Returns whether the process can't keep up with its work. If many pages are being rendered as
 * well, further pages are refused, so that other requests stay fast.
 */
export function isEventLoopBehind(): boolean {
  return isBehind
}

/** Measures the delay of the event loop until the returned function is called. */
export function watchEventLoop(): () => void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  const timer = setInterval(() => {
    if (delays.count > 0) {
      recordSample({ meanMs: getDelayMs(delays.mean), worstMs: getDelayMs(delays.max) })
    } else {
      // Without a measurement, the delay counts as unchanged.
      recordSample(lastSample)
    }

    delays.reset()
  }, sampleIntervalMs)

  timer.unref()

  return () => {
    clearInterval(timer)
    delays.disable()
  }
}

/** @param nanoseconds a time of Node.js, which includes the interval between two measurements */
function getDelayMs(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolutionMs)
}

/** Records the delay of one second. Exported for tests. */
export function recordSample(sample: DelaySample): void {
  lastSample = sample
  eventLoopDelaySeconds.observe(sample.worstMs / 1000)
  const isNowBehind = sample.meanMs >= env.SHED_AFTER_MS
  if (isNowBehind === isBehind) {
    return
  }

  isBehind = isNowBehind
  readiness.setWarning(
    'load',
    isBehind
      ? 'Learnify is behind with its work. It refuses pages if many are requested at a time.'
      : null,
  )
  log.warn(
    sample,
    isBehind
      ? 'behind with work: refuses pages while many are rendered'
      : 'renders all pages again',
  )
}
