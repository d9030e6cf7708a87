/**
 * Creates the HTTP app of the product: the middleware that every request goes through, in order,
 * and then what responds to it. Files and accounts have handlers of their own. React Router
 * responds to everything else.
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
import { outageMiddleware } from '~/server/database/outage.server'
import { env } from '~/server/env.server'
import { fileStore, parseFileUrl } from '~/server/files/files.server'
import { sendFileOfOtherBuild } from '~/server/http/build-files.server'
import { busyResponse, isPageLoad } from '~/server/http/error-response.server'
import { isEventLoopBehind } from '~/server/http/event-loop.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { maintenanceMiddleware } from '~/server/http/maintenance.server'
import {
  limitBodies,
  refuseForeignOrigin,
  refuseUnknownMethod,
  refuseUnreadableUrl,
} from '~/server/http/request-checks.server'
import { logRequests } from '~/server/http/request-log.server'
import {
  addHeaders,
  addSecurityHeaders,
  forbidCachingByDefault,
} from '~/server/http/response-headers.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { reportError } from '~/server/operations/log.server'
import { sendMetrics } from '~/server/operations/metrics/metrics-endpoint.server'
import { productFolder } from '~/server/operations/product-folder.server'
import { sendReadiness } from '~/server/operations/readiness.server'
import { sendBrandFile, sendManifest } from '~/server/site/brand-files.server'

const buildFolder = path.join(productFolder, 'build/client')

type RequestHandler = (request: Request) => Promise<Response>

const cacheForever = 'public, max-age=31536000, immutable'
const cacheForOneDay = 'public, max-age=86400'

/** What the server needs from the accounts. */
export type AccountRoutes = {
  /** Responds to all requests under /account. */
  handle: RequestHandler
  /**
   * Returns the token of the session cookie if its signature is right, and null for visitors. Does
   * not read the database: the token only decides how large an upload may be.
   */
  findSessionToken(request: Request): Promise<string | null>
}

/** A Hono app that serves everything below a path. */
export type MountedApp = { path: string; app: Hono }

type HttpAppOptions = {
  /** Responds with React Router: renders a page, or runs its loaders or its action. */
  handleRoute: RequestHandler
  accounts: AccountRoutes
  /** The pages of a payment provider that moves no money. Null if the school does not use it. */
  samplePayments?: MountedApp | null
  /** The pages to cache, or null in development, where every request renders its page anew. */
  publicPages: PublicPages | null
  /** The product's own headers, such as the name of the build. Every response has them. */
  commonHeaders: Record<string, string>
  /** The name of the build, for /metrics. */
  build?: string
  /** The log warns of requests that take at least this time. */
  slowRequestMs?: number
}

/**
 * One thread renders all pages. While a page waits for the database, the thread renders others. A
 * higher limit would not make the thread faster, but keep more unfinished pages in memory. The
 * number is an estimate, not a measured optimum.
 */
const maxConcurrentRenderings = 64

/**
 * At most this many pages wait to be rendered. Later visitors are told to come back in a moment.
 */
const maxWaitingPages = 256

/**
 * While the event loop is behind, a page is refused if this many are being rendered already. With
 * fewer, too many visitors are not the cause: a restore or another program slows the event loop
 * down.
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
    commonHeaders,
    build = 'unknown',
    slowRequestMs = 1_000,
  } = options
  const app = new Hono()
  app.use(logRequests(slowRequestMs))

  // Cached pages need neither the headers nor the checks below. They were stored with all of their
  // headers. And they are only sent for a GET or HEAD request with a readable URL, which the checks
  // accept, also during maintenance.
  if (publicPages) {
    app.use(servePublicPages(publicPages, createPublicPageRenderer(handleRoute, commonHeaders)))
  }

  app.use(...createResponseMiddleware(commonHeaders))
  app.use(refuseUnknownMethod, refuseUnreadableUrl, refuseForeignOrigin)
  app.use(limitBodies((request) => accounts.findSessionToken(request)))

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', sendReadiness)
  if (env.METRICS_TOKEN) {
    app.get('/metrics', sendMetrics(env.METRICS_TOKEN, build))
  }

  app.get('/assets/*', serveFiles(buildFolder, cacheForever))
  // A page of an older build may request a script that this build does not have.
  app.get('/assets/:name', compress(), sendFileOfOtherBuild)
  app.get('/media/*', courseMedia({ db, folder: env.CONTENT_DIR }))
  app.get('/files/*', sendUpload)
  app.get('/brand/:name', sendBrandFile)
  app.get('/site.webmanifest', sendManifest)
  // Files such as favicon.ico. An unknown name goes on to the pages.
  app.get('/:file{[^/]+\\.[a-z0-9]+}', serveFiles(buildFolder, cacheForOneDay))
  app.get('/images/*', serveFiles(buildFolder, cacheForOneDay))

  if (samplePayments) {
    app.route(samplePayments.path, samplePayments.app)
  }

  // What follows is compressed here, and not available during maintenance.
  app.use(compress(), maintenanceMiddleware)
  app.all('/account/*', (context) => accounts.handle(context.req.raw))
  app.all('*', (context) => {
    const respond = () => handleRoute(context.req.raw)
    // Only page loads are limited. The requests that a page's script sends cost less, and a whole
    // class sends them at the same time.
    return isPageLoad(context) ? renderingLimit.run(respond) : respond()
  })

  app.onError(handleError)

  return app
}

/** Returns the middleware that adds the headers and turns a database outage into a 503 response. */
function createResponseMiddleware(commonHeaders: Record<string, string>): MiddlewareHandler[] {
  return [addHeaders(commonHeaders), addSecurityHeaders(), forbidCachingByDefault, outageMiddleware]
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
function createPublicPageRenderer(
  handleRoute: RequestHandler,
  commonHeaders: Record<string, string>,
) {
  const app = new Hono()
  app.use(...createResponseMiddleware(commonHeaders))
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
 * Sends an uploaded picture to everyone who knows its random name. Uploads never change, so
 * browsers may cache them forever. Proxies may not, because an upload can be a learner's photo.
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
