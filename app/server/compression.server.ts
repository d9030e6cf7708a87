import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants, gunzip, gzip, gzipSync } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { currentTrace } from './request-trace.server'

export type Encoding = 'br' | 'gzip' | 'identity'

const inThreads = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const atOnce = { br: brotliCompressSync, gzip: gzipSync }
const backInThreads = { br: promisify(brotliDecompress), gzip: promisify(gunzip) }
/** How well: for one visitor it is quick, and what many will ask for is worth the time. */
export type Effort = 'quick' | 'thorough'
/** A page is 15% larger by quality 2 than by 5, in a quarter of the time. */
const brotli = { quick: brotliOf(2), thorough: brotliOf(5) }
const optionsOf = (encoding: 'br' | 'gzip', effort: Effort) => (encoding === 'br' ? brotli[effort] : {})

/** A window of 256 kB holds any page, and takes less memory. At the first turn in a thread all of it is compressed. */
function brotliOf(quality: number) {
  return {
    flush: constants.BROTLI_OPERATION_FINISH,
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 18 },
  }
}

/** Compressing a page is an eighth of making it (CPU profile): another thread does it. Small answers do not wait for one. */
const atOnceBytes = 16 * 1024

/** @returns bytes of their own: whoever keeps them keeps nothing else. */
export async function encodeBody(body: Buffer, encoding: Encoding, effort: Effort = 'quick'): Promise<Buffer> {
  if (encoding === 'identity') return body
  const startedAt = performance.now()
  const compress = (body.length > atOnceBytes ? inThreads : atOnce)[encoding]
  const compressed = await compress(body, optionsOf(encoding, effort))
  const trace = currentTrace()
  if (trace) trace.compressMs += performance.now() - startedAt
  return withoutRest(compressed)
}

export async function decodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'identity' ? body : backInThreads[encoding](body)
}

/** However little it made, zlib gives the beginning of 64 kB. */
function withoutRest(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** Browsers send a handful of these headers. */
const chosen = new LRUCache<string, Encoding>({ max: 100 })

/** The best encoding that an `Accept-Encoding` header allows; `q=0` refuses one. */
export function chooseEncoding(accepted: string | null = null): Encoding {
  if (accepted === null) return 'identity'
  const known = chosen.get(accepted)
  if (known) return known
  const names = parseAccept(accepted)
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase())
  const encoding = (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? 'identity'
  chosen.set(accepted, encoding)
  return encoding
}
