import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { isReadableAddress, readingMethods } from '../http/request-checks.server'
import { apartFromRequest, currentTrace, nameRoute } from '../http/request-trace.server'
import {
  pageCacheHits,
  pageCacheRenderings,
  pageCacheUnchanged,
} from '../operations/metrics/counters.server'

/**
 * Public pages are the same for everyone, so they are rendered once and cached as compressed bytes.
 *
 * - A page is fresh for 30 seconds. For another 30 it is sent while it is rendered anew; after
 * that, visitors wait.
 * - Concurrent requests for the same page share one rendering.
 * - While a page can't be rendered, because the database is away or the process is busy, the old
 * one is sent.
 * - `clear` empties the cache when content is loaded or an operator changes something. A page that
 * was being rendered at
 *   that time is sent to the waiting requests, but not cached.
 * - Of the request, only the path and the declared parameters reach a page.
 */

/** Seconds. */
const freshFor = 30
const staleFor = 30
/** How long the old page is sent after a failed rendering, before the next attempt. */
const retryAfter = 5

const maxEntries = 5_000
const maxBytes = 16 * 1024 * 1024
const longestKey = 1_000
/** As Brotli, and perhaps as gzip, which is a little larger. */
const bodyCopies = 2.3
/** Objects, map entry and headers of one page, roughly. */
const overheadBytes = 3_000

/**
 * The path of each public page, as its route writes it, with the query parameters that the page
 * reads.
 */
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
  readonly #underWay = new Map<string, Promise<Page>>()

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
    this.#underWay.clear()
  }

  /** @throws the error of `render`, if there is no older page to send. */
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

  #renderInBackground(key: string, render: Render, former: Entry): void {
    // If it fails after the cache was cleared, the next request renders the page and shows the
    // failure.
    apartFromRequest(() => this.#renderOnce(key, render, former)).catch(() => {})
  }

  #renderOnce(key: string, render: Render, former: Entry | undefined): Promise<Page> {
    const underWay = this.#underWay.get(key)
    if (underWay) {
      return underWay
    }

    const isCurrent = () => this.#underWay.get(key) === page
    const page = this.#render(key, render, former, isCurrent).finally(() => {
      if (isCurrent()) {
        this.#underWay.delete(key)
      }
    })

    this.#underWay.set(key, page)

    return page
  }

  /** @param isCurrent false once the cache was cleared. */
  async #render(
    key: string,
    render: Render,
    former: Entry | undefined,
    isCurrent: () => boolean,
  ): Promise<Page> {
    let page: Page
    try {
      page = await readPage(await render(key))
    } catch (error) {
      if (former && isCurrent()) {
        return this.#postpone(former)
      }

      throw error
    }

    if (page.status >= 500 && former && isCurrent()) {
      return this.#postpone(former)
    }

    pageCacheRenderings.inc()
    if (!isCurrent()) {
      return page
    }

    const freshUntil = this.#now() + freshFor
    if (page.etag) {
      this.#entries.set(key, { page, freshUntil, staleUntil: freshUntil + staleFor })
    } else {
      this.#entries.delete(key)
    }

    return page
  }

  /** Extends an old page's life until the next attempt. */
  #postpone(entry: Entry): Page {
    entry.freshUntil = this.#now() + retryAfter
    entry.staleUntil = entry.freshUntil + staleFor
    return entry.page
  }
}

const compress = promisify(brotliCompress)
/** The types allow for shared memory, which zlib doesn't use. */
const decompress = promisify(brotliDecompress) as (bytes: Buffer) => Promise<Buffer<ArrayBuffer>>
const compressGzip = promisify(gzip)
/**
 * Quality 4 takes half the time of 5 and makes a page 3% larger. A window of 256 kB holds any page.
 */
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** A route asks to be cached by the headers of `publicPage`. */
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

  return { status, headers, body: withoutSlack(body), isBrotli: true, etag }
}

/** zlib returns a part of a larger buffer, which would stay in memory as a whole. */
function withoutSlack(bytes: Buffer): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/**
 * Headers of a route whose page is the same for everyone. Browsers ask again each time and mostly
 * get a 304.
 */
export function publicPage(): HeadersInit {
  return { 'Cache-Control': `public, max-age=0, s-maxage=${freshFor}, must-revalidate` }
}

/** The product's one cache. */
export const pageCache = new PageCache()

/**
 * @param render gets a key, the page's path and declared parameters, and nothing else of the
 * request. Its response is sent as it is, so it has all headers.
 */
export function cachePublicPages(
  pages: PublicPages,
  render: Render,
  cache = pageCache,
): MiddlewareHandler {
  const findKey = keysOf(pages)
  return async (context, next) => {
    const { method, url } = context.req
    const known =
      readingMethods.has(method) && isReadableAddress(url) ? findKey(new URL(url)) : null
    if (!known) {
      return next()
    }

    const page = await cache.get(known.key, render)
    nameRoute(known.route)

    return answer(context, page)
  }
}

async function answer(context: Context, page: Page): Promise<Response> {
  const { status, body, headers, etag, isBrotli } = page
  if (etag && isSame(context.req.header('If-None-Match'), etag)) {
    pageCacheUnchanged.inc()
    // The browser keeps the type of the page that it has.
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

/** Made at the first request: over plain HTTP, browsers don't accept Brotli. */
function gzipOf(page: Page): Promise<Buffer<ArrayBuffer>> {
  page.gzip ??= decompress(page.body).then(compressGzip).then(withoutSlack)
  return page.gzip
}

function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false
  }

  return ifNoneMatch.split(',').some((known) => [etag, '*'].includes(known.trim()))
}

function encodePage(page: Page, body: Page['body'], encoding: 'br' | 'gzip' | null) {
  if (encoding === 'br') {
    return body
  }

  return encoding === 'gzip' ? gzipOf(page) : decompress(body)
}

function chooseEncoding(acceptEncoding = ''): 'br' | 'gzip' | null {
  const accepted = parseAccept(acceptEncoding).filter(({ q }) => q > 0)
  const names = accepted.map(({ type }) => type.toLowerCase())
  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? null
}

/**
 * @returns a function that finds the cache key and route of an address; null if it is not a public
 * page.
 */
export function keysOf(pages: PublicPages): (url: URL) => { key: string; route: string } | null {
  const routes = new Map(Object.keys(pages).map((route) => [route.toLowerCase(), route]))
  return ({ pathname, searchParams }) => {
    // React Router loads a page's data from `.data`, and from `/_.data` if the address ends in a
    // slash.
    const data = pathname.endsWith('.data') ? '.data' : ''
    const path = data ? pathname.replace(/(\/_)?\.data$/, '') : pathname.replace(/\/$/, '')
    const [, section = '', slug, ...more] = path.split('/')
    const route = routes.get(`/${section.toLowerCase()}${slug === undefined ? '' : '/:slug'}`)
    if (route === undefined || more.length > 0) {
      return null
    }

    // These would become the address of another page, or of its data.
    if (slug === '' || slug === '_' || slug?.endsWith('.data')) {
      return null
    }

    const declared = data ? ['_routes', ...(pages[route] ?? [])] : (pages[route] ?? [])
    const query = new URLSearchParams(
      declared.flatMap((name) => searchParams.getAll(name).map((value) => [name, value])),
    )
    // By a function, because a slug may have `$&` or `$'`, which mean something in a text to
    // replace with.
    const address = route.replace(':slug', () => slug ?? '')
    const key = `${data && address === '/' ? '/_' : address}${data}${query.size > 0 ? `?${query}` : ''}`

    return key.length > longestKey ? null : { key, route }
  }
}
