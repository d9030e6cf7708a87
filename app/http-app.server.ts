import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { courseMedia } from '~/features/courses/content/course-media.server'
import { cachePublicPages } from '~/server/cache/cache-public-pages.server'
import type { PublicPages } from '~/server/cache/page-keys.server'
import { db } from '~/server/database/client.server'
import { outageMiddleware } from '~/server/database/connection-error.server'
import { env } from '~/server/env.server'
import { fileStore, parseFileUrl } from '~/server/files/files.server'
import { sendOtherBuildsFile } from '~/server/http/build-files.server'
import { busyResponse, opensPage } from '~/server/http/error-response.server'
import { isEventLoopBehind } from '~/server/http/event-loop.server'
import {
  BusyError,
  type ConcurrencyLimit,
  limitConcurrency,
} from '~/server/http/limit-concurrency.server'
import { maintenanceMiddleware } from '~/server/http/maintenance.server'
import {
  limitBodies,
  logRequests,
  refuseForeignOrigin,
  refuseUnknownMethod,
  refuseUnreadableUrl,
} from '~/server/http/request-checks.server'
import { addHeaders, forbidCaching, securityHeaders } from '~/server/http/response-headers.server'
import { ourFault } from '~/server/http/server-messages.server'
import { reportError } from '~/server/operations/log.server'
import { metricsByToken } from '~/server/operations/metrics/metrics-endpoint.server'
import { productFolder } from '~/server/operations/product-folder.server'
import { sendReadiness } from '~/server/operations/readiness.server'
import { sendBrandFile, sendManifest } from '~/server/site/brand-files.server'

const buildFolder = path.join(productFolder, 'build/client')

type Handler = (request: Request) => Promise<Response>

/** What the server needs from the accounts. */
export type AccountRoutes = {
  /** Handles all requests under /account. */
  handle: Handler
  /** Checks only the signature of the cookie, without the database. Returns null for visitors. */
  findSessionToken(request: Request): Promise<string | null>
}

/** A Hono app that serves everything below a path. */
export type MountedApp = { path: string; app: Hono }

type HttpAppOptions = {
  /** Renders a page, or runs its loaders and route action. */
  handlePage: Handler
  accounts: AccountRoutes
  samplePayments?: MountedApp | null
  /** The pages to cache, or null in development, where every request renders its page anew. */
  publicPages: PublicPages | null
  /** The headers of every response. `enforcePublicOrigin` adds them to its refusals, too. */
  headers: Record<string, string>
  /** The name of the build, for /metrics. */
  build?: string
  /** The log warns of requests that take at least this time. */
  slowRequestMs?: number
}

/**
 * One thread does all the rendering, but a page spends part of its time waiting for the database.
 * While it waits, other pages can be rendered, so the limit is well above 1. It is also above the
 * default of 10 database connections, because a page holds a connection only during a query.
 * A higher limit could not make the thread faster. It would only keep more half-finished pages in
 * memory and delay each of them. 64 is a judgment by these reasons, not a measured optimum.
 * Under overload `isOverloaded` refuses new pages, even if fewer than 64 are being rendered.
 */
const maxConcurrentRenderings = 64

/**
 * The number of pages that are rendered even if the event loop is behind. A restore or another
 * program can also slow it down, and then the few visitors wait a moment instead of being refused.
 */
const maxRenderingsWhileBehind = 8
const renderings: ConcurrencyLimit = limitConcurrency(maxConcurrentRenderings, {
  name: 'renderings',
  maxWaiting: 256,
  refuseWhen: isOverloaded,
})

/** Returns whether requests queue up because the event loop can't keep up with them. */
function isOverloaded(): boolean {
  return isEventLoopBehind() && renderings.running >= maxRenderingsWhileBehind
}

/**
 * Creates the HTTP app of the product. A request passes the limits and headers first, and then goes to
 * the files, the accounts or the pages. `enforcePublicOrigin` must have checked its host name before.
 */
export function createHttpApp(options: HttpAppOptions): Hono {
  const {
    handlePage,
    accounts,
    samplePayments,
    publicPages,
    headers,
    build = 'unknown',
    slowRequestMs = 1_000,
  } = options
  const app = new Hono()
  app.use(logRequests(slowRequestMs))

  // The cache comes before the middleware for headers and checks. A cached page was stored with all of
  // its headers, and the cache only responds to GET and HEAD requests with a readable URL, which the
  // checks accept and maintenance allows.
  if (publicPages) {
    app.use(cachePublicPages(publicPages, createPublicPageRenderer(handlePage, headers)))
  }

  app.use(addHeaders(headers), securityHeaders(), forbidCaching, outageMiddleware)
  app.use(refuseUnknownMethod, refuseUnreadableUrl, refuseForeignOrigin)
  app.use(limitBodies((request) => accounts.findSessionToken(request)))

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', sendReadiness)
  if (env.METRICS_TOKEN) {
    app.get('/metrics', metricsByToken(env.METRICS_TOKEN, build))
  }

  app.get('/assets/*', serveFiles(buildFolder, 'public, max-age=31536000, immutable'))
  app.get('/assets/:name', compress(), sendOtherBuildsFile)
  app.get('/media/*', courseMedia({ db, folder: env.CONTENT_DIR }))
  app.get('/files/*', sendUpload)
  app.get('/brand/:name', sendBrandFile)
  app.get('/site.webmanifest', sendManifest)
  app.get('/:file{[^/]+\\.[a-z0-9]+}', serveFiles(buildFolder, 'public, max-age=86400'))
  app.get('/images/*', serveFiles(buildFolder, 'public, max-age=86400'))

  if (samplePayments) {
    app.route(samplePayments.path, samplePayments.app)
  }

  app.use(compress(), maintenanceMiddleware)
  app.all('/account/*', (context) => accounts.handle(context.req.raw))
  app.all('*', (context) => {
    const handleRequest = () => handlePage(context.req.raw)
    // Only page loads are limited. Requests of scripts are small, and a whole class sends them at the
    // same time.
    return opensPage(context) ? renderings.run(handleRequest) : handleRequest()
  })

  app.onError(handleError)

  return app
}

function handleError(error: Error, context: Context): Response {
  if (error instanceof BusyError) {
    return busyResponse(context)
  }

  reportError(error, { request: context.req.raw })
  return context.text(ourFault, 500)
}

/**
 * Returns a function that renders a page for the cache. It gets the path alone, without the headers of
 * the visitor, so that the page is the same for everyone.
 */
function createPublicPageRenderer(handlePage: Handler, headers: Record<string, string>) {
  const app = new Hono()
  app.use(addHeaders(headers), securityHeaders(), forbidCaching, outageMiddleware)
  app.get('*', (context) => renderings.run(() => handlePage(context.req.raw)))
  app.onError(handleError)

  return async (path: string): Promise<Response> =>
    app.fetch(new Request(env.PUBLIC_URL + path, { headers: { Accept: 'text/html' } }))
}

function serveFiles(root: string, cacheControl: string): MiddlewareHandler {
  return serveStatic({
    root,
    precompressed: true,
    onFound: (_path, context) => context.header('Cache-Control', cacheControl),
  })
}

/**
 * Sends an uploaded file. Uploads have random names and never change, so browsers may cache them
 * forever. Proxies may not, because an upload can be a learner's photo.
 */
const sendUpload: MiddlewareHandler = async (context, next) => {
  const name = parseFileUrl(context.req.path)
  const bytes = name && (await fileStore.read(name))
  if (!bytes) {
    return next()
  }

  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'image/webp',
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
}
