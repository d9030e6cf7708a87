import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { escapeHtml } from '../mail/mail-letter.server'
import { siteName } from '../site/site.server'
import { busy, rightBack } from './server-messages.server'

const style = `
:root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; background: light-dark(#fbfaf6, #0b0d17) }
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem; text-align: center }
h1 { font-size: 1.75rem; line-height: 1.2 }
a { display: inline-block; margin-top: 0.5rem; padding: 0.6rem 1.4rem; border-radius: 0.7rem; font-weight: 600;
  text-decoration: none; color: light-dark(#fff, #14112e); background: light-dark(#4f3fe0, #a99bff) }
a:focus-visible { outline: 3px solid; outline-offset: 3px }
`

/** Allows its style and nothing else. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

const page = (sentence: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${rightBack} · ${escapeHtml(siteName())}</title>
<style>${style}</style>
<main>
<h1>${rightBack}</h1>
<p>${escapeHtml(sentence)}</p>
<a href="">Try again</a>
</main>
</html>
`

/** True for a browser that opens a page; false for a script of an open page, and for programs. */
export function opensPage({ req }: Context): boolean {
  return req.method === 'GET' && (req.header('Accept')?.includes('text/html') ?? false)
}

/**
 * Answers 503 without React: an HTML page for a navigation, including the return from a provider's
 * sign-in; a code for programs; a sentence for the scripts of an open page.
 */
export function unavailable(
  context: Context,
  code: 'busy' | 'maintenance',
  sentence: string,
): Response {
  if (opensPage(context)) {
    return context.html(page(sentence), 503, { 'Content-Security-Policy': policy }) as Response
  }

  return isAccountRequest(context.req.path)
    ? accountRefusal(code, 503)
    : context.text(sentence, 503)
}

export function busyResponse(context: Context): Response {
  return unavailable(context, 'busy', busy())
}

/** Clients of /account are programs. */
export function isAccountRequest(path: string): boolean {
  return path.startsWith('/account/')
}

/** The one shape of a refusal below /account. */
export function accountRefusal(code: string, status: number, headers?: Headers): Response {
  return Response.json({ success: false, code }, { status, headers })
}
