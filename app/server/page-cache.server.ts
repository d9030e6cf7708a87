import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type CompressedBody, compressBody } from './compression.server'
import { pageOf } from './public-pages.server'

type StoredPage = {
  status: number
  headers: Headers
  body: CompressedBody
  etag: string
  bytes: number
}

/** A page on its way into the store; see `PageCache.begin`. */
export type Rendering = { address: string; outdated: boolean }

const lifetimeSeconds = 60

/**
 * The pages that are the same for everyone, as finished bytes, by the address that `findPublicAddress` gives. A route asks
 * to be kept by sending `publicPage` headers; a hit touches neither React nor the database. Entries live shortly, so that
 * several processes agree soon after a change, and the least recently used leave first.
 */
export class PageCache {
  readonly #pages: LRUCache<string, StoredPage>
  readonly #underWay = new Set<Rendering>()

  constructor({ maxBytes = 48 * 1024 * 1024, now = () => performance.now() } = {}) {
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
      ttl: lifetimeSeconds * 1000,
      ttlResolution: 0,
      perf: { now },
    })
  }

  find(address: string): StoredPage | null {
    return this.#pages.get(address) ?? null
  }

  /** To be called before a page's rows are read: what is forgotten meanwhile is not kept. `end` has to follow. */
  begin(address: string): Rendering {
    const rendering = { address, outdated: false }
    this.#underWay.add(rendering)
    return rendering
  }

  end(rendering: Rendering): void {
    this.#underWay.delete(rendering)
  }

  /** @returns the page as it is sent; kept only if none of its rows changed since `begin`. */
  async store(rendering: Rendering, html: Buffer, response: Response): Promise<StoredPage> {
    const { address } = rendering
    const body = await compressBody(html)
    const headers = new Headers(response.headers)
    const names = [address, ...[...headers].flat()].reduce((length, text) => length + 2 * text.length, 0)
    const bytes = body.identity.length + body.br.length + body.gzip.length + names
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
    const page = { status: response.status, headers, body, etag, bytes }
    if (!rendering.outdated) this.#pages.set(address, page)
    return page
  }

  /** The rows of these pages changed: forget them, with every query and as data. */
  forget(...paths: string[]): void {
    const changed = new Set(paths)
    for (const address of [...this.#pages.keys()]) if (changed.has(pageOf(address))) this.#pages.delete(address)
    for (const rendering of this.#underWay) if (changed.has(pageOf(rendering.address))) rendering.outdated = true
  }

  /** Forget everything: the content changed. */
  clear(): void {
    this.#pages.clear()
    for (const rendering of this.#underWay) rendering.outdated = true
  }
}

/** The product's one cache. */
export const pageCache = new PageCache()

/** Headers of a route whose page is the same for everyone: browsers ask again each time and mostly get a 304. */
export function publicPage(): HeadersInit {
  return { 'Cache-Control': `public, max-age=0, s-maxage=${lifetimeSeconds}, must-revalidate` }
}
