/**
 * Caches public pages, which are the same for everyone, as compressed bytes in memory.
 *
 * - A page is fresh for 30 seconds. For another 30 seconds, the cached page is sent while a new one
 *   is rendered. After that, visitors wait for the new page.
 * - Concurrent requests for the same page share one rendering.
 * - While a page can't be rendered, because the database is down or the process is busy, the cached
 *   page is sent, however old it is.
 * - `clear` empties the cache when content is loaded, or staff or an operator change something. A
 *   page that is being rendered at that time is sent to the waiting requests, but not cached.
 */
import { LRUCache } from 'lru-cache'
import { runOutsideRequest } from '../http/request-trace.server'
import { pageCacheHits, pageCacheRenderings } from '../operations/metrics/counters.server'
import { type RenderedPage, readRenderedPage } from './rendered-page.server'

const freshSeconds = 30
const staleSeconds = 30
/** How long the cached page is sent after a failed rendering, before the next attempt. */
const retrySeconds = 5

const maxEntries = 5_000
const maxBytes = 16 * 1024 * 1024
/**
 * The size of all bytes of a page, relative to the body that is compressed with Brotli. The page
 * may also be cached as gzip, which is a little larger.
 */
const bodySizeFactor = 2.3
/** The approximate size of the objects, the map entry and the headers of one page. */
const overheadBytes = 3_000

/**
 * Returns the headers of a route whose page is the same for everyone, so that it is cached.
 * Browsers revalidate the page each time and usually get a 304.
 */
export function publicPageHeaders(): HeadersInit {
  return { 'Cache-Control': `public, max-age=0, s-maxage=${freshSeconds}, must-revalidate` }
}

type Entry = { page: RenderedPage; freshUntil: number; staleUntil: number }

/** Renders the page of a path. */
export type RenderPage = (path: string) => Promise<Response>

export class PageCache {
  readonly #now: () => number
  readonly #entries: LRUCache<string, Entry>
  readonly #runningRenderings = new Map<string, Promise<RenderedPage>>()
  /** How often the cache was cleared. */
  #generation = 0

  constructor({ maxSize = maxBytes, now = () => performance.now() / 1000 } = {}) {
    this.#now = now
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize,
      sizeCalculation: ({ page }, key) =>
        Math.ceil(bodySizeFactor * page.body.length) + key.length + overheadBytes,
    })
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  clear(): void {
    this.#generation += 1
    this.#entries.clear()
    this.#runningRenderings.clear()
  }

  /** @throws the error of `renderPage` if there is no cached page to send */
  async get(key: string, renderPage: RenderPage): Promise<RenderedPage> {
    const entry = this.#entries.get(key)
    const now = this.#now()
    if (!entry || now >= entry.staleUntil) {
      return this.#renderOnce(key, renderPage, entry)
    }

    pageCacheHits.inc()
    if (now >= entry.freshUntil) {
      this.#renderInBackground(key, renderPage, entry)
    }

    return entry.page
  }

  #renderInBackground(key: string, renderPage: RenderPage, oldEntry: Entry): void {
    // It can fail only after the cache was cleared. The next request then renders the page again,
    // and shows the error.
    runOutsideRequest(() => this.#renderOnce(key, renderPage, oldEntry)).catch(() => {})
  }

  #renderOnce(
    key: string,
    renderPage: RenderPage,
    oldEntry: Entry | undefined,
  ): Promise<RenderedPage> {
    const runningRendering = this.#runningRenderings.get(key)
    if (runningRendering) {
      return runningRendering
    }

    const generation = this.#generation
    const rendering = this.#render(key, renderPage, oldEntry).finally(() => {
      if (generation === this.#generation) {
        this.#runningRenderings.delete(key)
      }
    })

    this.#runningRenderings.set(key, rendering)

    return rendering
  }

  async #render(
    key: string,
    renderPage: RenderPage,
    oldEntry: Entry | undefined,
  ): Promise<RenderedPage> {
    const generation = this.#generation

    let page: RenderedPage
    try {
      page = await readRenderedPage(await renderPage(key))
    } catch (error) {
      if (oldEntry && generation === this.#generation) {
        return this.#keepUntilRetry(oldEntry)
      }

      throw error
    }

    const wasCleared = generation !== this.#generation
    if (page.status >= 500 && oldEntry && !wasCleared) {
      return this.#keepUntilRetry(oldEntry)
    }

    pageCacheRenderings.inc()
    if (wasCleared) {
      return page
    }

    if (page.etag === null) {
      // The page is not public any more, or does not exist.
      this.#entries.delete(key)
      return page
    }

    const freshUntil = this.#now() + freshSeconds
    this.#entries.set(key, { page, freshUntil, staleUntil: freshUntil + staleSeconds })

    return page
  }

  /** Extends the life of a cached page until the next attempt to render it. */
  #keepUntilRetry(entry: Entry): RenderedPage {
    entry.freshUntil = this.#now() + retrySeconds
    entry.staleUntil = entry.freshUntil + staleSeconds

    return entry.page
  }
}

/** The cache of this process. */
export const pageCache = new PageCache()
