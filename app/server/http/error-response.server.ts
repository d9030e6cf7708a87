import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { escapeHtml } from '../mail/email-layout.server'
import { siteName } from '../site/site.server'
import { serverMessages } from './server-messages.server'

/**
 * Returns whether a browser opens a page. False for scripts of an open page and for other programs.
 */
export function isPageLoad({ req }: Context): boolean {
  return req.method === 'GET' && (req.header('Accept')?.includes('text/html') ?? false)
}

/**
 * Returns a 503 response that needs neither React nor the database. A browser that opens a page
 * gets an HTML page. Clients of the account API get a code, and scripts of an open page get a
 * message.
 */
export function unavailableResponse(
  context: Context,
  code: 'busy' | 'maintenance',
  message: string,
): Response {
  if (isPageLoad(context)) {
    return context.html(renderErrorPage(message), 503, {
      'Content-Security-Policy': pagePolicy,
    }) as Response
  }

  if (isAccountApiPath(context.req.path)) {
    return accountErrorResponse(code, 503)
  }

  return context.text(message, 503)
}

export function busyResponse(context: Context): Response {
  return unavailableResponse(context, 'busy', serverMessages.busy())
}

/** Returns whether a request is for the account API, whose clients are programs. */
export function isAccountApiPath(path: string): boolean {
  return path.startsWith('/account/')
}

/** Returns an error response of the account API. */
export function accountErrorResponse(code: string, status: number, headers?: Headers): Response {
  return Response.json({ success: false, code }, { status, headers })
}

const pageStyle = `
:root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; background: light-dark(#fbfaf6, #0b0d17) }
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem; text-align: center }
h1 { font-size: 1.75rem; line-height: 1.2 }
a { display: inline-block; margin-top: 0.5rem; padding: 0.6rem 1.4rem; border-radius: 0.7rem; font-weight: 600;
  text-decoration: none; color: light-dark(#fff, #14112e); background: light-dark(#4f3fe0, #a99bff) }
a:focus-visible { outline: 3px solid; outline-offset: 3px }
`

/** The content security policy of the page. It allows the style of the page and nothing else. */
const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

function renderErrorPage(message: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${serverMessages.rightBack} · ${escapeHtml(siteName())}</title>
<style>${pageStyle}</style>
<main>
<h1>${serverMessages.rightBack}</h1>
<p>${escapeHtml(message)}</p>
<a href="">Try again</a>
</main>
</html>
`
}
