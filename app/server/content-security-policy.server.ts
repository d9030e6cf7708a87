import { hash } from 'node:crypto'

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
  for (const script of scripts) hashes.add(`'sha256-${hash('sha256', script, 'base64')}'`)
  return [
    // Firefox asks this one for what a link prefetches; what else it would allow is refused below.
    "default-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'self'",
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
 * would be known to whoever can write into one. React writes `<` and `>` of a text or an attribute as references.
 *
 * @param nonce made for this rendering alone: what learners and operators wrote cannot contain it.
 * @returns the page, and its marked inline scripts.
 */
export function takeMarkedScripts(html: string, nonce: string): { text: string; scripts: string[] } {
  const mark = ` nonce="${nonce}"`
  const scripts: string[] = []
  for (let at = html.indexOf(mark); at !== -1; at = html.indexOf(mark, at + mark.length)) {
    const script = inlineScriptAt(html, at)
    if (script !== null) scripts.push(script)
  }
  return { text: html.replaceAll(mark, ''), scripts }
}

/** @param at within a tag. @returns null for another tag than a script's, or one with a file. */
function inlineScriptAt(html: string, at: number): string | null {
  const end = html.indexOf('>', at)
  const tag = html.slice(html.lastIndexOf('<', at), end)
  if (!/^<script\s/.test(tag) || tag.includes('>') || /\ssrc=/.test(tag)) return null
  return html.slice(end + 1, html.indexOf('</script>', end))
}
