import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { env } from '../env.server'
import { readingMethods } from './request-checks.server'

/**
 * Headers of every response: a page, a file, an error. Add new common headers here.
 *
 * @param buildHeader the name of the header that names the build.
 */
export function headersOfEveryResponse(buildHeader: string, build: string): Record<string, string> {
  return { [buildHeader]: build }
}

/** Seconds, where a route says nothing better. */
const retryAfter: Partial<Record<number, string>> = { 429: '60', 503: '5' }

export function addHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { res } = context
    for (const [name, value] of Object.entries(headers)) {
      res.headers.set(name, value)
    }

    const seconds = retryAfter[res.status]
    if (seconds && !res.headers.has('Retry-After')) {
      res.headers.set('Retry-After', seconds)
    }
  }
}

/** For refusals before these layers. Without HSTS, because the host may not be the product's. */
export const refusalHeaders = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * A route may set its own instead: a page its policy by hashes, one with a secret in its address
 * another referrer.
 */
export function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'strict-origin-when-cross-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    // Sign-in with Google and Facebook is a popup, which has to be able to reach the page that
    // opened it.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    // Without includeSubDomains: a school's other hosts may not use TLS.
    strictTransportSecurity: env.PUBLIC_URL.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
  })
}

/**
 * Responses are not cached unless their route allows it. Responses to changes and failures are
 * never cached, even on public routes: the former are personal, and a proxy's cache would repeat
 * the latter for a minute.
 */
export const forbidStoring: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers, status } = context.res
  const mayBeStored = readingMethods.has(context.req.method) && status < 500
  if (!mayBeStored || !headers.has('Cache-Control')) {
    headers.set('Cache-Control', 'no-store')
  }
}
