/**
 * Runs the product: one process of Learnify. Starts its parts in the order of
 * `product-parts.server.ts`, and stops them in reverse.
 *
 * A stop can also be requested during the start. After a SIGTERM, a product that serves reports that
 * it is not ready, but still handles requests for some seconds. This is the drain, in which a proxy
 * switches to another process.
 *
 * An operator's mistake (`StartError`) is printed as a sentence, and any other error with its stack.
 * Without a terminal, everything is printed as lines of JSON.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { env, StartError, settingWarnings } from '~/server/env.server'
import type { HttpServer } from '~/server/http/http-server.server'
import { describeMailDelivery } from '~/server/mail/mail.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import {
  keepRunningAfterUncaughtErrors,
  limitStopTime,
  type StartedPart,
  stopAll,
  watchForStop,
} from '~/server/operations/shutdown.server'
import type { Vite } from './open-pages.server'
import { type FeatureParts, listParts } from './product-parts.server'

/** The Vite that this process has started, and stops. */
export type StartedVite = Vite & { close(): Promise<void> }

/**
 * Runs the product until it is stopped, and exits. The exit status is 1 if it could not start.
 *
 * @param vite undefined in production
 */
export async function runProduct(features: FeatureParts, vite?: StartedVite): Promise<void> {
  const startedParts: StartedPart[] = vite ? [{ name: 'Vite', stop: () => vite.close() }] : []
  let server: HttpServer | null = null
  let isServing = false
  let exitStatus = 0

  // A SIGTERM calls this function, and then aborts the signal. A Ctrl-C aborts the signal at once.
  const stopSignal = watchForStop(async (drainSignal) => {
    if (server && isServing) {
      await drain(server, drainSignal)
    }
  })
  const stopRequest = once(stopSignal, 'abort')

  const beginStop = () => {
    readiness.enter('stopping')
    // Parts that hang can't keep the process running.
    limitStopTime(startedParts)
  }
  stopRequest.then(beginStop)

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
    for (const { name, start } of parts) {
      const stop = await logSlowStart(name, start)
      if (stop) {
        startedParts.push({ name, stop })
      }

      stopSignal.throwIfAborted()
    }

    const ownerPath = await features.createFirstOwnerLink()
    stopSignal.throwIfAborted()

    // Until now, an uncaught error ends the start. From now on, it would end the requests of others.
    keepRunningAfterUncaughtErrors()
    isServing = true
    readiness.enter('serving')
    printWelcome(ownerPath)
    await stopRequest
  } catch (error) {
    // Once a stop is requested, the error is the abort itself, or a part was interrupted by the stop.
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
 * Reports 'not ready', but still handles requests for a while.
 *
 * @param signal ends the wait when it is aborted
 */
async function drain(server: HttpServer, signal: AbortSignal): Promise<void> {
  readiness.enter('stopping')
  server.drain()
  await delay(env.DRAIN_SECONDS * 1000, undefined, { signal }).catch(() => {})
}

/** Node.js 20 takes twice as much time to render a page as this version. */
const recommendedNodeVersion = 24

function warnOfOldNode(): void {
  const [majorVersion] = process.versions.node.split('.')
  if (Number(majorVersion) >= recommendedNodeVersion) {
    return
  }

  // The packages contain a newer Node.js, which `npm start` uses unless the machine can't run it.
  log.warn(
    { node: process.versions.node },
    'this Node.js is old and slow: npm start uses a newer one from the packages if it can run here',
  )
}

const slowStartIntervalMs = 5_000

/** Starts a part, and logs every few seconds that it is still starting. A first start takes long. */
async function logSlowStart<T>(part: string, start: () => T): Promise<Awaited<T>> {
  const timer = setInterval(() => log.info({ part }, 'still starting'), slowStartIntervalMs)

  try {
    return await start()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Prints where the product runs, as lines of text on a terminal and as a line of the log everywhere
 * else.
 *
 * @param ownerPath the path of a link that makes its visitor the school's owner and that expires, or
 *   null if the school has an owner
 */
function printWelcome(ownerPath: string | null): void {
  const url = env.PUBLIC_URL
  const data = env.DATA_DIR
  const mail = describeMailDelivery()
  const ownerUrl = ownerPath === null ? undefined : `${url}${ownerPath}`

  if (!process.stdout.isTTY) {
    // LOG_LEVEL must not hide the only link that makes somebody the owner.
    log.child({}, { level: 'info' }).info({ url, data, mail, ownerUrl }, 'running')
    return
  }

  const lines = [`Learnify is running at ${url}`, `  data   ${data}`, `  mail   ${mail}`]
  if (ownerUrl !== undefined) {
    lines.push(`  desk   ${ownerUrl} makes you its owner`)
  }

  process.stdout.write(`\n${lines.join('\n')}\n  stop   Ctrl-C\n\n`)
}

/** The number of the level "fatal" in the lines of the log. */
const fatalLevel = 60

/** Prints why the product could not start, even if LOG_LEVEL is 'silent'. */
function printFailedStart(error: unknown): void {
  const description = describeFailedStart(error)
  const line = JSON.stringify({ level: fatalLevel, time: Date.now(), msg: description })
  process.stderr.write(`${process.stderr.isTTY ? description : line}\n`)
}

/** An operator can correct a `StartError`, so its sentence is enough. */
function describeFailedStart(error: unknown): string {
  if (error instanceof StartError) {
    return error.message
  }

  return error instanceof Error && error.stack ? error.stack : String(error)
}
