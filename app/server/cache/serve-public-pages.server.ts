/**
 * Sends public pages from the cache (`page-cache.server.ts`), so that a visit needs neither React
 * nor the database.
 *
 * The cache key of a page is its path with the parameters that the page reads
 * (`page-keys.server.ts`). The page is rendered from its key alone, so that it is the same for
 * everyone. Browsers keep the page, and get a 304 while its ETag stays the same. The ETag is weak,
 * because it is the same in every encoding.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { isParsableUrl, safeMethods } from '../http/request-checks.server'
import { setRequestRoute } from '../http/request-trace.server'
import { notModifiedResponses } from '../operations/metrics/counters.server'
import { pageCache, type RenderPage } from './page-cache.server'
import { createPageKeyFinder, type PublicPages } from './page-keys.server'
import { encodePage, type PageEncoding, type RenderedPage } from './rendered-page.server'

/** @param renderPage renders the page of a cache key, with all headers of the response */
export function servePublicPages(
  publicPages: PublicPages,
  renderPage: RenderPage,
  cache = pageCache,
): MiddlewareHandler {
  const findPublicPage = createPageKeyFinder(publicPages)

  return async (context, next) => {
    const { method, url } = context.req
    const canBePublicPage = safeMethods.has(method) && isParsableUrl(url)
    const publicPage = canBePublicPage ? findPublicPage(new URL(url)) : null
    if (!publicPage) {
      return next()
    }

    const renderedPage = await cache.get(publicPage.key, renderPage)
    setRequestRoute(publicPage.route)

    return sendPage(context, renderedPage)
  }
}

async function sendPage(context: Context, page: RenderedPage): Promise<Response> {
  const { status, body, headers, etag } = page
  // Only pages that may be cached have an ETag. An error page, for example, is sent as it was
  // rendered.
  if (etag === null) {
    return new Response(body, { status, headers })
  }

  if (matchesEtag(context.req.header('If-None-Match'), etag)) {
    notModifiedResponses.inc()
    // A content type belongs to a body, which a 304 doesn't have.
    const { 'content-type': _contentType, ...otherHeaders } = headers
    return new Response(null, { status: 304, headers: otherHeaders })
  }

  const encoding = chooseEncoding(context.req.header('Accept-Encoding'))
  const encodedBody = await encodePage(page, encoding)
  const responseHeaders = new Headers(headers)
  responseHeaders.set('Content-Length', String(encodedBody.length))
  if (encoding) {
    responseHeaders.set('Content-Encoding', encoding)
  }

  return new Response(encodedBody, { status, headers: responseHeaders })
}

/** @param ifNoneMatch the request's header: the ETags that the browser has, or `*` for any */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const browserEtags = ifNoneMatch?.split(',').map((browserEtag) => browserEtag.trim()) ?? []
  return browserEtags.includes(etag) || browserEtags.includes('*')
}

/**
 * Chooses Brotli if the browser accepts it, because it is the smallest and the cache holds the page
 * in it already.
 *
 * @returns null if the browser accepts neither Brotli nor gzip
 */
function chooseEncoding(acceptEncoding = ''): PageEncoding | null {
  // The parser was written for the header `Accept`, so it calls an encoding a "type".
  const acceptedEncodings = parseAccept(acceptEncoding)
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase())
  const preferredEncodings = ['br', 'gzip'] as const

  return preferredEncodings.find((encoding) => acceptedEncodings.includes(encoding)) ?? null
}
