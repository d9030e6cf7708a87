import { hash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { env } from '../env.server'
import { paymentMode } from '../site/site.server'
import { safeMethods } from './request-checks.server'

/** Returns the headers of every response, whether it is a page, a file or an error. */
export function createCommonHeaders(buildHeader: string, build: string): Record<string, string> {
  return { [buildHeader]: build }
}

/** The `Retry-After` seconds by status, unless the route sets the header itself. */
const defaultRetryAfter: Partial<Record<number, string>> = { 429: '60', 503: '5' }

export function addHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { res } = context
    for (const [name, value] of Object.entries(headers)) {
      res.headers.set(name, value)
    }

    const seconds = defaultRetryAfter[res.status]
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
 * Adds security headers that the route has not set itself. Pages have a content security policy with
 * hashes, and pages with a secret in their URL have another referrer policy.
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
    // The popup of the sign-in with Google or Facebook has to reach the page that opened it.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    // includeSubDomains is missing, because a school's other hosts may not use TLS.
    strictTransportSecurity: env.PUBLIC_URL.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
  })
}

/**
 * Forbids caching unless the route allows it. Responses to changes and failures are never cached,
 * even on public routes: responses to changes are personal, and a proxy would repeat a cached failure
 * for a minute.
 */
export const forbidCachingByDefault: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers, status } = context.res
  const isCacheable = safeMethods.has(context.req.method) && status < 500
  if (!isCacheable || !headers.has('Cache-Control')) {
    headers.set('Cache-Control', 'no-store')
  }
}

/** Without scripts, the checkout form is redirected to the payment provider's page. */
function getFormTargets(): string {
  return paymentMode() === 'stripe' ? `'self' ${env.STRIPE_CHECKOUT_ORIGIN}` : "'self'"
}

/** Vite's client, which shows edits at once, needs inline scripts, inline styles and a socket. */
export const developmentPolicy = "default-src 'self' 'unsafe-inline' data: blob: ws:"

const sha256 = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/**
 * The styles that `cobe`, which draws the globe, adds for its markers. There are no markers, so they
 * are an empty style and an empty rule.
 */
const globeStyles = ['', ':root{}'].map(sha256)

/**
 * Returns the policy of one rendered page. It allows nothing from other hosts, no inline styles
 * except the globe's empty ones, and only the given inline scripts, by their SHA-256.
 *
 * @param scripts the server's own inline scripts, never scripts that were merely present in the page
 */
export function createContentSecurityPolicy(scripts: Iterable<string>): string {
  const hashes = new Set([...scripts].map(sha256))
  return [
    // Firefox checks this directive for prefetched links; the directives below refuse everything
    // else.
    "default-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    `script-src 'self' ${[...hashes].join(' ')}`.trim(),
    "style-src 'self'",
    `style-src-elem 'self' ${globeStyles.join(' ')}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action ${getFormTargets()}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Removes the nonces from a rendered page. A cached page is sent to all visitors, so a nonce in it
 * would not be secret. React escapes `<` and `>` in texts and attributes.
 *
 * @param page is changed in place: the bytes after a nonce move up
 * @param nonce is made for this rendering alone, so that no learner's or operator's text contains it
 * @returns the page, a part of the same bytes, and the inline scripts that had the nonce
 */
export function extractNonceScripts(
  page: Buffer<ArrayBuffer>,
  nonce: string,
): { html: Buffer<ArrayBuffer>; scripts: string[] } {
  const mark = ` nonce="${nonce}"`
  const markOffsets = findOffsets(page, mark)
  const scripts = markOffsets.flatMap((offset) => findInlineScript(page, offset) ?? [])

  let length = 0
  let start = 0
  for (const end of [...markOffsets, page.length]) {
    page.copyWithin(length, start, end)
    length += end - start
    start = end + mark.length
  }

  return { html: page.subarray(0, length), scripts }
}

function findOffsets(page: Buffer, text: string): number[] {
  const offsets: number[] = []
  let offset = page.indexOf(text)
  while (offset !== -1) {
    offsets.push(offset)
    offset = page.indexOf(text, offset + text.length)
  }

  return offsets
}

/**
 * Returns the inline script whose start tag contains the offset, or null if the tag is not that of
 * an inline script.
 */
function findInlineScript(page: Buffer, offset: number): string | null {
  const end = page.indexOf('>', offset)
  const tag = page.toString('utf8', page.lastIndexOf('<', offset), end)
  if (!/^<script\s/.test(tag) || tag.includes('>') || /\ssrc=/.test(tag)) {
    return null
  }

  return page.toString('utf8', end + 1, page.indexOf('</script>', end))
}
