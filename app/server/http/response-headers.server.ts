import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { env } from '../env.server'
import { safeMethods } from './request-checks.server'

/** Returns the headers of every response, whether it is a page, a file or an error. */
export function createCommonHeaders(buildHeader: string, build: string): Record<string, string> {
  return { [buildHeader]: build }
}

/** The value of `Retry-After` in seconds by status, unless the route sets the header itself. */
const defaultRetryAfterSeconds: Partial<Record<number, string>> = { 429: '60', 503: '5' }

/** Adds headers to every response, and `Retry-After` to those that ask the client to wait. */
export function addHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { res } = context
    for (const [name, value] of Object.entries(headers)) {
      res.headers.set(name, value)
    }

    const seconds = defaultRetryAfterSeconds[res.status]
    if (seconds && !res.headers.has('Retry-After')) {
      res.headers.set('Retry-After', seconds)
    }
  }
}

/**
 * The headers of requests that are refused before the middleware runs. HSTS is missing, because the
 * host may not be the product's.
 */
export const refusalHeaders = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Adds security headers that the route has not set itself. Pages have a content security policy
 * with hashes, and pages with a secret in their URL have another referrer policy.
 */
export function addSecurityHeaders(): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'strict-origin-when-cross-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    // The popup of the sign-in with Google or Facebook has to reach the page that opened it.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    // includeSubDomains is missing, because a school's other hosts may not use TLS.
    strictTransportSecurity: env.PUBLIC_URL.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
  })
}

/**
 * Forbids caching unless the route allows it. Responses to changes and failures are never cached,
 * even on public routes: responses to changes are personal, and a proxy would repeat a cached
 * failure for a minute.
 */
export const forbidCachingByDefault: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers, status } = context.res
  const isCacheable = safeMethods.has(context.req.method) && status < 500
  if (!isCacheable || !headers.has('Cache-Control')) {
    headers.set('Cache-Control', 'no-store')
  }
}
