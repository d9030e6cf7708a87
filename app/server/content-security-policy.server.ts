import { createHash } from 'node:crypto'

/** Vite's own client, which shows edits at once, needs inline parts and a socket. */
export const developmentPolicy = "default-src 'self' 'unsafe-inline' data: blob: ws:"

/**
 * The strict policy of one finished page: nothing from other hosts, no inline style, and of inline scripts only these, by
 * their SHA-256.
 *
 * @param scripts what the server itself wrote into the page, never what it finds there.
 */
export function contentSecurityPolicy(scripts: Iterable<string>): string {
  const hashes = new Set<string>()
  for (const script of scripts) hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].join(' ')}`.trim(),
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Takes the marks out of a page that was rendered with this nonce: stored pages go to everybody, so that a nonce in them
 * would be known to whoever can write into one.
 *
 * @param nonce made for this rendering alone: what learners and operators wrote cannot contain it.
 * @returns the page, and its marked inline scripts.
 */
export function takeMarkedScripts(html: string, nonce: string): { html: string; scripts: string[] } {
  const mark = ` nonce="${nonce}"`
  const marked = html.matchAll(new RegExp(`<script([^>]*)${mark}([^>]*)>([\\s\\S]*?)</script>`, 'g'))
  const inline = [...marked].filter(([, before, after]) => !/\ssrc=/.test(`${before}${after}`))
  return { html: html.replaceAll(mark, ''), scripts: inline.map(([, , , script]) => script ?? '') }
}
