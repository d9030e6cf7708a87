import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { courseMedia } from '~/features/courses/content/course-media.server'
import { cachePublicPages, type PublicPages } from '~/server/cache/cache-public-pages.server'
import { db } from '~/server/database/client.server'
import { outageMiddleware } from '~/server/database/connection-error.server'
import { env } from '~/server/env.server'
import { fileNameOf, fileStore } from '~/server/files/files.server'
import { sendOtherBuildsFile } from '~/server/http/build-files.server'
import { busyResponse, opensPage } from '~/server/http/error-response.server'
import { isEventLoopBehind } from '~/server/http/event-loop.server'
import { BusyError, limitConcurrency } from '~/server/http/limit-concurrency.server'
import { maintenanceMiddleware } from '~/server/http/maintenance.server'
import {
  limitBodies,
  logRequests,
  refuseForeignOrigin,
  refuseOddMethod,
  refuseUnreadableAddress,
} from '~/server/http/request-checks.server'
import { addHeaders, forbidCaching, securityHeaders } from '~/server/http/response-headers.server'
import { ourFault } from '~/server/http/server-messages.server'
import { reportError } from '~/server/operations/log.server'
import { metricsByToken } from '~/server/operations/metrics/metrics-endpoint.server'
import { productFolder } from '~/server/operations/product-folder.server'
import { answerReadiness } from '~/server/operations/readiness.server'
import { sendBrandFile, sendManifest } from '~/server/site/brand-files.server'

const buildFolder = path.join(productFolder, 'build/client')

type Handler = (request: Request) => Promise<Response>

/** The accounts' part of the server. */
export type AccountFront = {
  /** Answers everything under /account. */
  handle: Handler
  /** By the signed cookie alone; null for visitors. */
  findSessionToken(request: Request): Promise<string | null>
}

/** An application of its own, below a path of the product. */
export type MountedApp = { path: string; app: Hono }

type Parts = {
  pages: Handler
  accounts: AccountFront
  samplePayments?: MountedApp | null
  /** Null in development: every page is rendered anew. */
  publicPages: PublicPages | null
  /** Of every answer, also of the refusals of `onPublicOrigin`. */
  headers: Record<string, string>
  /** Its name, for /metrics. */
  build?: string
  /** The time that makes a request slow in the log. */
  slowRequestMs?: number
}

/**
 * One thread does all the rendering, but a page spends part of its time waiting for the database.
 * While it waits, other pages can be rendered, so the limit is well above 1. It is also above the
 * default of 10 database connections, because a page holds a connection only during a query.
 * A higher limit could not make the thread faster. It would only keep more half-finished pages in
 * memory and delay each of them. 64 is a judgment by these reasons, not a measured optimum.
 * Under overload `isEventLoopBehind` refuses new pages, even if fewer than 64 are being rendered.
 */
const maxConcurrentRenderings = 64
const renderings = limitConcurrency(maxConcurrentRenderings, {
  name: 'renderings',
  waiting: 256,
  refuseWhen: isEventLoopBehind,
})

/**
 * The product's HTTP: limits, headers, files, accounts and the pages, in that order. Its requests
 * come from `onPublicOrigin`.
 */
export function createHttpApp(parts: Parts): Hono {
  const {
    pages,
    accounts,
    samplePayments,
    publicPages,
    headers,
    build = 'unknown',
    slowRequestMs = 1_000,
  } = parts
  const app = new Hono()
  app.use(logRequests(slowRequestMs))
  // Cached pages have all headers already.
  if (publicPages) {
    app.use(cachePublicPages(publicPages, renderPublicPage(pages, headers)))
  }

  app.use(addHeaders(headers), securityHeaders(), forbidCaching, outageMiddleware)
  app.use(refuseOddMethod, refuseUnreadableAddress, refuseForeignOrigin)
  app.use(limitBodies((request) => accounts.findSessionToken(request)))

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', answerReadiness)
  if (env.METRICS_TOKEN) {
    app.get('/metrics', metricsByToken(env.METRICS_TOKEN, build))
  }

  app.get('/assets/*', files(buildFolder, 'public, max-age=31536000, immutable'))
  app.get('/assets/:name', compress(), sendOtherBuildsFile)
  app.get('/media/*', courseMedia({ db, folder: env.CONTENT_DIR }))
  app.get('/files/*', sendUpload)
  app.get('/brand/:name', sendBrandFile)
  app.get('/site.webmanifest', sendManifest)
  app.get('/:file{[^/]+\\.[a-z0-9]+}', files(buildFolder, 'public, max-age=86400'))
  app.get('/images/*', files(buildFolder, 'public, max-age=86400'))

  if (samplePayments) {
    app.route(samplePayments.path, samplePayments.app)
  }

  app.use(compress(), maintenanceMiddleware)
  app.all('/account/*', (context) => accounts.handle(context.req.raw))
  app.all('*', (context) => {
    const answer = () => pages(context.req.raw)
    // Only page loads are limited: scripts' requests are small, and a whole class sends them at the
    // same time.
    return opensPage(context) ? renderings.run(answer) : answer()
  })

  app.onError(answerError)

  return app
}

function answerError(error: Error, context: Context): Response {
  if (error instanceof BusyError) {
    return busyResponse(context)
  }

  reportError(error, { request: context.req.raw })
  return context.text(ourFault, 500)
}

/**
 * @returns a function that renders a page from its address alone, without the visitor's headers.
 */
function renderPublicPage(pages: Handler, headers: Record<string, string>) {
  const app = new Hono()
  app.use(addHeaders(headers), securityHeaders(), forbidCaching, outageMiddleware)
  app.get('*', (context) => renderings.run(() => pages(context.req.raw)))
  app.onError(answerError)

  return async (address: string): Promise<Response> =>
    app.fetch(new Request(env.PUBLIC_URL + address, { headers: { Accept: 'text/html' } }))
}

function files(root: string, cacheControl: string): MiddlewareHandler {
  return serveStatic({
    root,
    precompressed: true,
    onFound: (_path, context) => context.header('Cache-Control', cacheControl),
  })
}

/**
 * Uploads have random names and never change, so browsers cache them for good. Proxies may not
 * store a learner's photo.
 */
const sendUpload: MiddlewareHandler = async (context, next) => {
  const name = fileNameOf(context.req.path)
  const bytes = name && (await fileStore.read(name))
  if (!bytes) {
    return next()
  }

  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'image/webp',
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
}
