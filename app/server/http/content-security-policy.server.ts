import { hash } from 'node:crypto'
import { env } from '../env.server'

/** A form sent without scripts is led on to the page to pay on. */
const formTargets = env.PAYMENTS === 'stripe' ? `'self' ${env.STRIPE_CHECKOUT_ORIGIN}` : "'self'"

/** Vite's own client, which shows edits at once, needs inline parts and a socket. */
export const developmentPolicy = "default-src 'self' 'unsafe-inline' data: blob: ws:"

const sha256 = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/**
 * What `cobe`, which draws the globe, adds for its markers: we have none, so it is an empty style,
 * then an empty rule.
 */
const globeStyles = ['', ':root{}'].map(sha256)

/**
 * The strict policy of one finished page: nothing from other hosts, no inline style but the globe's
 * empty one, and of inline scripts only these, by their SHA-256.
 *
 * @param scripts the server's own inline scripts, never scripts found in the page.
 */
export function contentSecurityPolicy(scripts: Iterable<string>): string {
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
    `form-action ${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Removes the nonces from a rendered page: a cached page goes to all visitors, so a nonce in it
 * would be no secret. React escapes `<` and `>` in texts and attributes.
 *
 * @param page changed in place: the bytes after a nonce move up.
 * @param nonce made for this rendering alone, so that no text by learners or operators can contain
 * it.
 * @returns the page, a part of the same bytes, and its inline scripts that had the nonce.
 */
export function takeMarkedScripts(
  page: Buffer<ArrayBuffer>,
  nonce: string,
): { html: Buffer<ArrayBuffer>; scripts: string[] } {
  const mark = ` nonce="${nonce}"`
  const marks = listPlaces(page, mark)
  const scripts = marks.flatMap((at) => inlineScriptAt(page, at) ?? [])
  let length = 0
  let from = 0
  for (const at of [...marks, page.length]) {
    page.copyWithin(length, from, at)
    length += at - from
    from = at + mark.length
  }

  return { html: page.subarray(0, length), scripts }
}

function listPlaces(page: Buffer, text: string): number[] {
  const places: number[] = []
  for (let at = page.indexOf(text); at !== -1; at = page.indexOf(text, at + text.length)) {
    places.push(at)
  }

  return places
}

/** @param at within a tag. @returns null for another tag than a script's, or one with a file. */
function inlineScriptAt(page: Buffer, at: number): string | null {
  const end = page.indexOf('>', at)
  const tag = page.toString('utf8', page.lastIndexOf('<', at), end)
  if (!/^<script\s/.test(tag) || tag.includes('>') || /\ssrc=/.test(tag)) {
    return null
  }

  return page.toString('utf8', end + 1, page.indexOf('</script>', end))
}
