import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { ContentFeatures } from '~/features/courses/content/content-loader.server'
import { loadContentAtStart, reloadContent } from '~/features/courses/content/content-reload.server'
import { watchContent } from '~/features/courses/content/content-watch.server'
import { getCurrencyDecimals } from '~/features/school/money'
import { pageCache } from '~/server/cache/page-cache.server'
import type { PublicPages } from '~/server/cache/page-keys.server'
import { followSharedState } from '~/server/cache/shared-state.server'
import { db, openDatabase, withOwnConnection } from '~/server/database/client.server'
import { openReadReplica } from '~/server/database/read-replica.server'
import { env, isLoopback, StartError, settingWarnings } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { storeBuildFiles } from '~/server/http/build-files.server'
import { isEventLoopBehind, watchEventLoop } from '~/server/http/event-loop.server'
import { type HttpServer, listen } from '~/server/http/http-server.server'
import { enforcePublicOrigin } from '~/server/http/public-origin.server'
import { createCommonHeaders } from '~/server/http/response-headers.server'
import { describeMailDelivery } from '~/server/mail/mail.server'
import { startBackgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import {
  keepRunningAfterErrors,
  limitStopTime,
  type StartedPart,
  type Stop,
  stopAll,
  watchForStop,
} from '~/server/operations/shutdown.server'
import { failure } from '~/server/result'
import { refreshSite, siteCurrency } from '~/server/site/site.server'
import { type AccountRoutes, createHttpApp, type MountedApp } from './http-app.server'

/** A part of the product. `start` returns the function that stops the part, if it needs stopping. */
type ProductPart = { name: string; start(): Promise<Stop | undefined> | Stop | undefined }
type ListenerParameters = Parameters<RequestListener>

/** What the features add to the server. The server does not import features itself. */
export type Program = {
  accounts: AccountRoutes & { open(): Promise<Stop> }
  /** The sample sign-in provider, whose requests are handled first. It is null on most machines. */
  sampleProvider: {
    handles(request: ListenerParameters[0]): boolean
    handle(...parameters: ListenerParameters): void
  } | null
  /** The pages of the sample payment provider. They are null on most machines. */
  samplePayments: MountedApp | null
  contentFeatures: ContentFeatures
  publicPages: PublicPages
  /** Work that is not part of a request. It starts before the first request is handled. */
  backgroundParts: readonly ProductPart[]
  /** Returns the path of the link that makes its visitor the owner, or null if there is an owner. */
  createFirstOwnerLink(): Promise<string | null>
  /** The name of the response header whose value names the build. */
  buildHeader: string
}
type Development = { middleware: Middleware; loadBuild(): Promise<ServerBuild> }
type Middleware = (...parameters: [...ListenerParameters, next: () => void]) => void

/**
 * Returns all parts of the product. Each part needs only the parts before it.
 *
 * @param development Vite's middleware and its function that loads the pages, so that an edit is
 * visible at once
 * @param onListening gets the HTTP server, which is the last part
 */
function listParts(
  program: Program,
  development: Development | undefined,
  onListening: (server: HttpServer) => void,
): ProductPart[] {
  const { accounts, contentFeatures, samplePayments } = program
  let app: Hono
  let headers: Record<string, string>

  return [
    {
      name: 'data folder',
      async start() {
        // The database may run under another account, which has to enter the folder. Private files
        // have stricter modes.
        await mkdir(`${env.DATA_DIR}/files`, { recursive: true, mode: 0o711 })
      },
    },
    { name: 'event loop', start: watchEventLoop },
    { name: 'database', start: openDatabase },
    {
      name: 'content',
      async start() {
        await withOwnConnection((database) => loadContentAtStart(contentFeatures, database))
        addReadinessChecks()
      },
    },
    {
      name: 'shared state',
      start: () =>
        followSharedState(async () => {
          const previousDecimals = getCurrencyDecimals(siteCurrency())
          await refreshSite(db)
          pageCache.clear()

          // Prices are stored in the currency's smallest unit, so they change with its decimals.
          if (getCurrencyDecimals(siteCurrency()) !== previousDecimals) {
            const result = await reloadContent(contentFeatures).catch((error: Error) =>
              failure(error.message),
            )
            if (!result.ok) {
              log.error({ problem: result.problem }, 'the content was not read in the new currency')
            }
          }
        }),
    },
    { name: 'read replica', start: () => openReadReplica() },
    { name: 'background work', start: () => startBackgroundWork() },
    { name: 'accounts', start: () => accounts.open() },
    ...program.backgroundParts,
    {
      name: 'pages',
      async start() {
        const build = development?.loadBuild ?? (await import('virtual:react-router/server-build'))
        const buildName = typeof build === 'function' ? 'development' : build.assets.version
        headers = createCommonHeaders(program.buildHeader, buildName)
        const handleRequest = createRequestHandler(build, env.NODE_ENV)
        const publicPages = development ? null : program.publicPages
        app = createHttpApp({
          handlePage: (request) => handleRequest(request),
          accounts,
          samplePayments,
          publicPages,
          headers,
          build: buildName,
        })

        if (development) {
          return
        }

        await storeBuildFiles()
        await warmUp(app)
      },
    },
    {
      name: 'content watch',
      start: () =>
        development ? watchContent({ load: () => reloadContent(contentFeatures) }) : undefined,
    },
    {
      name: 'HTTP',
      async start() {
        const server = await listenOnSettings(createListener(program, app, headers, development))
        onListening(server)
        return server.close
      },
    },
  ]
}

function addReadinessChecks(): void {
  readiness.addCheck('database', () => db.execute(sql`select 1`))
  readiness.addCheck('content', async () => {
    const {
      rows: [loadedContent],
    } = await db.execute(sql`select from content_state`)
    if (!loadedContent) {
      throw new Error('No content is loaded yet.')
    }
  })

  readiness.addCheck('storage', () => fileStore.check(), {
    warning: 'Profile photos can’t be stored or shown.',
  })
}

const warmUpPaths = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp']
const warmUpRounds = 20

/**
 * Renders the most visited pages until none is refused and the event loop keeps up, because code that
 * has not been compiled yet is slow.
 */
async function warmUp(app: Hono): Promise<void> {
  for (let round = 0; round < warmUpRounds; round++) {
    const responses = await Promise.all(
      warmUpPaths.map((path) => app.request(env.PUBLIC_URL + path)),
    )
    if (responses.every(({ ok }) => ok) && !isEventLoopBehind()) {
      return
    }

    await delay(500)
  }

  log.warn('not warm yet: the first visitors may be refused')
}

/** Returns the listener of all requests. In development, Vite's middleware runs first. */
function createListener(
  { sampleProvider }: Program,
  app: Hono,
  headers: Record<string, string>,
  development: Development | undefined,
): RequestListener {
  const handleRequest = getRequestListener(app.fetch)
  const settings = {
    publicUrl: env.PUBLIC_URL,
    port: env.PORT,
    trustedProxies: env.TRUST_PROXY,
    headers,
  }
  const listener = enforcePublicOrigin(settings, (request, response) => {
    if (sampleProvider?.handles(request)) {
      sampleProvider.handle(request, response)
    } else {
      handleRequest(request, response)
    }
  })

  if (!development) {
    return listener
  }

  return (request, response) =>
    development.middleware(request, response, () => listener(request, response))
}

/**
 * Listens on `HOST`. Without that setting, a product with a loopback URL listens only on the loopback
 * interface, for IPv4 and IPv6, and any other product listens on all interfaces.
 */
async function listenOnSettings(listener: RequestListener): Promise<HttpServer> {
  const defaultHosts = isLoopback ? ['127.0.0.1', '::1'] : ['::']
  const hosts = env.HOST ? [env.HOST] : defaultHosts
  const server = await listen({ hosts, port: env.PORT }, listener)
  log.info({ address: env.PUBLIC_URL }, 'ready')

  return server
}

/**
 * Runs the product until it is stopped, which can happen during its start, too. Then it stops the
 * started parts in reverse order and exits.
 *
 * An operator's mistake (`StartError`) is printed as a sentence, and any other error with its stack.
 * Both end the process with status 1.
 */
export async function runProduct(
  program: Program,
  development?: Development & { close?(): Promise<void> },
): Promise<void> {
  const startedParts: StartedPart[] = development?.close
    ? [{ name: 'Vite', stop: development.close }]
    : []
  let server: HttpServer | undefined
  let exitStatus = 0

  const stopSignal = watchForStop(async (drainSignal) => server && drain(server, drainSignal))
  const stopRequested = once(stopSignal, 'abort')
  stopRequested.then(() => {
    readiness.enter('stopping')
    limitStopTime(startedParts)
  })

  warnOfOldRuntime()
  for (const warning of settingWarnings) {
    log.warn(warning)
  }

  try {
    const parts = listParts(program, development, (listeningServer) => {
      server = listeningServer
    })
    for (const { name, start } of parts) {
      const stopPart = await start()
      if (stopPart) {
        startedParts.push({ name, stop: stopPart })
      }

      stopSignal.throwIfAborted()
    }

    keepRunningAfterErrors()
    readiness.enter('serving')
    process.stdout.write(formatWelcome(await program.createFirstOwnerLink()))
    await stopRequested
  } catch (error) {
    if (!stopSignal.aborted) {
      exitStatus = 1
      const description = error instanceof StartError ? error.message : (error as Error).stack
      process.stderr.write(`${description}\n`)
    }
  }

  await stopAll(startedParts)
  process.exit(exitStatus)
}

/** Warns of Node.js versions before 24. On Node.js 20, a page takes twice as much time to render. */
function warnOfOldRuntime(): void {
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    return
  }

  const reason =
    'running on an older Node.js: npm start takes the one that the packages bring along where it can run'
  log.warn({ node: process.versions.node }, reason)
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

/**
 * Reports 'not ready' for a while, but still handles requests, so that proxies switch to another
 * process before this one stops.
 *
 * @param signal ends the wait when it is aborted
 */
async function drain(server: HttpServer, signal: AbortSignal): Promise<void> {
  readiness.enter('stopping')
  server.drain()
  await delay(env.DRAIN_SECONDS * 1000, undefined, { signal }).catch(() => {})
}
