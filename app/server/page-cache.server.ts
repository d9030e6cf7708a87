import { LRUCache } from 'lru-cache'
import type { Encoding } from './compression.server'
import { KeptPage } from './kept-page.server'
import { pageOf } from './public-pages.server'
import { type Renderings, renderings } from './renderings.server'

type Entry = { page: KeptPage; address: string; freshUntil: number; renewed: boolean }
type Mark = { outdated: boolean }
type Rendering = { mark: Mark; page: Promise<KeptPage> }

const lifetimeSeconds = 60
/** How long after its lifetime a page may still be sent while it is rendered again. */
const graceSeconds = 60
/** How long a change in the database may stay unseen when no process tells of it. */
export const longestKeptSeconds = lifetimeSeconds + graceSeconds

/**
 * The pages that are the same for everyone, as finished bytes, by the address that `findPublicAddress` gives. A route asks
 * to be kept by sending `publicPage` headers; a hit touches neither React nor the database. Entries live shortly, so that
 * several processes agree soon after a change, and the least recently used leave first.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Entry>
  readonly #underWay = new Map<string, Rendering>()
  readonly #renderings: Renderings
  readonly #now: () => number

  constructor({ maxBytes = 48 * 1024 * 1024, now = () => performance.now(), limit = renderings } = {}) {
    this.#now = now
    this.#renderings = limit
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ page, address }) => page.bytes + 2 * address.length,
      ttl: longestKeptSeconds * 1000,
      ttlResolution: 0,
      perf: { now },
    })
  }

  find(address: string): KeptPage | null {
    return this.#pages.get(address)?.page ?? null
  }

  /** True for a kept page past its lifetime that is not being rendered yet. */
  isDue(address: string): boolean {
    const entry = this.#pages.peek(address)
    return entry !== undefined && !entry.renewed && entry.freshUntil < this.#now()
  }

  /**
   * Makes a page, once for all who ask meanwhile, and keeps it unless its rows changed while it was made.
   *
   * @param make of the address alone.
   * @throws {TooManyRenderings}
   */
  render(address: string, make: () => Promise<Response>): Promise<KeptPage> {
    const underWay = this.#underWay.get(address)
    if (underWay) return underWay.page
    const mark = { outdated: false }
    const page = this.#renderings.run(() => this.#make(address, make, mark))
    this.#underWay.set(address, { mark, page })
    const ended = () => this.#underWay.get(address)?.mark === mark && this.#underWay.delete(address)
    page.then(ended, ended)
    return page
  }

  /** Renders a page again while the kept one is sent; a page that fails to render is not sent again. */
  async renew(address: string, make: () => Promise<Response>): Promise<void> {
    const entry = this.#pages.peek(address)
    if (!entry || this.#renderings.areFull) return
    entry.renewed = true
    const page = await this.render(address, make).catch(() => null)
    if (!page?.keepable && this.#pages.peek(address)?.page === entry.page) this.#pages.delete(address)
  }

  /** Compresses a page for one more encoding, which counts from then on. */
  async prepare(address: string, page: KeptPage, encoding: Encoding): Promise<void> {
    await page.prepare(encoding)
    const entry = this.#pages.peek(address)
    if (entry?.page === page) this.#pages.set(address, { ...entry }, { noUpdateTTL: true })
  }

  /** The rows of these pages changed: forget them, with every query and as data. */
  forget(...paths: string[]): void {
    const changed = new Set(paths)
    for (const address of [...this.#pages.keys()]) if (changed.has(pageOf(address))) this.#pages.delete(address)
    for (const address of [...this.#underWay.keys()]) if (changed.has(pageOf(address))) this.#outdate(address)
  }

  /** Forget everything: the content changed. */
  clear(): void {
    this.#pages.clear()
    for (const address of [...this.#underWay.keys()]) this.#outdate(address)
  }

  async #make(address: string, make: () => Promise<Response>, mark: Mark): Promise<KeptPage> {
    const page = await KeptPage.read(address, await make())
    const freshUntil = this.#now() + lifetimeSeconds * 1000
    if (page.keepable && !mark.outdated) this.#pages.set(address, { page, address, freshUntil, renewed: false })
    return page
  }

  /** Whoever asks from now on gets a page of the new rows. */
  #outdate(address: string): void {
    const rendering = this.#underWay.get(address)
    if (rendering) rendering.mark.outdated = true
    this.#underWay.delete(address)
  }
}

/** The product's one cache. */
export const pageCache = new PageCache()

/** Headers of a route whose page is the same for everyone: browsers ask again each time and mostly get a 304. */
export function publicPage(): HeadersInit {
  return { 'Cache-Control': `public, max-age=0, s-maxage=${lifetimeSeconds}, must-revalidate` }
}
