import { log } from './log.server'

/** A function that stops one part of the product. */
export type Stop = () => Promise<void> | void
export type StartedPart = { name: string; stop: Stop }

/**
 * A stop takes at most 20 seconds. After 15 seconds, all parts are stopped once more even if some
 * of them hang, so that no database is left running. After 5 more seconds, the process exits.
 */
const stopTimeoutMs = 15_000
const exitTimeoutMs = 5_000

const parentCheckIntervalMs = 250

/**
 * Watches for a request to stop: a signal, or the end of the npm process that started this one.
 *
 * @param drain keeps handling requests for a while after SIGTERM. Its signal is aborted when
 * another request to stop should end the drain early.
 * @returns a signal that is aborted when the product has to stop
 */
export function watchForStop(drain: (signal: AbortSignal) => Promise<void>): AbortSignal {
  const stopController = new AbortController()
  const stop = () => stopController.abort()
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    process.on(signal, stop)
  }

  // A repeated signal changes nothing, because npm passes on a Ctrl-C that the terminal has already
  // sent to this process.
  let draining: Promise<void> | undefined
  process.on('SIGTERM', () => {
    draining ??= drain(stopController.signal)
    void draining.then(stop)
  })

  watchParent(stop)

  return stopController.signal
}

/**
 * Calls `onExit` when npm has ended. npm passes on SIGINT and SIGTERM only. After a SIGHUP or
 * SIGKILL to npm alone, the product would occupy its port forever.
 */
function watchParent(onExit: () => void): void {
  const isStartedByNpm = ['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')
  if (!isStartedByNpm) {
    return
  }

  const npmPid = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== npmPid) {
      onExit()
    }
  }, parentCheckIntervalMs)
  timer.unref()
}

/**
 * Stops the parts in reverse order. An error in one part doesn't prevent the others from stopping.
 */
export async function stopAll(parts: readonly StartedPart[]): Promise<void> {
  for (const { name, stop } of parts.toReversed()) {
    try {
      await stop()
    } catch (error) {
      log.error({ part: name, err: error }, 'a part failed to stop')
    }
  }
}

/** Starts the time limit of a stop, as `stopTimeoutMs` describes. */
export function limitStopTime(parts: readonly StartedPart[]): void {
  setTimeout(() => {
    setTimeout(() => process.exit(1), exitTimeoutMs).unref()
    void stopAll(parts).then(() => process.exit(1))
  }, stopTimeoutMs).unref()
}

/**
 * Logs uncaught errors and keeps the product running. That is safe, because changes that were
 * acknowledged are in the database, and its transactions are either complete or rolled back. An
 * exit would abort the requests of all other learners.
 */
export function keepRunningAfterUncaughtErrors(): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))
  // A closed pipe behind the output, such as a log viewer that was quit, is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {})
  }
}
