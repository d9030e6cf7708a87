import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import { findBuildFile } from './build-files.server'
import { chooseEncoding, type Encoding, encodeBody } from './compression.server'
import { courseMedia } from './content/course-media.server'
import { db } from './database/client.server'
import { answerOutage } from './database/outage.server'
import { env } from './env.server'
import { fileNameOf, fileStore } from './files.server'
import type { KeptPage } from './kept-page.server'
import { log, reportError } from './log.server'
import { loggedPath } from './logged-path.server'
import { pageCache } from './page-cache.server'
import { findPublicAddress } from './public-pages.server'
import { answerReadiness } from './readiness.server'
import { renderings, TooManyRenderings } from './renderings.server'
import { withRequestId } from './request-id.server'
import { bytesOf, withBytes } from './response-bytes.server'

type Handler = (request: Request) => Promise<Response>

/** What the front asks of the accounts. */
export type AccountFront = {
  /** Answers everything under /account. */
  handle: Handler
  /** By the signed cookie alone; null for nobody. */
  findSessionToken(request: Request): Promise<string | null>
}

const kibibyte = 1024
const formLimitBytes = 64 * kibibyte
/** Above the 5 MB that a photo may have, so that a photo that is too large gets the form's own message. */
const uploadLimitBytes = 12 * kibibyte * kibibyte
const uploadPaths = /^\/Profile(\/|\.data|$)/i

/**
 * The product's HTTP front: limits, headers, files, accounts and the pages, in that order. Its requests come from
 * `onPublicOrigin`.
 *
 * @param headers of every answer, also of the refusals of `onPublicOrigin`.
 */
export function createHttpApp({
  pages,
  accounts,
  headers,
}: {
  pages: Handler
  accounts: AccountFront
  headers: Record<string, string>
}): Hono {
  const app = new Hono()
  app.use(numberRequest)
  app.use(requestLog)
  app.use(addHeaders(headers))
  app.use(securityHeaders())
  app.use(answerOutage)
  app.use(refuseOddMethod)
  app.use(refuseUnreadableAddress)
  app.use(forbidStoringChanges)
  app.use(refuseForeignOrigin)
  app.use(async (context, next) =>
    limitBody((await mayUpload(context, accounts)) ? uploadLimitBytes : formLimitBytes)(context, next),
  )

  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', answerReadiness)
  app.get('/assets/*', files('build/client', 'public, max-age=31536000, immutable'))
  app.get('/assets/:name', sendOtherBuildsFile)
  app.get('/media/*', courseMedia({ db, folder: env.CONTENT_DIR }))
  app.get('/files/*', sendUpload)
  app.get('/:file{[^/]+\\.[a-z0-9]+}', files('build/client', 'public, max-age=86400'))
  app.get('/images/*', files('build/client', 'public, max-age=86400'))
  app.all('/account/*', async (context) => accounts.handle(context.req.raw))
  const makePublic = publicPages(pages, headers)
  app.all('*', (context) => servePage(context, pages, makePublic))
  app.onError(answerError)
  return app
}

function answerError(error: Error, context: Context): Response {
  if (error instanceof TooManyRenderings) {
    const headers = { 'Retry-After': '1', 'Cache-Control': 'no-store' }
    return context.text('Too many pages are asked for at once. Please try again in a moment.', 503, headers)
  }
  reportError(error, { request: context.req.raw })
  return context.text('Something went wrong on our side. Please try again in a moment.', 500)
}

function files(root: string, cacheControl: string): MiddlewareHandler {
  return serveStatic({
    root,
    precompressed: true,
    onFound: (_path, context) => context.header('Cache-Control', cacheControl),
  })
}

function addHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
  }
}

