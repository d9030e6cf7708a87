import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Durations } from './metrics/durations.server'

/** How often the thread is asked whether it is free: a hundredth of a percent of its time. */
const resolutionMs = 10
const windowMs = 1_000

/** The worst delay of each second since the start. */
export const worstDelays = new Durations()

let lastDelaysMs = { mean: 0, worst: 0 }

/** For how long the main thread was held up during the last whole second: what every visitor waited on top. */
export function eventLoopDelayMs(): Readonly<{ mean: number; worst: number }> {
  return lastDelaysMs
}

/** @returns ends the watch. */
export function watchEventLoop(): () => void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  const timer = setInterval(() => {
    if (delays.count > 0) lastDelaysMs = { mean: beyond(delays.mean), worst: beyond(delays.max) }
    worstDelays.note(lastDelaysMs.worst / 1000)
    delays.reset()
  }, windowMs).unref()
  return () => {
    clearInterval(timer)
    delays.disable()
  }
}

/** Node counts the pause between two looks, too. */
function beyond(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolutionMs)
}
