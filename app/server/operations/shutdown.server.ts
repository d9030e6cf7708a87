import { log } from './log.server'

/** Stops one part of the product. */
export type Stop = () => Promise<void> | void
export type StartedPart = { name: string; stop: Stop }

/**
 * A stop takes at most 20 seconds: after 15, the remaining parts are stopped even if some hang, so
 * that no database is left running.
 */
const stopPatienceMs = 15_000
const lastStopMs = 5_000

/**
 * Waits for the order to stop: a signal, or the end of the npm process that started this one.
 *
 * @param drain answers on for a while after SIGTERM; the signal it gets ends it early.
 * @returns aborts when it is time to stop.
 */
export function watchForStop(drain: (ended: AbortSignal) => Promise<void>): AbortSignal {
  const wanted = new AbortController()
  const stop = () => wanted.abort()
  // A second signal changes nothing: npm passes on the Ctrl-C that the terminal has sent already.
  let drained: Promise<void> | undefined
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    process.on(signal, stop)
  }

  process.on('SIGTERM', () => {
    drained ??= drain(wanted.signal)
    void drained.then(stop)
  })
  watchParent(stop)

  return wanted.signal
}

/**
 * npm passes on SIGINT and SIGTERM only: a SIGHUP or SIGKILL ends it alone, and the product would
 * hold the port for good.
 */
function watchParent(onGone: () => void): void {
  if (!['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) {
    return
  }

  const npm = process.ppid
  setInterval(() => process.ppid !== npm && onGone(), 250).unref()
}

/** In reverse order. An error in one part doesn't prevent the others from stopping. */
export async function stopAll(parts: readonly StartedPart[]): Promise<void> {
  for (const { name, stop } of parts.toReversed()) {
    try {
      await stop()
    } catch (error) {
      log.error({ part: name, err: error }, 'a part failed to stop')
    }
  }
}

/** Starts the time limit of a stop. */
export function limitStop(parts: readonly StartedPart[]): void {
  setTimeout(() => {
    setTimeout(() => process.exit(1), lastStopMs).unref()
    void stopAll(parts).then(() => process.exit(1))
  }, stopPatienceMs).unref()
}

/**
 * Uncaught errors are logged, and the product keeps running: acknowledged changes are in the
 * database, its transactions are complete or rolled back, and an exit would abort the requests of
 * all other learners.
 */
export function outliveErrors(): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))
  // A reader of the output that is gone is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {})
  }
}
