import { createHash } from 'node:crypto'
import { type CompressedBody, compressBody } from './compression.server'

type StoredPage = {
  status: number
  headers: Headers
  body: CompressedBody
  etag: string
  storedAt: number
  bytes: number
}

const maxAgeMs = 60_000

/**
 * The pages that are the same for everyone, as finished bytes, by address. A route asks to be kept by sending
 * `publicPage` headers; a hit touches neither React nor the database. Entries live a minute, so that several processes
 * agree soon after a change, and the least recently used leave first.
 */
export class PageCache {
  #pages = new Map<string, StoredPage>()
  #bytes = 0
  #generation = 0
  readonly #maxBytes: number

  constructor(maxBytes = 48 * 1024 * 1024) {
    this.#maxBytes = maxBytes
  }

  /** Forget everything: the content or a review changed. A page that was being rendered meanwhile is not kept either. */
  clear(): void {
    this.#pages.clear()
    this.#bytes = 0
    this.#generation += 1
  }

  get generation(): number {
    return this.#generation
  }

  find(address: string, now: number): StoredPage | null {
    const page = this.#pages.get(address)
    if (!page) return null
    this.#drop(address)
    if (now - page.storedAt > maxAgeMs) return null
    this.#keep(address, page)
    return page
  }

  /** @param generation as it was before rendering began. */
  async store(address: string, html: Buffer, response: Response, generation: number, now: number): Promise<StoredPage> {
    const body = await compressBody(html)
    const bytes = body.identity.length + body.br.length + body.gzip.length
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
    const page = { status: response.status, headers: new Headers(response.headers), body, etag, storedAt: now, bytes }
    if (generation === this.#generation) {
      this.#drop(address)
      this.#keep(address, page)
      for (const oldest of this.#pages.keys()) {
        if (this.#bytes <= this.#maxBytes) break
        this.#drop(oldest)
      }
    }
    return page
  }

  #keep(address: string, page: StoredPage) {
    this.#pages.set(address, page)
    this.#bytes += page.bytes
  }

  #drop(address: string) {
    const page = this.#pages.get(address)
    if (page && this.#pages.delete(address)) this.#bytes -= page.bytes
  }
}

/** The product's one cache. */
export const pageCache = new PageCache()

/** Headers of a route whose page is the same for everyone: browsers ask again each time and mostly get a 304. */
export function publicPage(): HeadersInit {
  return { 'Cache-Control': 'public, max-age=0, s-maxage=60, must-revalidate' }
}
