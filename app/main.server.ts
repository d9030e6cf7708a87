/**
 * Runs the product: one process of Learnify, from its start to its exit.
 *
 * 1. Start: the parts of the product start one after the other, as `product-parts.server.ts` lists
 *   them.
 * 2. Serve: `/readyz` reports that the process is ready.
 * 3. Drain, only if a SIGTERM ends the serving: `/readyz` reports that the process is stopping, but
 *    for DRAIN_SECONDS it still handles requests. Meanwhile, a proxy switches to another process.
 * 4. Stop: the parts that have started stop in reverse order, within a time limit.
 *
 * If a part can't start, or a stop is requested during the start, the process goes directly to step
 * 4.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { env, settingWarnings } from '~/server/env.server'
import type { HttpServer } from '~/server/http/http-server.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import {
  keepRunningAfterUncaughtErrors,
  limitStopTime,
  type StartedPart,
  type Stop,
  stopAll,
  watchForStop,
} from '~/server/operations/shutdown.server'
import {
  printFailedStart,
  printWelcome,
  warnOfOldNode,
} from '~/server/operations/start-messages.server'
import type { Vite } from './open-pages.server'
import { listParts, type ProductFeatures, type ProductPart } from './product-parts.server'

/** The Vite that this process has started, and stops. */
export type StartedVite = Vite & { close(): Promise<void> }

/**
 * Runs the product until it is stopped, and exits. The exit status is 1 if it could not start.
 *
 * @param vite undefined in production
 */
export async function runProduct(features: ProductFeatures, vite?: StartedVite): Promise<void> {
  const startedParts: StartedPart[] = vite ? [{ name: 'Vite', stop: () => vite.close() }] : []
  let server: HttpServer | null = null
  let isServing = false
  let exitStatus = 0

  // On SIGTERM, this callback runs before the signal is aborted. On Ctrl-C, the signal is aborted
  // at once.
  const stopSignal = watchForStop(async (endDrainSignal) => {
    if (server && isServing) {
      await drain(server, endDrainSignal)
    }
  })
  const stopRequested = once(stopSignal, 'abort')

  const beginStop = () => {
    readiness.enter('stopping')
    // A part that hangs while it starts or stops must not keep the process running.
    limitStopTime(startedParts)
  }
  stopRequested.then(beginStop)

  warnOfOldNode()
  for (const warning of settingWarnings) {
    log.warn(warning)
  }

  try {
    const parts = listParts(features, {
      vite,
      onListening(listeningServer) {
        server = listeningServer
      },
    })
    await startParts(parts, startedParts, stopSignal)

    const ownerLinkPath = await features.createFirstOwnerLink()
    stopSignal.throwIfAborted()

    // Until now, an uncaught error ended the process. From now on, the process survives it, because
    // an exit would end the requests of others.
    keepRunningAfterUncaughtErrors()
    isServing = true
    readiness.enter('serving')
    printWelcome(ownerLinkPath)

    await stopRequested
  } catch (error) {
    // Once a stop is requested, the error is the abort itself, or a part was interrupted by the
    // stop.
    if (!stopSignal.aborted) {
      exitStatus = 1
      printFailedStart(error)
      beginStop()
    }
  }

  await stopAll(startedParts)
  process.exit(exitStatus)
}

/**
 * Starts the parts one after the other, and adds each one that needs stopping to `startedParts`.
 *
 * @throws if a part can't start, or if `stopSignal` is aborted
 */
async function startParts(
  parts: readonly ProductPart[],
  startedParts: StartedPart[],
  stopSignal: AbortSignal,
): Promise<void> {
  for (const part of parts) {
    const stop = await startPart(part)
    if (stop) {
      startedParts.push({ name: part.name, stop })
    }

    stopSignal.throwIfAborted()
  }
}

const slowStartIntervalMs = 5_000

/** Starts a part. A first start can take long, so a line of the log says so every few seconds. */
async function startPart({ name, start }: ProductPart): Promise<Stop | undefined> {
  const logSlowStart = () => log.info({ part: name }, 'still starting')
  const timer = setInterval(logSlowStart, slowStartIntervalMs)

  try {
    return await start()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Lets proxies switch to another process, and handles requests until they have done so.
 *
 * @param endDrainSignal ends the wait early when it is aborted
 */
async function drain(server: HttpServer, endDrainSignal: AbortSignal): Promise<void> {
  readiness.enter('stopping')
  server.closeConnectionsAfterResponses()

  // An aborted delay rejects. An early end of the drain is no error.
  await delay(env.DRAIN_SECONDS * 1000, undefined, { signal: endDrainSignal }).catch(() => {})
}
