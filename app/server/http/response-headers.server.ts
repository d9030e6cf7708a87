import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { env } from '../env.server'
import { readingMethods } from './request-checks.server'

/**
 * What every response has, whichever part answers: a page, a file, a refusal. Another header of every response goes here.
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
    for (const [name, value] of Object.entries(headers)) res.headers.set(name, value)
    const seconds = retryAfter[res.status]
    if (seconds && !res.headers.has('Retry-After')) res.headers.set('Retry-After', seconds)
  }
}

/** A route may set its own instead: a page its policy by hashes, one with a secret in its address another referrer. */
export function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    referrerPolicy: 'strict-origin-when-cross-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    // Sign-in with Google and Facebook is a popup, which has to be able to reach the page that opened it.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    // For this name only: what else a school has below it may not speak TLS.
    strictTransportSecurity: env.PUBLIC_URL.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
  })
}

/**
 * Nothing is stored unless its route allows it. The answer to a change and a failure are never stored, even where the page of
 * the same route is public: it is one visitor's, or a cache in front would go on failing for a minute.
 */
export const forbidStoring: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers, status } = context.res
  const mayBeStored = readingMethods.has(context.req.method) && status < 500
  if (!mayBeStored || !headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
}
