import { createHash } from 'node:crypto'

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The library of the home page's globe adds a style element: first empty, then this rule without declarations. */
const emptyStyles = ['', ':root{}'].map(hashOf)

/**
 * The strict policy of one finished page: nothing from other hosts, no inline style, and of inline scripts only those
 * that the server itself wrote into this page, by their SHA-256.
 */
export function contentSecurityPolicy(html: string): string {
  const hashes = new Set<string>()
  for (const [, script] of html.matchAll(inlineScript)) {
    hashes.add(hashOf(script ?? ''))
  }
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].join(' ')}`.trim(),
    `style-src 'self' ${emptyStyles.join(' ')}`,
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

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
