import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { chooseEncoding, decodeBody, type Effort, type Encoding, encodeBody } from './compression.server'
import { loggedPath } from './logged-path.server'
import { type Answers, answersOf } from './metrics/answers.server'
import { routeOfPublicAddress } from './public-pages.server'
import { bytesOf } from './response-bytes.server'

/** Ready to be written: names and values of the headers in turn, as `writeHead` takes them fastest. */
type Answer = { status: number; headers: readonly string[]; body: Buffer | null; counted: Answers }

/** Object, map entry and list heads that belong to a page beside its texts. */
const ownBytes = 2_000

/**
 * One page as it goes to everybody, compressed for each encoding when the first visitor asks for it. From then on it is kept
 * compressed only, which takes about a tenth; whoever takes no such encoding waits until it is made from that.
 */
export class KeptPage {
  readonly loggedPath: string
  readonly route: string
  /** False for an answer that is sent to those who waited for it, and then never again. */
  readonly keepable: boolean
  /** The database was away, see `answerOutage`. */
  readonly isOutage: boolean
  readonly #effort: Effort
  readonly #status: number
  readonly #headers: readonly string[]
  readonly #etag: string
  #source: { body: Buffer; encoding: Encoding }
  readonly #answers = new Map<Encoding, Answer>()
  readonly #preparing = new Map<Encoding, Promise<void>>()
  readonly #unchanged: Answer

  /** @param response with everything that an answer has but the number of its request. */
  static async read(address: string, response: Response, effort: Effort): Promise<KeptPage> {
    return new KeptPage(address, response, await bytesOf(response), effort)
  }

  constructor(address: string, response: Response, html: Buffer, effort: Effort) {
    const headers = new Headers(response.headers)
    this.loggedPath = loggedPath(address.split('?')[0] ?? '')
    this.route = routeOfPublicAddress(address)
    this.keepable = response.status === 200 && (headers.get('cache-control')?.startsWith('public') ?? false)
    this.isOutage = response.status === 503
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
    headers.append('Vary', 'Accept-Encoding')
    this.#etag = `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`
    if (this.keepable) headers.set('ETag', this.#etag)
    this.#effort = effort
    this.#status = response.status
    this.#headers = [...headers].flat()
    this.#source = { body: html, encoding: 'identity' }
    this.#unchanged = { status: 304, headers: withoutType(headers), body: null, counted: answersOf(this.route, 304) }
  }

  /** What it takes in memory, with all of its encodings so far. */
  get bytes(): number {
    const bodies = new Set([this.#source.body, ...[...this.#answers.values()].map(({ body }) => body)])
    const lengths = [...bodies].map((body) => body?.length ?? 0)
    return ownBytes + sum(lengths) + 2 * sum(this.#headers.map(({ length }) => length))
  }

  /** @returns null if nobody has asked for this encoding before: `prepare` it. */
  findAnswer(asked: Pick<IncomingHttpHeaders, 'accept-encoding' | 'if-none-match'>): Answer | null {
    if (this.keepable && this.#isKnown(asked['if-none-match'])) return this.#unchanged
    return this.#answers.get(chooseEncoding(asked['accept-encoding'] as string | undefined)) ?? null
  }

  /** Compresses for one encoding, once for all who wait for it. */
  prepare(encoding: Encoding): Promise<void> {
    const known = this.#preparing.get(encoding)
    if (known) return known
    const underWay = this.#prepare(encoding)
    this.#preparing.set(encoding, underWay)
    underWay.catch(() => this.#preparing.delete(encoding))
    return underWay
  }

  async #prepare(encoding: Encoding): Promise<void> {
    const html = await decodeBody(this.#source.body, this.#source.encoding)
    const body = await encodeBody(html, encoding, this.#effort)
    if (this.#source.encoding === 'identity') this.#source = { body, encoding }
    const own = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
    const headers = [...this.#headers, ...own, 'Content-Length', String(body.length)]
    const counted = answersOf(this.route, this.#status)
    this.#answers.set(encoding, { status: this.#status, headers, body, counted })
  }

  #isKnown(known: string | undefined): boolean {
    if (known === undefined) return false
    return known === this.#etag || known.split(',').some((etag) => [this.#etag, '*'].includes(etag.trim()))
  }
}

/** What RFC 9110 leaves out of a 304: the browser has it. */
function withoutType(headers: Headers): string[] {
  return [...headers].filter(([name]) => name !== 'content-type').flat()
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
