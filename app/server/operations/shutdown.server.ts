import { log } from './log.server'

/** Stops what one part of the product has started. */
export type Stop = () => Promise<void> | void
export type StartedPart = { name: string; stop: Stop }

/**
 * Then what was started is stopped whatever the rest does, so that no database is left, with the last five of 20
 * seconds.
 */
const stopPatienceMs = 15_000
const lastStopMs = 5_000

/**
 * Hears that the process has to stop: by a signal, or because npm, which started it, is gone.
 *
 * @param drain answers on for a while after SIGTERM; the signal it gets ends it early.
 * @returns aborts when it is time to stop.
 */
export function watchForStop(drain: (ended: AbortSignal) => Promise<void>): AbortSignal {
  const wanted = new AbortController()
  const stop = () => wanted.abort()
  // A second signal changes nothing: npm passes on the Ctrl-C that the terminal has sent already.
  let drained: Promise<void> | undefined
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('SIGTERM', () => {
    drained ??= drain(wanted.signal)
    void drained.then(stop)
  })
  watchParent(stop)
  return wanted.signal
}

/**
 * npm passes on SIGINT and SIGTERM only: a SIGHUP or SIGKILL ends it alone, and the product would hold the port for
 * good.
 */
function watchParent(onGone: () => void): void {
  if (!['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) return
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && onGone(), 250).unref()
}

/** In reverse. A part that fails to stop holds up none of the others. */
export async function stopAll(parts: readonly StartedPart[]): Promise<void> {
  for (const { name, stop } of parts.toReversed()) {
    try {
      await stop()
    } catch (error) {
      log.error({ part: name, err: error }, 'a part failed to stop')
    }
  }
}

/** From now on the process ends, whatever hangs. */
export function limitStop(parts: readonly StartedPart[]): void {
  setTimeout(() => {
    setTimeout(() => process.exit(1), lastStopMs).unref()
    void stopAll(parts).then(() => process.exit(1))
  }, stopPatienceMs).unref()
}

/**
 * Uncaught errors are logged, and the product keeps running: everything that was acknowledged is in the database, whose
 * transactions no error leaves half-way, and an end would take every other learner's request with it.
 */
export function outliveErrors(): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))
  // A reader of the output that is gone is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
