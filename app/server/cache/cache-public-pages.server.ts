import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { isReadableUrl, readingMethods } from '../http/request-checks.server'
import { currentTrace, nameRoute, runOutsideRequest } from '../http/request-trace.server'
import {
  pageCacheHits,
  pageCacheRenderings,
  pageCacheUnchanged,
} from '../operations/metrics/counters.server'

/**
 * Public pages are the same for everyone, so they are rendered once and cached as compressed bytes.
 *
 * - A page is fresh for 30 seconds. For another 30 seconds, the cached page is sent while a new one
 *   is rendered. After that, visitors wait for the new page.
 * - Concurrent requests for the same page share one rendering.
 * - While a page can't be rendered, because the database is down or the process is busy, the cached
 *   page is sent.
 * - `clear` empties the cache when content is loaded or an operator changes something. A page that
 *   is being rendered at that time is sent to the waiting requests, but not cached.
 * - Only the path and the declared parameters of a request reach a page.
 */

const freshSeconds = 30
const staleSeconds = 30
/** How long the cached page is sent after a failed rendering, before the next attempt. */
const retrySeconds = 5

const maxEntries = 5_000
const maxBytes = 16 * 1024 * 1024
const maxKeyLength = 1_000
/** A page is cached as Brotli, and perhaps also as gzip, which is a little larger. */
const bodyCopies = 2.3
/** The approximate size of the objects, the map entry and the headers of one page. */
const overheadBytes = 3_000

/** The query parameters that each public page reads, by the path of its route. */
export type PublicPages = Readonly<Record<string, readonly string[]>>

type Page = {
  status: number
  headers: Record<string, string>
  body: Buffer<ArrayBuffer>
  isBrotli: boolean
  gzip?: Promise<Buffer<ArrayBuffer>>
  /** Null for a page that is not cached. */
  etag: string | null
}
type Entry = { page: Page; freshUntil: number; staleUntil: number }
type Render = (key: string) => Promise<Response>

export class PageCache {
  readonly #now: () => number
  readonly #entries: LRUCache<string, Entry>
  readonly #renderings = new Map<string, Promise<Page>>()

  constructor({ maxSize = maxBytes, now = () => performance.now() / 1000 } = {}) {
    this.#now = now
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize,
      sizeCalculation: ({ page }, key) =>
        Math.ceil(bodyCopies * page.body.length) + key.length + overheadBytes,
    })
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  clear(): void {
    this.#entries.clear()
    this.#renderings.clear()
  }

  /** @throws the error of `render` if there is no cached page to send */
  async get(key: string, render: Render): Promise<Page> {
    const entry = this.#entries.get(key)
    const now = this.#now()
    if (entry && now < entry.staleUntil) {
      pageCacheHits.inc()
      if (now >= entry.freshUntil) {
        this.#renderInBackground(key, render, entry)
      }

      return entry.page
    }

    return this.#renderOnce(key, render, entry)
  }

  #renderInBackground(key: string, render: Render, oldEntry: Entry): void {
    // If this fails after the cache was cleared, the next request renders the page and shows the error.
    runOutsideRequest(() => this.#renderOnce(key, render, oldEntry)).catch(() => {})
  }

  #renderOnce(key: string, render: Render, oldEntry: Entry | undefined): Promise<Page> {
    const rendering = this.#renderings.get(key)
    if (rendering) {
      return rendering
    }

    const isCurrent = () => this.#renderings.get(key) === page
    const page = this.#render(key, render, oldEntry, isCurrent).finally(() => {
      if (isCurrent()) {
        this.#renderings.delete(key)
      }
    })

    this.#renderings.set(key, page)

    return page
  }

  /** @param isCurrent returns false once the cache has been cleared */
  async #render(
    key: string,
    render: Render,
    oldEntry: Entry | undefined,
    isCurrent: () => boolean,
  ): Promise<Page> {
    let page: Page
    try {
      page = await readPage(await render(key))
    } catch (error) {
      if (oldEntry && isCurrent()) {
        return this.#postpone(oldEntry)
      }

      throw error
    }

    if (page.status >= 500 && oldEntry && isCurrent()) {
      return this.#postpone(oldEntry)
    }

    pageCacheRenderings.inc()
    if (!isCurrent()) {
      return page
    }

    const freshUntil = this.#now() + freshSeconds
    if (page.etag) {
      this.#entries.set(key, { page, freshUntil, staleUntil: freshUntil + staleSeconds })
    } else {
      this.#entries.delete(key)
    }

    return page
  }

  /** Extends the life of a cached page until the next attempt. */
  #postpone(entry: Entry): Page {
    entry.freshUntil = this.#now() + retrySeconds
    entry.staleUntil = entry.freshUntil + staleSeconds
    return entry.page
  }
}

const compress = promisify(brotliCompress)
/** The declared type allows for shared memory, which zlib does not use. */
const decompress = promisify(brotliDecompress) as (bytes: Buffer) => Promise<Buffer<ArrayBuffer>>
const compressGzip = promisify(gzip)
/** Quality 4 takes half the time of 5 for pages that are 3% larger. Any page fits into 256 kB. */
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** Reads a rendered page. Routes request caching with the headers of `publicPage`. */
async function readPage(response: Response): Promise<Page> {
  const html = Buffer.from(await response.arrayBuffer())
  const headers = Object.fromEntries(response.headers)
  const { status } = response
  const isPublic =
    headers['cache-control']?.startsWith('public') && headers['set-cookie'] === undefined
  if (status !== 200 || !isPublic) {
    return { status, headers, body: html, isBrotli: false, etag: null }
  }

  const startedAt = performance.now()
  const body = await compress(html, brotliOptions)
  const trace = currentTrace()
  if (trace) {
    trace.compressMs += performance.now() - startedAt
  }

  const etag = `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`
  headers.etag = etag
  headers.vary = 'Accept-Encoding'

  return { status, headers, body: copyToOwnBuffer(body), isBrotli: true, etag }
}