/** During an upgrade pages of two builds come here, and each asks for its own scripts. */
const sendOtherBuildsFile: MiddlewareHandler = async (context) => {
  const file = await findBuildFile(db, context.req.param('name') ?? '')
  if (!file) return context.text('We couldn’t find that file.', 404, { 'Cache-Control': 'no-store' })
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

/** A visitor can tell the number of an answer that failed, and the log has lines with it. */
const numberRequest: MiddlewareHandler = (context, next) =>
  withRequestId(async (id) => {
    await next()
    context.res.headers.set('X-Request-Id', id)
  })

const requestLog: MiddlewareHandler = async (context, next) => {
  const startedAt = performance.now()
  await next()
  const { method, path } = context.req
  log.info(
    { method, path: loggedPath(path), status: context.res.status, ms: Math.round(performance.now() - startedAt) },
    'request',
  )
}

/** A route may set its own instead: a page its policy by hashes, one with a secret in its address another referrer. */
function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    referrerPolicy: 'strict-origin-when-cross-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    // Sign-in with Google and Facebook is a popup, which has to be able to reach the page that opened it.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    // For this name only: what else a school has below it may not speak TLS.
    strictTransportSecurity: env.PUBLIC_URL.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
  })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** `OPTIONS` gets the list of the others; a page's loader would take it for a `GET`. */
const refuseOddMethod: MiddlewareHandler = async (context, next) => {
  const { method } = context.req
  if (methods.includes(method)) return next()
  const headers = { Allow: methods.join(', ') }
  if (method === 'OPTIONS') return context.body(null, 204, headers)
  return context.text('This method isn’t supported.', 405, headers)
}

const refuseUnreadableAddress: MiddlewareHandler = async (context, next) => {
  try {
    if (decodeURIComponent(context.req.url.replaceAll('+', ' ')).includes('\0')) throw new URIError('NUL')
  } catch {
    return context.text('We couldn’t read this address.', 400)
  }
  return next()
}

const readingMethods = new Set(['GET', 'HEAD'])

/** A page that anybody may keep answers its form by headers of the same route, but what it says then is one visitor's. */
const forbidStoringChanges: MiddlewareHandler = async (context, next) => {
  await next()
  if (!readingMethods.has(context.req.method)) context.res.headers.set('Cache-Control', 'no-store')
}

/** Every change has to come from a page of this product's origin: browsers send `Origin` with every POST. */
const refuseForeignOrigin: MiddlewareHandler = async (context, next) => {
  if (readingMethods.has(context.req.method) || isOneClickStop(context)) return next()
  const own = context.req.header('origin') === new URL(context.req.url).origin
  return own ? next() : context.text('This request didn’t come from this site.', 403)
}

/**
 * The button of a mail program (RFC 8058): no page sends it, so that it has no `Origin`. The route looks at nothing of it
 * but the signature in its address. What says where it comes from is judged like everything else.
 */
function isOneClickStop({ req }: Context): boolean {
  return req.method === 'POST' && req.path === '/StopReminders' && req.header('origin') === undefined
}

/** Who is signed in, and says how much is to come: of a body without a length, all is kept in memory to count it. */
async function mayUpload({ req }: Context, accounts: AccountFront): Promise<boolean> {
  if (!uploadPaths.test(req.path) || req.header('transfer-encoding') !== undefined) return false
  return (await accounts.findSessionToken(req.raw)) !== null
}

function limitBody(maxSize: number) {
  return bodyLimit({ maxSize, onError: (context) => context.text('This is too large to send.', 413) })
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

async function servePage(context: Context, pages: Handler, makePublic: PublicPages): Promise<Response> {
  const request = context.req.raw
  const { method, url } = request
  const encoding = chooseEncoding(request.headers.get('accept-encoding'))
  if (!readingMethods.has(method)) return sendRendered(await pages(request), encoding)
  const address = findPublicAddress(new URL(url))
  if (address === null) return sendRendered(await renderings.run(() => pages(request)), encoding)
  const make = () => makePublic(address)
  const kept = pageCache.find(address)
  if (kept && pageCache.isDue(address)) void pageCache.renew(address, make)
  const page = kept ?? (await pageCache.render(address, make))
  const asked = {
    'accept-encoding': request.headers.get('accept-encoding') ?? undefined,
    'if-none-match': request.headers.get('if-none-match') ?? undefined,
  }
  if (!page.findAnswer(asked)) await pageCache.prepare(address, page, encoding)
  return responseOf(page.findAnswer(asked))
}

async function sendRendered(response: Response, encoding: Encoding): Promise<Response> {
  if (!response.body) return response
  const headers = new Headers(response.headers)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
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
