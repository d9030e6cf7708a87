/**
 * Sign-in by a provider (OAuth and OpenID Connect), in a popup or, without scripts, by redirects:
 * /account/social/PROVIDER starts it, /account/callback/PROVIDER takes the provider's response, and
 * /account/social-end reports to the page that opened the popup, or redirects the whole page.
 *
 * better-auth runs the protocol. Its own redirects are replaced because they would reveal the uid
 * of an account whose second step is due.
 */
import * as z from 'zod'
import { createContentSecurityPolicy } from '~/server/http/content-security-policy.server'
import { isDirectRequest } from '~/server/http/request-source.server'
import { escapeHtml } from '~/server/mail/email-layout.server'
import { log } from '~/server/operations/log.server'
import { siteName } from '~/server/site/site.server'
import type { ClientErrorCode } from '../account-errors'
import type { AccountService } from '../account-service.server'
import { secondStepRequired } from '../session/auth-hooks.server'
import { copyCookies } from '../session/request-context.server'
import { safeRedirect, secondStepUrl } from '../sign-in/sign-in-urls'
import { startSecondStep } from '../two-factor/second-step.server'
import { isSingleSignOnRequired } from './allowed-sign-in-methods'
import { type ProviderConfiguration, toSignInProvider } from './social-providers.server'

const startQuery = z
  .object({ popup: z.string().regex(/^[\w-]{8,64}$/), from: z.string(), confirm: z.literal('yes') })
  .partial()
const endQuery = startQuery.extend({ error: z.string().optional() })

const startFailedUrl = '/Login?error=internal-error'

/**
 * Handles the requests of a social sign-in.
 *
 * @param pathSegments the segments of the path below /account
 * @returns null for any other request
 */
export async function handleSocialSignIn(
  service: AccountService,
  request: Request,
  pathSegments: string[],
): Promise<Response | null> {
  const [section, providerId, ...furtherSegments] = pathSegments
  if (request.method !== 'GET' || furtherSegments.length > 0) {
    return null
  }

  if (section === 'social-end' && providerId === undefined) {
    return keepOpener(endSocialSignIn(request))
  }

  const provider = listUsableProviders(service).find(({ id }) => id === providerId)
  if (section === 'social') {
    return keepOpener(await startSocialSignIn(service, request, provider))
  }

  if (section === 'callback' && provider) {
    return keepOpener(await handleCallback(service, request, provider))
  }

  return null
}

/** The sample provider accepts any identity, so it only signs in clients on this machine. */
function listUsableProviders({ providers }: AccountService): ProviderConfiguration[] {
  return providers.filter(({ isSample }) => !isSample || isDirectRequest())
}

/**
 * Returns the providers for the buttons of login and sign-up, and whether there is no other sign-in
 * method.
 */
export function listOfferedProviders({ providers }: Pick<AccountService, 'providers'>) {
  const isSingleSignOnOnly = isSingleSignOnRequired(providers)
  const offeredProviders = isSingleSignOnOnly
    ? providers.filter(({ organization }) => organization?.isOnlySignInMethod)
    : providers

  return { socialProviders: offeredProviders.map(toSignInProvider), isSingleSignOnOnly }
}

/**
 * Lets the popup keep its opener when it returns from the provider's page, whose opener policy
 * differs from ours.
 */
function keepOpener(response: Response): Response {
  response.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none')
  response.headers.set('Referrer-Policy', 'no-referrer')
  response.headers.set('Cache-Control', 'no-store')

  return response
}

async function startSocialSignIn(
  service: AccountService,
  request: Request,
  provider: ProviderConfiguration | undefined,
): Promise<Response> {
  if (!provider) {
    return redirect(startFailedUrl)
  }

  const endUrl = getEndUrl(request)
  const auth = await service.providerAuths.get(provider)
  if (!auth) {
    return redirect(withError(endUrl, 'provider-away'))
  }

  const { headers, response } = await auth.api.signInSocial({
    body: {
      provider: provider.id,
      callbackURL: endUrl,
      errorCallbackURL: endUrl,
      disableRedirect: true,
      additionalData: { providerId: provider.id },
    },
    headers: request.headers,
    returnHeaders: true,
  })
  const redirection = redirect(response.url ?? startFailedUrl)
  copyCookies(headers, redirection.headers)

  return redirection
}

/**
 * Returns the URL at which the sign-in ends. It tells whether a popup or a whole page waits for it.
 */
function getEndUrl(request: Request): string {
  const { popup, from, confirm } = startQuery.catch({}).parse(readQuery(request))
  const query = new URLSearchParams({
    ...(popup && { popup }),
    ...(from && { from: safeRedirect(from) }),
    ...(confirm && { confirm }),
  })

  return `/account/social-end${query.size > 0 ? `?${query}` : ''}`
}