/** zlib returns a part of a larger buffer, all of which would stay in memory. */
function copyToOwnBuffer(bytes: Buffer): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/**
 * Returns the headers of a route whose page is the same for everyone. Browsers revalidate the page
 * each time and usually get a 304.
 */
export function publicPage(): HeadersInit {
  return { 'Cache-Control': `public, max-age=0, s-maxage=${freshSeconds}, must-revalidate` }
}

/** The cache of this process. */
export const pageCache = new PageCache()

/**
 * Sends public pages from the cache.
 *
 * @param render gets only the page's path and its declared parameters. Its response is sent
 *   unchanged, so it must have all headers.
 */
export function cachePublicPages(
  pages: PublicPages,
  render: Render,
  cache = pageCache,
): MiddlewareHandler {
  const findKey = createKeyFinder(pages)
  return async (context, next) => {
    const { method, url } = context.req
    const publicPageKey =
      readingMethods.has(method) && isReadableUrl(url) ? findKey(new URL(url)) : null
    if (!publicPageKey) {
      return next()
    }

    const page = await cache.get(publicPageKey.key, render)
    nameRoute(publicPageKey.route)

    return sendPage(context, page)
  }
}

async function sendPage(context: Context, page: Page): Promise<Response> {
  const { status, body, headers, etag, isBrotli } = page
  if (etag && matchesEtag(context.req.header('If-None-Match'), etag)) {
    pageCacheUnchanged.inc()
    // The browser keeps the content type of its cached page.
    const { 'content-type': _, ...others } = headers
    return new Response(null, { status: 304, headers: others })
  }

  if (!isBrotli) {
    return new Response(body, { status, headers })
  }

  const encoding = chooseEncoding(context.req.header('Accept-Encoding'))
  const bytes = await encodePage(page, body, encoding)
  const length = { 'content-length': String(bytes.length) }

  return new Response(bytes, {
    status,
    headers: { ...headers, ...length, ...(encoding && { 'content-encoding': encoding }) },
  })
}

/** Compresses the page at the first request for gzip. Over plain HTTP, browsers accept no Brotli. */
function getGzip(page: Page): Promise<Buffer<ArrayBuffer>> {
  page.gzip ??= decompress(page.body).then(compressGzip).then(copyToOwnBuffer)
  return page.gzip
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false
  }

  return ifNoneMatch.split(',').some((value) => [etag, '*'].includes(value.trim()))
}

function encodePage(page: Page, body: Page['body'], encoding: 'br' | 'gzip' | null) {
  if (encoding === 'br') {
    return body
  }

  return encoding === 'gzip' ? getGzip(page) : decompress(body)
}

function chooseEncoding(acceptEncoding = ''): 'br' | 'gzip' | null {
  const accepted = parseAccept(acceptEncoding).filter(({ q }) => q > 0)
  const names = accepted.map(({ type }) => type.toLowerCase())
  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? null
}

type PublicPageKey = { key: string; route: string }

/**
 * Returns a function that finds the cache key and the route of a URL. It returns null if the URL is
 * not that of a public page.
 */
export function createKeyFinder(pages: PublicPages): (url: URL) => PublicPageKey | null {
  const routes = new Map(Object.keys(pages).map((route) => [route.toLowerCase(), route]))

  return ({ pathname, searchParams }) => {
    const isDataRequest = pathname.endsWith('.data')
    const [, section = '', slug, ...deeperSegments] = getPagePath(pathname).split('/')
    const route = routes.get(`/${section.toLowerCase()}${slug === undefined ? '' : '/:slug'}`)
    if (route === undefined || deeperSegments.length > 0) {
      return null
    }

    // These slugs would give the URL of another page, or of its data.
    if (slug === '' || slug === '_' || slug?.endsWith('.data')) {
      return null
    }

    const pageParameters = pages[route] ?? []
    const parameters = isDataRequest ? ['_routes', ...pageParameters] : pageParameters
    const query = new URLSearchParams(
      parameters.flatMap((name) => searchParams.getAll(name).map((value) => [name, value])),
    )

    // A replacer function, because `$&` or `$'` in a slug would have a meaning in a replacement text.
    const path = route.replace(':slug', () => slug ?? '')
    const key = formatKey(path, isDataRequest, query)

    return key.length > maxKeyLength ? null : { key, route }
  }
}

/**
 * Returns the path of the page that a request is for. React Router loads the data of a page from
 * `PATH.data`, and from `PATH/_.data` if the path ends in a slash.
 */
function getPagePath(pathname: string): string {
  if (pathname.endsWith('.data')) {
    return pathname.replace(/(\/_)?\.data$/, '')
  }

  return pathname.replace(/\/$/, '')
}

function formatKey(path: string, isDataRequest: boolean, query: URLSearchParams): string {
  const search = query.size > 0 ? `?${query}` : ''
  if (!isDataRequest) {
    return path + search
  }

  const dataPath = path === '/' ? '/_' : path
  return `${dataPath}.data${search}`
}
