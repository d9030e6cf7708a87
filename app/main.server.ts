/**
 * Starts the parts of the product in the order of `product-parts.server.ts`, and stops them in
 * reverse.
 *
 * A stop can be requested while the product starts, too. After SIGTERM, the product reports that it
 * is not ready, but still handles requests for some seconds, so that a proxy can switch to another
 * process. An operator's mistake (`StartError`) is printed as a sentence, and any other error with
 * its stack. Without a terminal, everything is printed as lines of JSON.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { env, StartError, settingWarnings } from '~/server/env.server'
import type { HttpServer } from '~/server/http/http-server.server'
import { describeMailDelivery } from '~/server/mail/mail.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import {
  keepRunningAfterErrors,
  limitStopTime,
  type StartedPart,
  stopAll,
  watchForStop,
} from '~/server/operations/shutdown.server'
import { type Development, type FeatureParts, listParts } from './product-parts.server'

/** Runs the product until it is stopped, and exits. The exit status is 1 if it could not start. */
export async function runProduct(
  features: FeatureParts,
  development?: Development & { close?(): Promise<void> },
): Promise<void> {
  const startedParts: StartedPart[] = development?.close
    ? [{ name: 'Vite', stop: development.close }]
    : []
  let server: HttpServer | undefined
  let exitStatus = 0

  /** It is aborted when the product has to stop, after the drain. */
  const stopSignal = watchForStop(async (drainSignal) => {
    if (server) {
      await drain(server, drainSignal)
    }
  })
  const stopRequest = once(stopSignal, 'abort')
  stopRequest.then(() => {
    readiness.enter('stopping')
    limitStopTime(startedParts)
  })

  warnOfOldRuntime()
  for (const warning of settingWarnings) {
    log.warn(warning)
  }

  try {
    const parts = listParts(features, {
      development,
      onListening(listeningServer) {
        server = listeningServer
      },
    })
    for (const { name, start } of parts) {
      const stop = await withProgress(name, start)
      if (stop) {
        startedParts.push({ name, stop })
      }

      stopSignal.throwIfAborted()
    }

    keepRunningAfterErrors()
    readiness.enter('serving')
    printWelcome(await features.createFirstOwnerLink())
    await stopRequest
  } catch (error) {
    // An error after a request to stop is the abort itself, or a part whose start was interrupted.
    if (!stopSignal.aborted) {
      exitStatus = 1
      printFailedStart(error as Error)
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

/**
 * Warns of Node.js versions before 24. On Node.js 20, a page takes twice as much time to render.
 */
function warnOfOldRuntime(): void {
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    return
  }

  // `npm start` installs a newer Node.js with the packages, unless the machine can't run it.
  log.warn(
    { node: process.versions.node },
    'running on an older Node.js: npm start takes the one that the packages bring along where it can run',
  )
}

const progressIntervalMs = 5_000

/** Starts a part. While that takes long, as with the first load of the content, the log says so. */
async function withProgress<T>(part: string, start: () => T): Promise<Awaited<T>> {
  const timer = setInterval(() => log.info({ part }, 'still starting'), progressIntervalMs)

  try {
    return await start()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Says where the product runs, as sentences on a terminal and as a line of the log everywhere else.
 *
 * @param ownerLink null if the school has an owner
 */
function printWelcome(ownerLink: string | null): void {
  const url = env.PUBLIC_URL
  const data = env.DATA_DIR
  const mail = describeMailDelivery()
  const ownerUrl = ownerLink === null ? undefined : `${url}${ownerLink}`

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

const fatalLevel = 60

/** Prints why the product could not start, even if LOG_LEVEL is 'silent'. */
function printFailedStart(error: Error): void {
  const description = error instanceof StartError ? error.message : error.stack
  const line = JSON.stringify({ level: fatalLevel, time: Date.now(), msg: description })
  process.stderr.write(`${process.stderr.isTTY ? description : line}\n`)
}
