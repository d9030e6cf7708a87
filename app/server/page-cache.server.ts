import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import type { Effort, Encoding } from './compression.server'
import { KeptPage } from './kept-page.server'
import type { Subject } from './product-state.server'
import { type Renderings, renderings } from './renderings.server'

type Subjects = Set<string>
type Entry = {
  page: KeptPage
  address: string
  subjects: Subjects
  freshUntil: number
  sentUntil: number
  renewed: boolean
}
/** What changed while a page was rendered. */
type Mark = { changed: Subjects; everything: boolean }
type Rendering = { mark: Mark; page: Promise<KeptPage> }
/** In memory, about. */
const bytesOfSubject = 100

const rendered = new AsyncLocalStorage<Subjects>()

/** Says what the page that is being rendered shows, so that it is forgotten when that changes. */
export function pageShows(...subjects: Subject[]): void {
  const shown = rendered.getStore()
  if (shown) for (const subject of subjects) shown.add(subject)
}

const lifetimeSeconds = 60
/** How long after its lifetime a page may still be sent while it is rendered again. */
const graceSeconds = 60
/** While the database is away or the process is behind, a page is tried again this often, and is sent until the next try has had its time. */
const retrySeconds = 5
const retryGraceSeconds = 30
/** Older pages are not even sent then. */
const longestKeptSeconds = 12 * 60

/**
 * The pages that are the same for everyone, as finished bytes, by the address that `findPublicAddress` gives. A route asks
 * to be kept by sending `publicPage` headers; a hit touches neither React nor the database. A page leaves when something
 * changes that it shows (`product-watch.server.ts`). It lives shortly anyway, for what nobody tells of, such as how many
 * enroll; and the least recently used leave first.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Entry>
  /** Those that one may still wait for. */
  readonly #underWay = new Map<string, Rendering>()
  readonly #marks = new Set<Mark>()
  readonly #renderings: Renderings
  readonly #now: () => number

  constructor({ maxBytes = 16 * 1024 * 1024, now = () => performance.now(), limit = renderings } = {}) {
    this.#now = now
    this.#renderings = limit
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ page, address, subjects }) =>
        page.bytes + 2 * address.length + bytesOfSubject * subjects.size,
      ttl: longestKeptSeconds * 1000,
      ttlResolution: 0,
      perf: { now },
    })
  }

  /** How many pages were made since the start, those that were not kept, too. */
  rendered = 0

  get entries(): number {
    return this.#pages.size
  }

  /** What the kept pages take in memory. */
  get bytes(): number {
    return this.#pages.calculatedSize
  }

  find(address: string): KeptPage | null {
    const entry = this.#pages.get(address)
    return entry && entry.sentUntil >= this.#now() ? entry.page : null
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
  render(address: string, make: () => Promise<Response>, effort: Effort = 'quick'): Promise<KeptPage> {
    const underWay = this.#underWay.get(address)
    if (underWay) return underWay.page
    const mark: Mark = { changed: new Set(), everything: false }
    this.#marks.add(mark)
    const page = this.#renderings.run(() => this.#make(address, make, mark, effort))
    this.#underWay.set(address, { mark, page })
    const ended = () => {
      this.#marks.delete(mark)
      if (this.#underWay.get(address)?.mark === mark) this.#underWay.delete(address)
    }
    page.then(ended, ended)
    return page
  }

  /** Renders a page again, which is asked for often, while the kept one is sent; a page that fails to render is not sent again, unless the database is away. */
  async renew(address: string, make: () => Promise<Response>): Promise<void> {
    const entry = this.#pages.peek(address)
    if (!entry || this.#renderings.areFull) return
    entry.renewed = true
    const page = await this.render(address, make, 'thorough').catch(() => null)
    if (!page?.keepable && this.#pages.peek(address)?.page === entry.page) this.#pages.delete(address)
  }

  /**
   * Sends a kept page of any age for some more seconds: there is no time to render it again. Before it would leave it is due
   * all the same, but one page at a time.
   */
  postpone(address: string): KeptPage | null {
    const entry = this.#pages.get(address)
    if (!entry) return null
    const leaves = this.#pages.getRemainingTTL(address) < (longestKeptSeconds * 1000) / 2
    const page = this.#sendOn(entry)
    if (leaves && this.#underWay.size === 0) entry.freshUntil = Number.NEGATIVE_INFINITY
    return page
  }

  /** Compresses a page for one more encoding, which counts from then on. */
  async prepare(address: string, page: KeptPage, encoding: Encoding): Promise<void> {
    await page.prepare(encoding)
    const entry = this.#pages.peek(address)
    if (entry?.page === page) this.#pages.set(address, { ...entry }, { noUpdateTTL: true })
  }

  /** These changed: forget the pages that show them. @param subjects null for everything. */
  change(subjects: readonly string[] | null): void {
    if (!subjects) this.#pages.clear()
    else
      for (const [address, entry] of [...this.#pages.entries()])
        if (shows(entry.subjects, subjects)) this.#pages.delete(address)
    for (const mark of this.#marks) {
      mark.everything ||= subjects === null
      for (const subject of subjects ?? []) mark.changed.add(subject)
    }
    // What they show is known at their end only: whoever asks from now on waits for none of them.
    this.#underWay.clear()
  }

  async #make(address: string, make: () => Promise<Response>, mark: Mark, effort: Effort): Promise<KeptPage> {
    const subjects: Subjects = new Set()
    const page = await KeptPage.read(address, await rendered.run(subjects, make), effort)
    this.rendered += 1
    const old = page.isOutage && this.#pages.peek(address)
    if (old) return this.#sendOn(old)
    const freshUntil = this.#now() + lifetimeSeconds * 1000
    const sentUntil = freshUntil + graceSeconds * 1000
    const isCurrent = !mark.everything && !shows(subjects, mark.changed)
    if (page.keepable && isCurrent)
      this.#pages.set(address, { page, address, subjects, freshUntil, sentUntil, renewed: false })
    return page
  }

  /** Nothing newer can be made now. */
  #sendOn(entry: Entry): KeptPage {
    entry.freshUntil = this.#now() + retrySeconds * 1000
    entry.sentUntil = entry.freshUntil + retryGraceSeconds * 1000
    entry.renewed = false
    return entry.page
  }
}

function shows(subjects: Subjects, changed: Iterable<string>): boolean {
  for (const subject of changed) if (subjects.has(subject)) return true
  return false
}

/** The product's one cache. */
export const pageCache = new PageCache()

/** Headers of a route whose page is the same for everyone: browsers ask again each time and mostly get a 304. */
export function publicPage(): HeadersInit {
  return { 'Cache-Control': `public, max-age=0, s-maxage=${lifetimeSeconds}, must-revalidate` }
}