function withError(url: string, error: string): string {
  const separator = url.includes('?') ? '&' : '?'
  return `${url}${separator}${new URLSearchParams({ error })}`
}

/**
 * Takes the provider's response. better-auth gets the identity from the provider, signs the learner
 * in, and redirects to /account/social-end.
 */
async function handleCallback(
  service: AccountService,
  request: Request,
  provider: ProviderConfiguration,
): Promise<Response> {
  const auth = await service.providerAuths.get(provider)
  if (!auth) {
    return redirect('/account/social-end?error=provider-away')
  }

  const response = await auth.handler(request)
  const location = response.headers.get('location')
  const endUrl = location && new URL(location, service.publicUrl)

  // better-auth copies an error in the URL of the request. Such an error could be forged and name
  // any account, so it is ignored here.
  const isErrorFromRequest = new URL(request.url).searchParams.has('error')
  const error = endUrl && !isErrorFromRequest ? endUrl.searchParams.get('error') : null
  if (endUrl && error === secondStepRequired) {
    return redirectToSecondStep(service, provider.id, endUrl)
  }

  if (error) {
    log.info({ provider: provider.id, code: toErrorCode(error) }, 'a sign-in was refused')
  }

  const redirection = redirect(location ?? startFailedUrl)
  copyCookies(response.headers, redirection.headers)

  return redirection
}

/**
 * Starts the second step. better-auth put the account's uid into the error description; it is
 * removed, so that the browser does not learn it.
 */
async function redirectToSecondStep(
  service: AccountService,
  providerId: string,
  endUrl: URL,
): Promise<Response> {
  const uid = endUrl.searchParams.get('error_description')
  if (!uid) {
    throw new Error('A sign-in that needs a second step names no account.')
  }

  endUrl.searchParams.delete('error_description')
  const redirection = redirect(`${endUrl.pathname}${endUrl.search}`)
  await startSecondStep(service, redirection.headers, { uid, providerId })

  return redirection
}

function readQuery(request: Request) {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/** Responds with a page that reports to the opener of the popup, or redirects the whole page. */
function endSocialSignIn(request: Request): Response {
  const { popup, from, error } = endQuery.catch({ error: 'invalid' }).parse(readQuery(request))
  const code = error === undefined ? null : toErrorCode(error)
  if (popup) {
    return createPopupEndPage(popup, code)
  }

  if (code === 'second-step') {
    return redirect(secondStepUrl(safeRedirect(from)))
  }

  return redirect(code ? `/Login?${new URLSearchParams({ error: code })}` : safeRedirect(from))
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } })
}

/** The errors of our own checks, which pass through better-auth unchanged. */
const ownErrorCodes = [
  'other-account',
  'provider-domain',
  'provider-unverified',
  'provider-changed',
  'provider-away',
  'use-organization',
] as const satisfies ClientErrorCode[]

/** A map, because the error comes from the URL, and an object would also have `toString`. */
const codeByProtocolError = new Map<string, ClientErrorCode>([
  ['access_denied', 'cancelled-popup-request'],
  ['account_not_linked', 'email-already-in-use'],
  ['BANNED_USER', 'user-disabled'],
  [secondStepRequired, 'second-step'],
  ['email_not_found', 'provider-email-missing'],
])

/** Maps an error of OAuth or better-auth to one of the specification's codes. */
function toErrorCode(error: string): ClientErrorCode {
  const ownCode = ownErrorCodes.find((code) => code === error)
  return ownCode ?? codeByProtocolError.get(error) ?? 'internal-error'
}

/**
 * The script of the popup's last page. It sends its message in two ways, because a provider's page
 * may have cut the popup off its opener.
 */
const popupScript = `
const { nonce, code } = document.body.dataset
const message = { type: 'learnify-sign-in', nonce, code: code || null }
new BroadcastChannel('learnify-sign-in').postMessage(message)
if (window.opener) window.opener.postMessage(message, location.origin)
window.close()
`

/**
 * Returns the last page of a popup, which reports the result and closes the popup.
 *
 * @param nonce contains only letters, digits, hyphens and underscores, so it needs no escaping
 */
function createPopupEndPage(nonce: string, code: ClientErrorCode | null): Response {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign-in finished · ${escapeHtml(siteName())}</title></head>
<body data-nonce="${nonce}" data-code="${code ?? ''}">
<p>Sign-in finished. You can close this window.</p>
<p><a href="/Profile">Go to ${escapeHtml(siteName())}</a></p>
<script>${popupScript}</script>
</body>
</html>
`

  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': createContentSecurityPolicy([popupScript]),
    },
  })
}
