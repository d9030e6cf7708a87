/**
 * Sends public pages from the cache (`page-cache.server.ts`), so that a visit needs neither React
 * nor the database.
 *
 * A page is rendered from its cache key, which has only the path of the request and the parameters
 * that the page reads (`page-keys.server.ts`). Browsers keep the page, and get a 304 while its ETag
 * stays the same. The ETag is weak, so that it is the same in every encoding.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { isParsableUrl, safeMethods } from '../http/request-checks.server'
import { setRequestRoute } from '../http/request-trace.server'
import { pageCacheNotModified } from '../operations/metrics/counters.server'
import { pageCache, type RenderPage } from './page-cache.server'
import { createPageKeyFinder, type PublicPages } from './page-keys.server'
import { encodePage, type PageEncoding, type RenderedPage } from './rendered-page.server'

/** @param renderPage renders the page of a cache key, with all headers of the response */
export function servePublicPages(
  pages: PublicPages,
  renderPage: RenderPage,
  cache = pageCache,
): MiddlewareHandler {
  const findPageKey = createPageKeyFinder(pages)

  return async (context, next) => {
    const { method, url } = context.req
    const canBePublicPage = safeMethods.has(method) && isParsableUrl(url)
    const pageKey = canBePublicPage ? findPageKey(new URL(url)) : null
    if (!pageKey) {
      return next()
    }

    const page = await cache.get(pageKey.key, renderPage)
    setRequestRoute(pageKey.route)

    return sendPage(context, page)
  }
}

async function sendPage(context: Context, page: RenderedPage): Promise<Response> {
  const { status, body, headers, etag } = page
  // A page that may not be cached, such as an error, has no ETag. It is sent as it was rendered.
  if (etag === null) {
    return new Response(body, { status, headers })
  }

  if (matchesEtag(context.req.header('If-None-Match'), etag)) {
    pageCacheNotModified.inc()
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

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false
  }

  return ifNoneMatch.split(',').some((value) => [etag, '*'].includes(value.trim()))
}

/**
 * Chooses Brotli rather than gzip, because it is smaller, and the cache holds the page as Brotli.
 *
 * @returns null if the browser accepts neither
 */
function chooseEncoding(acceptEncoding = ''): PageEncoding | null {
  // The parser calls each accepted encoding its "type", as in the header `Accept`.
  const acceptedEncodings = parseAccept(acceptEncoding)
    .filter(({ q: quality }) => quality > 0)
    .map(({ type }) => type.toLowerCase())
  const preferredEncodings = ['br', 'gzip'] as const

  return preferredEncodings.find((encoding) => acceptedEncodings.includes(encoding)) ?? null
}
