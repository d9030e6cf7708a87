import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress'
import { findBuildFile } from './build-files.server'
import { chooseEncoding, type Encoding, encodeBody } from './compression.server'
import { courseMedia } from './content/course-media.server'
import { db } from './database/client.server'
import { answerOutage } from './database/outage.server'
import { env } from './env.server'
import { fileNameOf, fileStore } from './files.server'
import type { KeptPage } from './kept-page.server'
import { reportError } from './log.server'
import { watchMaintenance } from './maintenance.server'
import { metricsByToken } from './metrics/metrics-front.server'
import { ownChangeOf, rememberOwnChange } from './own-change.server'
import { pageCache } from './page-cache.server'
import { productFolder } from './product-folder.server'
import { productWatch } from './product-watch.server'
import { findPublicAddress } from './public-pages.server'
import { answerReadiness } from './readiness.server'
import { limitOf, renderings, TooManyRenderings } from './renderings.server'
import {
  limitBodies,
  readingMethods,
  refuseForeignOrigin,
  refuseOddMethod,
  refuseUnreadableAddress,
  requestLog,
} from './request-checks.server'
import { nameRoute } from './request-trace.server'
import { bytesOf, hasBytes, withBytes } from './response-bytes.server'
import { addHeaders, forbidStoring, securityHeaders } from './response-headers.server'
import { fileNotFound, ourFault } from './server-messages.server'
import type { Work } from './shedding'
import { busyAnswer, lookAtLoad, shedding, shedWork } from './shedding.server'

const buildFolder = path.join(productFolder, 'build/client')

type Handler = (request: Request) => Promise<Response>

/** What the front asks of the accounts. */
export type AccountFront = {
  /** Answers everything under /account. */
  handle: Handler
  /** By the signed cookie alone; null for nobody. */
  findSessionToken(request: Request): Promise<string | null>
}

/**
 * The product's HTTP front: limits, headers, files, accounts and the pages, in that order. Its requests come from
 * `onPublicOrigin`.
 *
 * @param headers of every answer, also of the refusals of `onPublicOrigin`.
 * @param build its name, for /metrics.
 */
export function createHttpApp({
  pages,
  accounts,
  workOf,
  headers,
  build = 'unknown',
}: {
  pages: Handler
  accounts: AccountFront
  workOf: (method: string, path: string) => Work
  headers: Record<string, string>
  build?: string
}): Hono {
  const app = new Hono()
  app.use(requestLog)
  app.use(addHeaders(headers))
  app.use(securityHeaders())
  app.use(answerOutage)
  app.use(refuseOddMethod)
  app.use(refuseUnreadableAddress)
  app.use(forbidStoring)
  app.use(rememberOwnChange)
  app.use(refuseForeignOrigin)
  app.use(limitBodies((request) => accounts.findSessionToken(request)))

  app.get('/healthz', (context) => context.text('ok'))
  if (env.METRICS_TOKEN) app.get('/metrics', metricsByToken(env.METRICS_TOKEN, build))
  app.get('/assets/*', files(buildFolder, 'public, max-age=31536000, immutable'))
  app.get('/assets/:name', sendOtherBuildsFile)
  app.get('/media/*', courseMedia({ db, folder: env.CONTENT_DIR }))
  app.get('/files/*', sendUpload)
  app.get('/:file{[^/]+\\.[a-z0-9]+}', files(buildFolder, 'public, max-age=86400'))
  app.get('/images/*', files(buildFolder, 'public, max-age=86400'))
  // Files know no maintenance.
  app.use(watchMaintenance)
  app.get('/readyz', lookAtLoad, answerReadiness)
  app.use(shedWork(workOf))
  app.all('/account/*', async (context) => accounts.handle(context.req.raw))
  const makePublic = publicPages(pages, headers)
  app.all('*', (context) => servePage(context, pages, makePublic, workOf(context.req.method, context.req.path)))
  app.onError(answerError)
  return app
}

function answerError(error: Error, context: Context): Response {
  if (error instanceof TooManyRenderings) return busyAnswer(context)
  reportError(error, { request: context.req.raw })
  return context.text(ourFault, 500)
}

function files(root: string, cacheControl: string): MiddlewareHandler {
  return serveStatic({
    root,
    precompressed: true,
    onFound: (_path, context) => context.header('Cache-Control', cacheControl),
  })
}

