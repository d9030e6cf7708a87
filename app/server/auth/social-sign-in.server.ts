import * as z from 'zod'
import { contentSecurityPolicy } from '../content-security-policy.server'
import { ownPath } from '../own-path'
import type { AccountCode } from './account-codes'

const startQuery = z.object({ popup: z.string().regex(/^[\w-]{8,64}$/), from: z.string() }).partial()
const endQuery = startQuery.extend({ error: z.string().optional() })

/** Where the provider's answer leads in the end, which knows whether a popup or a whole page waits for it. */
export function socialEndPath(request: Request): string {
  const { popup, from } = startQuery.catch({}).parse(parametersOf(request))
  const parameters = new URLSearchParams({ ...(popup && { popup }), ...(from && { from: ownPath(from) }) })
  return `/account/social-end${parameters.size > 0 ? `?${parameters}` : ''}`
}

function parametersOf(request: Request) {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/** The end of a social sign-in: tells the page that opened the popup, or sends a whole page on. */
export function endSocialSignIn(request: Request): Response {
  const { popup, from, error } = endQuery.catch({ error: 'invalid' }).parse(parametersOf(request))
  const code = error === undefined ? null : socialCode(error)
  if (popup) return popupEnd(popup, code)
  return redirect(code ? `/Login?${new URLSearchParams({ error: code })}` : ownPath(from))
}

export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } })
}

/** What OAuth and better-auth call a failure, in the specification's codes. */
function socialCode(error: string): AccountCode {
  const codes: Record<string, AccountCode> = {
    access_denied: 'cancelled-popup-request',
    account_not_linked: 'email-already-in-use',
    BANNED_USER: 'user-disabled',
    email_not_found: 'provider-email-missing',
  }
  return codes[error] ?? 'internal-error'
}

/** By two ways, because a provider's page may have cut the popup from its opener. */
const popupScript = `
const { nonce, code } = document.body.dataset
const message = { type: 'learnify-sign-in', nonce, code: code || null }
new BroadcastChannel('learnify-sign-in').postMessage(message)
if (window.opener) window.opener.postMessage(message, location.origin)
window.close()
`

/** @param nonce letters, digits, hyphens and underscores only. */
function popupEnd(nonce: string, code: AccountCode | null): Response {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign-in finished · Learnify</title></head>
<body data-nonce="${nonce}" data-code="${code ?? ''}">
<p>Sign-in is finished. You can close this window.</p>
<p><a href="/Profile">Go to Learnify</a></p>
<script>${popupScript}</script>
</body>
</html>
`
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy([popupScript]),
      'Cache-Control': 'no-store',
    },
  })
}
