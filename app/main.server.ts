/**
 * Starts the parts of the product in the order of `product-parts.server.ts`, and stops them in reverse.
 *
 * A stop can be requested while the product starts, too. After SIGTERM, the product reports that it is
 * not ready, but still handles requests for some seconds, so that a proxy can switch to another process.
 * An operator's mistake (`StartError`) is printed as a sentence, and any other error with its stack.
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
      const stop = await start()
      if (stop) {
        startedParts.push({ name, stop })
      }

      stopSignal.throwIfAborted()
    }

    keepRunningAfterErrors()
    readiness.enter('serving')
    process.stdout.write(formatWelcome(await features.createFirstOwnerLink()))
    await stopRequest
  } catch (error) {
    // An error after a request to stop is the abort itself, or a part whose start was interrupted.
    if (!stopSignal.aborted) {
      exitStatus = 1
      const description = error instanceof StartError ? error.message : (error as Error).stack
      process.stderr.write(`${description}\n`)
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

/** Warns of Node.js versions before 24. On Node.js 20, a page takes twice as much time to render. */
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

/** @param ownerLink null if the school has an owner */
function formatWelcome(ownerLink: string | null): string {
  const lines = [
    `Learnify is running at ${env.PUBLIC_URL}`,
    `  data   ${env.DATA_DIR}`,
    `  mail   ${describeMailDelivery()}`,
  ]

  if (ownerLink) {
    lines.push(`  desk   ${env.PUBLIC_URL}${ownerLink} makes you its owner`)
  }

  return `\n${lines.join('\n')}\n  stop   Ctrl-C\n\n`
}
