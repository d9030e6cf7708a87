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

/** Vite, which renders the pages in development. */
export type DevelopmentServer = Development & { close(): Promise<void> }

/** Runs the product until it is stopped, and exits. The exit status is 1 if it could not start. */
export async function runProduct(
  features: FeatureParts,
  development?: DevelopmentServer,
): Promise<void> {
  const startedParts: StartedPart[] = development
    ? [{ name: 'Vite', stop: () => development.close() }]
    : []
  let server: HttpServer | undefined
  let exitStatus = 0

  // This signal is aborted when all parts have to stop. After SIGTERM, that is after the drain.
  const stopSignal = watchForStop(async (drainSignal) => {
    if (server) {
      await drain(server, drainSignal)
    }
  })
  const stopSignalAborted = once(stopSignal, 'abort')
  stopSignalAborted.then(() => {
    // Without a drain, the product has not reported this yet.
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
      const stop = await startWithProgress(name, start)
      if (stop) {
        startedParts.push({ name, stop })
      }

      stopSignal.throwIfAborted()
    }

    keepRunningAfterErrors()
    readiness.enter('serving')
    printWelcome(await features.createFirstOwnerLink())
    await stopSignalAborted
  } catch (error) {
    // After the signal was aborted, this is the abort itself or a part whose start was interrupted.
    if (!stopSignal.aborted) {
      exitStatus = 1
      printFailedStart(error)
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

/** On Node.js 20, a page takes twice as much time to render as with this version. */
const recommendedNodeVersion = 24

function warnOfOldRuntime(): void {
  if (Number.parseInt(process.versions.node, 10) >= recommendedNodeVersion) {
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
async function startWithProgress<T>(part: string, start: () => T): Promise<Awaited<T>> {
  const timer = setInterval(() => log.info({ part }, 'still starting'), progressIntervalMs)

  try {
    return await start()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Prints where the product runs, as lines of text on a terminal and as a line of the log everywhere else.
 *
 * @param ownerLink the path of a link that makes its visitor the school's owner and that expires, or
 *   null if the school has an owner
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

/** The level "fatal" of the log's format. */
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
