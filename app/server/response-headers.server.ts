import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { env } from './env.server'
import { readingMethods } from './request-checks.server'

/**
 * What every response has, whoever answers: a page, a file, a refusal. Another header of every response goes here.
 *
 * @param buildHeader the name of the header that names the build.
 */
export function headersOfEveryResponse(buildHeader: string, build: string): Record<string, string> {
  return { [buildHeader]: build }
}

export function addHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
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
 * A page that anybody may keep answers its form, and fails, with headers of the same route. But what it says to a form is one
 * visitor's, and a cache in front would go on failing for a minute.
 */
export const forbidStoring: MiddlewareHandler = async (context, next) => {
  await next()
  const isPage = readingMethods.has(context.req.method) && context.res.status < 500
  if (!isPage) context.res.headers.set('Cache-Control', 'no-store')
}