/** During an upgrade pages of two builds come here, and each asks for its own scripts. */
const sendOtherBuildsFile: MiddlewareHandler = async (context) => {
  const file = await findBuildFile(db, context.req.param('name') ?? '')
  if (!file) return context.text(fileNotFound, 404, { 'Cache-Control': 'no-store' })
  const encoding = chooseEncoding(context.req.header('accept-encoding') ?? null)
  const headers = new Headers({ 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' })
  return send(await encodeBody(file.bytes, encoding), encoding, 200, headers)
}

/** Uploads have random names and never change, so that a browser asks for each only once. */
const sendUpload: MiddlewareHandler = async (context, next) => {
  const name = fileNameOf(context.req.path)
  const bytes = name && (await fileStore.read(name))
  if (!bytes) return next()
  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'image/webp',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}

/** What one address gives everybody; of a request nothing but that address reaches it. */
type PublicPages = (address: string) => Promise<Response>

/** Made with every header of an answer, so that a kept page is complete; its bytes go past the layers that add them. */
function publicPages(pages: Handler, headers: Record<string, string>): PublicPages {
  const app = new Hono<{ Bindings: { page?: Response } }>().use(addHeaders(headers), securityHeaders(), answerOutage)
  app.all('*', async ({ req, env: made }) => {
    made.page = await pages(req.raw)
    return new Response(null, { status: made.page.status, headers: made.page.headers })
  })
  app.onError(answerError)
  return async (address) => {
    const made: { page?: Response } = {}
    const response = await app.fetch(new Request(env.PUBLIC_URL + address), made)
    return made.page ? withBytes(response, await bytesOf(made.page)) : response
  }
}

async function servePage(context: Context, pages: Handler, makePublic: PublicPages, work: Work): Promise<Response> {
  const request = context.req.raw
  const { method, url } = request
  const encoding = chooseEncoding(request.headers.get('accept-encoding'))
  if (!readingMethods.has(method)) return sendRendered(await pages(request), encoding)
  const address = findPublicAddress(new URL(url))
  await productWatch.settle(ownChangeOf(request.headers.get('cookie')))
  if (address === null) return sendRendered(await limitOf(work).run(() => pages(request)), encoding)
  const make = () => makePublic(address)
  const isFresh = pageCache.find(address) && !pageCache.isDue(address)
  const isBehind = shedding.level > 0 || renderings.areFull
  const kept = isBehind && !isFresh ? pageCache.postpone(address) : pageCache.find(address)
  if (kept && pageCache.isDue(address)) void pageCache.renew(address, make)
  if (!kept && shedding.refuses('rendering')) throw new TooManyRenderings()
  const page = kept ?? (await pageCache.render(address, make))
  nameRoute(page.route)
  const asked = {
    'accept-encoding': request.headers.get('accept-encoding') ?? undefined,
    'if-none-match': request.headers.get('if-none-match') ?? undefined,
  }
  if (!page.findAnswer(asked)) await pageCache.prepare(address, page, encoding)
  const answer = page.findAnswer(asked)
  if (kept && answer) answer.counted.foundLate += 1
  return responseOf(answer)
}

async function sendRendered(response: Response, encoding: Encoding): Promise<Response> {
  if (!hasBytes(response)) return response
  const headers = new Headers(response.headers)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  // Archives, PDFs and pictures are compressed: they go out as they are, while they are made.
  if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? 'text/plain'))
    return new Response(response.body, { status: response.status, headers })
  return send(await encodeBody(await bytesOf(response), encoding), encoding, response.status, headers)
}

function responseOf(answer: ReturnType<KeptPage['findAnswer']>): Response {
  if (!answer) throw new Error('A page has an answer once it is prepared.')
  const headers = new Headers()
  for (const [index, value] of answer.headers.entries()) {
    if (index % 2 === 1) headers.append(answer.headers[index - 1] ?? '', value)
  }
  return new Response(answer.body && new Uint8Array(answer.body), { status: answer.status, headers })
}

function send(body: Buffer, encoding: Encoding, status: number, headers: Headers): Response {
  headers.append('Vary', 'Accept-Encoding')
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding)
  headers.set('Content-Length', String(body.length))
  return new Response(new Uint8Array(body), { status, headers })
}
