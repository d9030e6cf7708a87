/**
 * Creates the HTTP app of the product. A request passes the cache, the headers and the checks
 * first, and then goes to the files, the accounts or the pages.
 *
 * Before a request gets here, `enforcePublicOrigin` has checked its host name
 * (`server/http/public-origin.server.ts`).
 */
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { courseMedia } from '~/features/courses/content/course-media.server'
import type { PublicPages } from '~/server/cache/page-keys.server'
import { servePublicPages } from '~/server/cache/serve-public-pages.server'
import { db } from '~/server/database/client.server'
import { outageMiddleware } from '~/server/database/connection-error.server'
import { env } from '~/server/env.server'
import { fileStore, parseFileUrl } from '~/server/files/files.server'
import { sendFileOfOtherBuild } from '~/server/http/build-files.server'
import { busyResponse, isPageLoad } from '~/server/http/error-response.server'
import { isEventLoopBehind } from '~/server/http/event-loop.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { maintenanceMiddleware } from '~/server/http/maintenance.server'
import {
  limitBodies,
  logRequests,
  refuseForeignOrigin,
  refuseUnknownMethod,
  refuseUnreadableUrl,
} from '~/server/http/request-checks.server'
import {
  addHeaders,
  forbidCachingByDefault,
  securityHeaders,
} from '~/server/http/response-headers.server'
import { serverMessages } from '~/server/http/server-messages.server'
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
  /**
   * Handles a request for a route with React Router: renders the page, or runs its loaders or
   * action.
   */
  handleRoute: Handler
  accounts: AccountRoutes
  /** The pages of the sample payments, if the school sells with them. They move no money. */
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
 * One thread renders all pages, but while one page waits for the database, others can be rendered. A
 * higher limit would not make the thread faster: it would keep more half-finished pages in memory and
 * delay each of them. The number is an estimate, not a measured optimum.
 */
const maxConcurrentRenderings = 64

/** At most this many pages wait to be rendered. Later visitors are told to come back in a moment. */
const maxWaitingPages = 256

/**
 * While the event loop is behind, pages above this number are refused. The pages below it are
 * rendered, because a restore or another program can also slow the event loop down.
 */
const maxRenderingsWhileBehind = 8

const renderingLimit = limitConcurrency(maxConcurrentRenderings, {
  name: 'renderings',
  maxWaiting: maxWaitingPages,
  refuseWhen: (running) => isEventLoopBehind() && running >= maxRenderingsWhileBehind,
})

export function createHttpApp(options: HttpAppOptions): Hono {
  const {
    handleRoute,
    accounts,
    samplePayments,
    publicPages,
    headers,
    build = 'unknown',
    slowRequestMs = 1_000,
  } = options
  const app = new Hono()
  app.use(logRequests(slowRequestMs))

  // The cache comes before the middleware for headers and checks. A cached page was stored with all
  // of its headers, and the cache only responds to GET and HEAD requests with a readable URL, which
  // the checks accept and maintenance allows.
  if (publicPages) {
    app.use(servePublicPages(publicPages, createPublicPageRenderer(handleRoute, headers)))
  }

  app.use(...createResponseMiddleware(headers))
  app.use(refuseUnknownMethod, refuseUnreadableUrl, refuseForeignOrigin)
  app.use(limitBodies((request) => accounts.findSessionToken(request)))

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', sendReadiness)
  if (env.METRICS_TOKEN) {
    app.get('/metrics', metricsByToken(env.METRICS_TOKEN, build))
  }

  app.get('/assets/*', serveFiles(buildFolder, 'public, max-age=31536000, immutable'))
  // A page of an older build may request a script that this build does not have.
  app.get('/assets/:name', compress(), sendFileOfOtherBuild)
  app.get('/media/*', courseMedia({ db, folder: env.CONTENT_DIR }))
  app.get('/files/*', sendUpload)
  app.get('/brand/:name', sendBrandFile)
  app.get('/site.webmanifest', sendManifest)
  // Files such as favicon.ico. An unknown name goes on to the pages.
  app.get('/:file{[^/]+\\.[a-z0-9]+}', serveFiles(buildFolder, 'public, max-age=86400'))
  app.get('/images/*', serveFiles(buildFolder, 'public, max-age=86400'))

  if (samplePayments) {
    app.route(samplePayments.path, samplePayments.app)
  }

  // The files above are compressed already, and are also served during maintenance.
  app.use(compress(), maintenanceMiddleware)
  app.all('/account/*', (context) => accounts.handle(context.req.raw))
  app.all('*', (context) => {
    const handleRequest = () => handleRoute(context.req.raw)
    // Only page loads are limited. Requests of scripts are small, and a whole class sends them at
    // the same time.
    return isPageLoad(context) ? renderingLimit.run(handleRequest) : handleRequest()
  })

  app.onError(handleError)

  return app
}

/** Creates the middleware for the headers and the outages that every response passes. */
function createResponseMiddleware(headers: Record<string, string>): MiddlewareHandler[] {
  return [addHeaders(headers), securityHeaders(), forbidCachingByDefault, outageMiddleware]
}

function handleError(error: Error, context: Context): Response {
  if (error instanceof BusyError) {
    return busyResponse(context)
  }

  reportError(error, { request: context.req.raw })
  return context.text(serverMessages.internalError, 500)
}

/**
 * Returns a function that renders a page for the cache. The page is rendered from its path alone,
 * without the headers of a visitor's request, so that it is the same for everyone.
 */
function createPublicPageRenderer(handleRoute: Handler, headers: Record<string, string>) {
  const app = new Hono()
  app.use(...createResponseMiddleware(headers))
  app.get('*', (context) => renderingLimit.run(() => handleRoute(context.req.raw)))
  app.onError(handleError)

  return async (pagePath: string): Promise<Response> =>
    app.fetch(new Request(env.PUBLIC_URL + pagePath, { headers: { Accept: 'text/html' } }))
}

function serveFiles(root: string, cacheControl: string): MiddlewareHandler {
  return serveStatic({
    root,
    precompressed: true,
    onFound: (_path, context) => context.header('Cache-Control', cacheControl),
  })
}

/**
 * Sends an uploaded picture. Uploads have random names and never change, so browsers may cache them
 * forever. Proxies may not, because an upload can be a learner's photo.
 */
const sendUpload: MiddlewareHandler = async (context, next) => {
  const name = parseFileUrl(context.req.path)
  if (!name) {
    return next()
  }

  const bytes = await fileStore.read(name)
  if (!bytes) {
    return next()
  }

  // All uploads are converted to WebP.
  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'image/webp',
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
}
