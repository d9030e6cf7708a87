import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants, gunzip, gzip, gzipSync } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { currentTrace } from './request-trace.server'

export type Encoding = 'br' | 'gzip' | 'identity'

const inThreads = { br: promisify(brotliCompress), gzip: promisify(gzip) }
const atOnce = { br: brotliCompressSync, gzip: gzipSync }
const backInThreads = { br: promisify(brotliDecompress), gzip: promisify(gunzip) }
/** Quality 4 makes a page 6% larger than 5 in half of the time; a window of 256 kB holds any page, and takes less memory. */
const options = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } },
  gzip: {},
}
/** Compressing a page is an eighth of making it (CPU profile): another thread does it. Small answers do not wait for one. */
const atOnceBytes = 16 * 1024

/** @returns bytes of their own: whoever keeps them keeps nothing else. */
export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return body
  const startedAt = performance.now()
  const compressed = await (body.length > atOnceBytes ? inThreads : atOnce)[encoding](body, options[encoding])
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
