import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'

export type Encoding = 'br' | 'gzip' | 'identity'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Quality 5 costs about a millisecond a page; what is stored is compressed once. */
const brotli = (body: Buffer) => toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return brotli(body)
  return encoding === 'gzip' ? toGzip(body) : body
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
