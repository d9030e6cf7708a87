/**
 * Sends public pages from the cache (`page-cache.server.ts`), so that a visit needs neither React
 * nor the database.
 *
 * Only the path of a request and the parameters that its page reads reach the page
 * (`page-keys.server.ts`). Browsers keep the page, and get a 304 while its ETag stays the same.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { isReadableUrl, readingMethods } from '../http/request-checks.server'
import { nameRoute } from '../http/request-trace.server'
import { pageCacheUnchanged } from '../operations/metrics/counters.server'
import { pageCache, type RenderPage } from './page-cache.server'
import { createPageKeyFinder, type PublicPages } from './page-keys.server'
import { encodePage, type PageEncoding, type RenderedPage } from './rendered-page.server'

/**
 * @param renderPage gets only the page's path and its declared parameters. Its response is sent
 *   unchanged, so it must have all headers.
 */
export function cachePublicPages(
  pages: PublicPages,
  renderPage: RenderPage,
  cache = pageCache,
): MiddlewareHandler {
  const findPageKey = createPageKeyFinder(pages)

  return async (context, next) => {
    const { method, url } = context.req
    const canBePublicPage = readingMethods.has(method) && isReadableUrl(url)
    const pageKey = canBePublicPage ? findPageKey(new URL(url)) : null
    if (!pageKey) {
      return next()
    }

    const page = await cache.get(pageKey.key, renderPage)
    nameRoute(pageKey.route)

    return sendPage(context, page)
  }
}

async function sendPage(context: Context, page: RenderedPage): Promise<Response> {
  const { status, body, headers, etag } = page
  if (etag === null) {
    return new Response(body, { status, headers })
  }

  if (matchesEtag(context.req.header('If-None-Match'), etag)) {
    pageCacheUnchanged.inc()
    // The browser keeps the content type of its cached page.
    const { 'content-type': _contentType, ...otherHeaders } = headers
    return new Response(null, { status: 304, headers: otherHeaders })
  }

  const encoding = chooseEncoding(context.req.header('Accept-Encoding'))
  const bytes = await encodePage(page, encoding)
  const responseHeaders = new Headers(headers)
  responseHeaders.set('Content-Length', String(bytes.length))
  if (encoding) {
    responseHeaders.set('Content-Encoding', encoding)
  }

  return new Response(bytes, { status, headers: responseHeaders })
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false
  }

  return ifNoneMatch.split(',').some((value) => [etag, '*'].includes(value.trim()))
}

/** Returns Brotli rather than gzip, because it is smaller and needs no other copy of the page. */
function chooseEncoding(acceptEncoding = ''): PageEncoding {
  const accepted = parseAccept(acceptEncoding).filter(({ q }) => q > 0)
  const names = accepted.map(({ type }) => type.toLowerCase())

  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? null
}
