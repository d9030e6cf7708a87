/**
 * The parts of the product, in the order in which they start. `main.server.ts` starts and stops
 * them.
 */
import { mkdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { ContentHooks } from '~/features/courses/content/content-loader.server'
import {
  loadContentAtStart,
  refreshContentWarning,
  reloadContent,
} from '~/features/courses/content/content-reload.server'
import { watchContent } from '~/features/courses/content/content-watch.server'
import { getCurrencyDecimals } from '~/features/school/money'
import { pageCache } from '~/server/cache/page-cache.server'
import type { PublicPages } from '~/server/cache/page-keys.server'
import { followSharedState } from '~/server/cache/shared-state.server'
import { db, openDatabase, withOwnConnection } from '~/server/database/client.server'
import { openReadReplica } from '~/server/database/read-replica.server'
import { env, isLoopback } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { storeBuildFiles } from '~/server/http/build-files.server'
import { isEventLoopBehind, watchEventLoop } from '~/server/http/event-loop.server'
import { type HttpServer, listen } from '~/server/http/http-server.server'
import { enforcePublicOrigin } from '~/server/http/public-origin.server'
import { createCommonHeaders } from '~/server/http/response-headers.server'
import { startBackgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { readiness } from '~/server/operations/readiness.server'
import type { Stop } from '~/server/operations/shutdown.server'
import { failure } from '~/server/result'
import { refreshSite, siteCurrency } from '~/server/site/site.server'
import { type AccountRoutes, createHttpApp, type MountedApp } from './http-app.server'

/**
 * A part of the product. `start` returns the function that stops the part, if it needs stopping.
 */
type ProductPart = { name: string; start(): Promise<Stop | undefined> | Stop | undefined }

type ListenerParameters = Parameters<RequestListener>

/** What the features add to the server. The server does not import features itself. */
export type FeatureParts = {
  accounts: AccountRoutes & { open(): Promise<Stop> }
  /** The sample sign-in provider, whose requests are handled first; null where it is off. */
  sampleSignInProvider: {
    handles(request: ListenerParameters[0]): boolean
    handle(...parameters: ListenerParameters): void
  } | null
  /** The pages of the sample payment provider; null where it is off. */
  samplePayments: MountedApp | null
  contentHooks: ContentHooks
  publicPages: PublicPages
  /** Work that is not part of a request. It starts before the first request is handled. */
  backgroundParts: readonly ProductPart[]
  /**
   * Returns the path of the link that makes its visitor the owner, or null if there is an owner.
   */
  createFirstOwnerLink(): Promise<string | null>
  /** The name of the response header whose value names the build. */
  buildHeader: string
}

/**
 * Vite, which renders the pages in development, so that an edit is visible at once: its middleware,
 * and its function that loads the pages.
 */
export type Vite = { middleware: Middleware; loadBuild(): Promise<ServerBuild> }
type Middleware = (...parameters: [...ListenerParameters, next: () => void]) => void

type ListOptions = {
  /** Undefined in production. */
  vite: Vite | undefined
  /** Gets the HTTP server, which is the last part. */
  onListening(server: HttpServer): void
}

/** Returns all parts of the product. Each part needs only the parts before it. */
export function listParts(
  features: FeatureParts,
  { vite, onListening }: ListOptions,
): ProductPart[] {
  const { accounts, contentHooks } = features
  // The part 'pages' sets it for the part 'HTTP'.
  let pages: Pages

  return [
    { name: 'data folder', start: createDataFolder },
    { name: 'event loop', start: watchEventLoop },
    { name: 'database', start: openDatabase },
    {
      name: 'content',
      async start() {
        // A large school takes longer than the time limit of the common connections.
        await withOwnConnection((database) => loadContentAtStart(contentHooks, database))
        loadedDecimals = getCurrencyDecimals(siteCurrency())
        addReadinessChecks()
      },
    },
    {
      name: 'shared state',
      start: () => followSharedState(() => applySharedState(contentHooks)),
    },
    { name: 'read replica', start: () => openReadReplica() },
    { name: 'background work', start: () => startBackgroundWork() },
    { name: 'accounts', start: () => accounts.open() },
    ...features.backgroundParts,
    {
      name: 'pages',
      async start() {
        pages = await openPages(features, vite)
      },
    },
    {
      name: 'content watch',
      start: () => (vite ? watchContent({ load: () => reloadContent(contentHooks) }) : undefined),
    },
    {
      name: 'HTTP',
      async start() {
        const server = await startListening(createListener(features, pages, vite))
        onListening(server)
        return server.close
      },
    },
  ]
}

async function createDataFolder(): Promise<undefined> {
  // The database may run under another account, which has to enter the folder. Private files have
  // stricter modes.
  await mkdir(`${env.DATA_DIR}/files`, { recursive: true, mode: 0o711 })
}

function addReadinessChecks(): void {
  readiness.addCheck('database', () => db.execute(sql`select 1`))
  readiness.addCheck('content', async () => {
    const { rows } = await db.execute(sql`select from content_state`)
    if (rows.length === 0) {
      throw new Error('No content is loaded yet.')
    }
  })

  readiness.addCheck('storage', () => fileStore.check(), {
    warning: 'Profile photos can’t be stored or shown.',
  })
}

/**
 * The decimals of the currency in which this process has read the courses' prices. The site's currency may
 * already be another one, because a page at the desk reads the site, too.
 */
let loadedDecimals: number | null = null

/** Applies what another process, staff or an operator has changed. */
async function applySharedState(contentHooks: ContentHooks): Promise<void> {
  await refreshSite(db)
  pageCache.clear()

  // The new version of the pages does not wait until the files are read.
  refreshContentWarning().catch((error) =>
    log.warn({ err: error }, 'the warning about the content was not updated'),
  )

  // Prices are stored in the currency's smallest unit, so they change with its decimals.
  const decimals = getCurrencyDecimals(siteCurrency())
  if (decimals === loadedDecimals) {
    return
  }

  const result = await reloadContent(contentHooks).catch((error: Error) => failure(error.message))
  if (!result.ok) {
    log.error({ problem: result.problem }, 'the content was not read in the new currency')
    return
  }

  loadedDecimals = decimals
}

type Pages = { app: Hono; headers: Record<string, string> }

/**
 * Loads the build, and renders the first pages. In development, Vite renders pages when requested.
 */
async function openPages(features: FeatureParts, vite: Vite | undefined): Promise<Pages> {
  const build = vite?.loadBuild ?? (await import('virtual:react-router/server-build'))
  const buildName = typeof build === 'function' ? 'development' : build.assets.version
  const headers = createCommonHeaders(features.buildHeader, buildName)
  const handleRequest = createRequestHandler(build, env.NODE_ENV)
  const app = createHttpApp({
    handleRoute: (request) => handleRequest(request),
    accounts: features.accounts,
    samplePayments: features.samplePayments,
    publicPages: vite ? null : features.publicPages,
    commonHeaders: headers,
    build: buildName,
  })

  if (!vite) {
    await storeBuildFiles()
    await warmUp(app)
  }

  return { app, headers }
}

const warmUpPaths = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp']
const maxWarmUpRounds = 20
const warmUpPauseMs = 500

/**
 * Renders the most visited pages until the process can render them fast. Code is slow until it has
 * been compiled, so the first renderings keep the event loop busy, and some are refused.
 */
async function warmUp(app: Hono): Promise<void> {
  for (let round = 0; round < maxWarmUpRounds; round++) {
    const responses = await Promise.all(
      warmUpPaths.map((path) => app.request(env.PUBLIC_URL + path)),
    )
    if (responses.every(({ ok }) => ok) && !isEventLoopBehind()) {
      return
    }

    await delay(warmUpPauseMs)
  }

  log.warn('not warm yet: the first visitors may be refused')
}

/** Returns the listener of all requests. In development, Vite's middleware runs first. */
function createListener(
  { sampleSignInProvider }: FeatureParts,
  { app, headers }: Pages,
  vite: Vite | undefined,
): RequestListener {
  const handleRequest = getRequestListener(app.fetch)
  const originSettings = {
    publicUrl: env.PUBLIC_URL,
    port: env.PORT,
    trustedProxies: env.TRUST_PROXY,
    headers,
  }
  const listener = enforcePublicOrigin(originSettings, (request, response) => {
    if (sampleSignInProvider?.handles(request)) {
      sampleSignInProvider.handle(request, response)
    } else {
      handleRequest(request, response)
    }
  })

  if (!vite) {
    return listener
  }

  return (request, response) =>
    vite.middleware(request, response, () => listener(request, response))
}

/**
 * Listens on `HOST`. Without that setting, a product with a loopback URL listens only on the
 * loopback interface, for IPv4 and IPv6, and any other product listens on all interfaces.
 */
async function startListening(listener: RequestListener): Promise<HttpServer> {
  const defaultHosts = isLoopback ? ['127.0.0.1', '::1'] : ['::']
  const hosts = env.HOST ? [env.HOST] : defaultHosts
  const server = await listen({ hosts, port: env.PORT }, listener)
  log.info({ address: env.PUBLIC_URL }, 'ready')

  return server
}
