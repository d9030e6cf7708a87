import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'

export type Encoding = 'br' | 'gzip' | 'identity'
export type CompressedBody = Record<Encoding, Buffer>

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Quality 5 costs about a millisecond a page; what is stored is compressed once. */
const brotli = (body: Buffer) => toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

export async function compressBody(body: Buffer): Promise<CompressedBody> {
  const [br, gz] = await Promise.all([brotli(body), toGzip(body)])
  return { br, gzip: gz, identity: body }
}

export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return brotli(body)
  return encoding === 'gzip' ? toGzip(body) : body
}

/** The best encoding that an `Accept-Encoding` header allows; `q=0` refuses one. */
export function chooseEncoding(accepted: string | null): Encoding {
  const names = parseAccept(accepted ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase())
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? 'identity'
}
