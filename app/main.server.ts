import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { ContentFeatures } from '~/features/courses/content/content-loader.server'
import { loadContentAtStart, reloadContent } from '~/features/courses/content/content-loader.server'
import { watchContent } from '~/features/courses/content/content-watch.server'
import { getCurrencyDecimals } from '~/features/school/money'
import { type PublicPages, pageCache } from '~/server/cache/cache-public-pages.server'
import { followSharedState } from '~/server/cache/shared-state.server'
import { db, openDatabase, withOwnConnection } from '~/server/database/client.server'
import { openReadReplica } from '~/server/database/read-replica.server'
import { env, isLoopback, StartError, settingWarnings } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { storeBuildFiles } from '~/server/http/build-files.server'
import { isEventLoopBehind, watchEventLoop } from '~/server/http/event-loop.server'
import { type HttpServer, listen } from '~/server/http/http-server.server'
import { onPublicOrigin } from '~/server/http/public-origin.server'
import { createCommonHeaders } from '~/server/http/response-headers.server'
import { mailPlace } from '~/server/mail/mail.server'
import { startBackgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import {
  limitStop,
  outliveErrors,
  type StartedPart,
  type Stop,
  stopAll,
  watchForStop,
} from '~/server/operations/shutdown.server'
import { failure } from '~/server/result'
import { refreshSite, siteCurrency } from '~/server/site/site.server'
import { type AccountFront, createHttpApp, type MountedApp } from './http-app.server'

/** One part of the product. Starting it returns a function that stops it, if necessary. */
type Part = { name: string; start(): Promise<Stop | undefined> | Stop | undefined }
type RequestOf<Index extends 0 | 1> = Parameters<RequestListener>[Index]

/** The features' parts of the server, which doesn't import them itself. */
export type Program = {
  accounts: AccountFront & { open(): Promise<Stop> }
  /** Answers its own requests before all others; null on most machines. */
  sampleProvider: {
    handles(request: RequestOf<0>): boolean
    handle(...answering: Parameters<RequestListener>): void
  } | null
  /** Its pages to pay on; null on most machines. */
  samplePayments: MountedApp | null
  contentFeatures: ContentFeatures
  publicPages: PublicPages
  /** Work that no request asks for; started before the first request is answered. */
  work: readonly Part[]
  /** The path of the link that makes somebody the owner; null once there is one. */
  createFirstOwnerLink(): Promise<string | null>
  /** Of every answer; its value names the build. */
  buildHeader: string
}
type Development = { middleware: Middleware; loadBuild(): Promise<ServerBuild> }
type Middleware = (request: RequestOf<0>, response: RequestOf<1>, next: () => void) => void

/**
 * All parts, in the order in which they need each other.
 *
 * @param development Vite's middleware and its way to load the pages, so that an edit shows at
 * once.
 * @param onListening gets the HTTP server, which is the last part.
 */
function partsOf(
  program: Program,
  development: Development | undefined,
  onListening: (server: HttpServer) => void,
): Part[] {
  const { accounts, contentFeatures, samplePayments } = program
  let app: Hono
  let headers: Record<string, string>

  return [
    {
      name: 'data folder',
      async start() {
        // The database may run as another account, which needs to enter the folder; private files
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
          const decimals = getCurrencyDecimals(siteCurrency())
          await refreshSite(db)
          pageCache.clear()
          // Prices are stored in the currency's smallest unit.
          if (getCurrencyDecimals(siteCurrency()) !== decimals) {
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
    ...program.work,
    {
      name: 'pages',
      async start() {
        const build = development?.loadBuild ?? (await import('virtual:react-router/server-build'))
        const buildName = typeof build === 'function' ? 'development' : build.assets.version
        headers = createCommonHeaders(program.buildHeader, buildName)
        const handle = createRequestHandler(build, env.NODE_ENV)
        const publicPages = development ? null : program.publicPages
        app = createHttpApp({
          pages: (request) => handle(request),
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
        const server = await listenOnSettings(listenerOf(program, app, headers, development))
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
      rows: [loaded],
    } = await db.execute(sql`select from content_state`)
    if (!loaded) {
      throw new Error('No content is loaded yet.')
    }
  })

  readiness.addCheck('storage', () => fileStore.check(), {
    warning: 'Profile photos can’t be stored or shown.',
  })
}

const warmUpPaths = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp']
const warmUpRounds = 20

/** Renders the most visited pages until none is refused and the event loop keeps up. */
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

function listenerOf(
  { sampleProvider }: Program,
  app: Hono,
  headers: Record<string, string>,
  development: Development | undefined,
): RequestListener {
  const answer = getRequestListener(app.fetch)
  const settings = {
    publicUrl: env.PUBLIC_URL,
    port: env.PORT,
    trustedProxies: env.TRUST_PROXY,
    headers,
  }
  const listener = onPublicOrigin(settings, (request, response) =>
    sampleProvider?.handles(request)
      ? sampleProvider.handle(request, response)
      : answer(request, response),
  )

  if (!development) {
    return listener
  }

  return (request, response) =>
    development.middleware(request, response, () => listener(request, response))
}

/**
 * On a loopback address only this machine is answered, by both of its names; otherwise every
 * interface, or `HOST`.
 */
async function listenOnSettings(listener: RequestListener): Promise<HttpServer> {
  const defaultHosts = isLoopback ? ['127.0.0.1', '::1'] : ['::']
  const hosts = env.HOST ? [env.HOST] : defaultHosts
  const server = await listen({ hosts, port: env.PORT }, listener)
  log.info({ address: env.PUBLIC_URL }, 'ready')

  return server
}

/**
 * The program: runs until it is stopped, even during its start, then stops its parts in reverse
 * order and exits. Operators' mistakes are printed as a sentence, other errors with their stack;
 * both end with status 1.
 */
export async function runProduct(
  program: Program,
  development?: Development & { close?(): Promise<void> },
): Promise<void> {
  const started: StartedPart[] = development?.close
    ? [{ name: 'Vite', stop: development.close }]
    : []
  let server: HttpServer | undefined
  const stop = watchForStop(async (ended) => server && drain(server, ended))
  const stopped = once(stop, 'abort')
  stopped.then(() => {
    readiness.enter('stopping')
    limitStop(started)
  })
  let status = 0
  warnOfOldRuntime()
  for (const warning of settingWarnings) {
    log.warn(warning)
  }

  try {
    const parts = partsOf(program, development, (listening) => {
      server = listening
    })
    for (const { name, start } of parts) {
      const stopPart = await start()
      if (stopPart) {
        started.push({ name, stop: stopPart })
      }

      stop.throwIfAborted()
    }

    outliveErrors()
    readiness.enter('serving')
    process.stdout.write(welcome(await program.createFirstOwnerLink()))
    await stopped
  } catch (error) {
    if (!stop.aborted) {
      status = 1
      process.stderr.write(
        error instanceof StartError ? `${error.message}\n` : `${(error as Error).stack}\n`,
      )
    }
  }

  await stopAll(started)
  process.exit(status)
}

/** On Node 20 the same pages cost twice as much. */
function warnOfOldRuntime(): void {
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    return
  }

  const reason =
    'running on an older Node.js: npm start takes the one that the packages bring along where it can run'
  log.warn({ node: process.versions.node }, reason)
}

/** @param ownerLink null once the school has an owner. */
function welcome(ownerLink: string | null): string {
  const lines = [
    `Learnify is running at ${env.PUBLIC_URL}`,
    `  data   ${env.DATA_DIR}`,
    `  mail   ${mailPlace()}`,
  ]

  if (ownerLink) {
    lines.push(`  desk   ${env.PUBLIC_URL}${ownerLink} makes you its owner`)
  }

  return `\n${lines.join('\n')}\n  stop   Ctrl-C\n\n`
}

/**
 * Before stopping, the process reports 'not ready' and still answers, so that proxies switch to
 * another process. A signal during the start or the drain stops it at once.
 */
async function drain(server: HttpServer, ended: AbortSignal): Promise<void> {
  readiness.enter('stopping')
  server.drain()
  await delay(env.DRAIN_SECONDS * 1000, undefined, { signal: ended }).catch(() => {})
}
