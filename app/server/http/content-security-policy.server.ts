/**
 * The content security policy of pages. Inline scripts are allowed by their hash: the server marks
 * its own scripts with a nonce during rendering, and `extractNonceScripts` finds them in the
 * rendered page.
 */
import { hash } from 'node:crypto'
import { env } from '../env.server'
import { paymentMode } from '../site/site.server'

/** Vite's client, which shows edits at once, needs inline scripts, inline styles and a socket. */
export const developmentPolicy = "default-src 'self' 'unsafe-inline' data: blob: ws:"

/**
 * The styles that `cobe`, which draws the globe, adds for its markers. There are no markers, so
 * they are an empty style and an empty rule.
 */
const globeStyles = ['', ':root{}'].map(formatHashSource)

/**
 * Returns the policy of one rendered page. It allows nothing from other hosts, no inline styles
 * except the globe's empty ones, and only the given inline scripts, by their SHA-256.
 *
 * @param scripts the server's own inline scripts, never scripts that were merely present in the
 *   page
 */
export function createContentSecurityPolicy(scripts: Iterable<string>): string {
  const hashes = new Set([...scripts].map(formatHashSource))
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

/** Returns the SHA-256 of a script or style as a source of the policy. */
function formatHashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** Without scripts, the checkout form is redirected to the payment provider's page. */
function getFormTargets(): string {
  return paymentMode() === 'stripe' ? `'self' ${env.STRIPE_CHECKOUT_ORIGIN}` : "'self'"
}

/**
 * Removes the nonces from a rendered page. A cached page is sent to all visitors, so a nonce in it
 * would not be secret. React escapes `<` and `>` in texts and attributes.
 *
 * @param page is changed in place: the bytes after a nonce move up
 * @param nonce is made for this rendering alone, so that no learner's or operator's text contains
 *   it
 * @returns the page, a part of the same bytes, and the inline scripts that had the nonce
 */
export function extractNonceScripts(
  page: Buffer<ArrayBuffer>,
  nonce: string,
): { html: Buffer<ArrayBuffer>; scripts: string[] } {
  const nonceAttribute = ` nonce="${nonce}"`
  const nonceOffsets = findOffsets(page, nonceAttribute)
  const scripts = nonceOffsets.flatMap((offset) => findInlineScript(page, offset) ?? [])

  let length = 0
  let start = 0
  for (const end of [...nonceOffsets, page.length]) {
    page.copyWithin(length, start, end)
    length += end - start
    start = end + nonceAttribute.length
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
