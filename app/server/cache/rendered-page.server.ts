/** Compresses rendered pages for the cache, and encodes them for a browser. */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import { currentTrace } from '../http/request-trace.server'

export type RenderedPage = {
  status: number
  headers: Record<string, string>
  /** The bytes are compressed with Brotli if the page has an ETag. */
  body: Buffer<ArrayBuffer>
  /** Only a page that may be cached has an ETag. */
  etag: string | null
  /** The page as gzip, from the first request that needs it. */
  gzip?: Promise<Buffer<ArrayBuffer>> | undefined
}

const compressBrotli = promisify(brotliCompress)
/** The declared type allows for shared memory, which zlib does not use. */
const decompressBrotli = promisify(brotliDecompress) as (
  bytes: Buffer,
) => Promise<Buffer<ArrayBuffer>>
const compressGzip = promisify(gzip)
/**
 * Quality 4 takes half the time of 5 for pages that are 3% larger. A window of 2^18 bytes, 256 kB,
 * is larger than any page.
 */
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** Reads a response, and compresses it if the route has the headers of `publicPageHeaders`. */
export async function readRenderedPage(response: Response): Promise<RenderedPage> {
  const { status } = response
  const headers = Object.fromEntries(response.headers)
  const html = Buffer.from(await response.arrayBuffer())

  const isPublic =
    headers['cache-control']?.startsWith('public') && headers['set-cookie'] === undefined
  if (status !== 200 || !isPublic) {
    return { status, headers, body: html, etag: null }
  }

  const startedAt = performance.now()
  const body = await compressBrotli(html, brotliOptions)
  const trace = currentTrace()
  if (trace) {
    trace.compressMs += performance.now() - startedAt
  }

  // The ETag is weak, because the page is sent in several encodings.
  const etag = `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`
  headers.etag = etag
  headers.vary = 'Accept-Encoding'

  return { status, headers, body: copyToOwnBuffer(body), etag }
}

/** zlib returns a part of a larger buffer, all of which would stay in memory. */
function copyToOwnBuffer(bytes: Buffer): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

export type PageEncoding = 'br' | 'gzip'

/**
 * Returns the bytes of a compressed page in the encoding; null means that the browser accepts none.
 */
export async function encodePage(
  page: RenderedPage,
  encoding: PageEncoding | null,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'br') {
    return page.body
  }

  if (encoding === null) {
    return decompressBrotli(page.body)
  }

  // Over plain HTTP, browsers accept no Brotli.
  page.gzip ??= convertToGzip(page)
  return page.gzip
}

async function convertToGzip(page: RenderedPage): Promise<Buffer<ArrayBuffer>> {
  try {
    const html = await decompressBrotli(page.body)
    return copyToOwnBuffer(await compressGzip(html))
  } catch (error) {
    // The next request tries again.
    page.gzip = undefined
    throw error
  }
}
