import * as z from 'zod'
import { cameDirectly } from '~/server/http/client-address.server'
import { createContentSecurityPolicy } from '~/server/http/response-headers.server'
import { escapeHtml } from '~/server/mail/mail-letter.server'
import { log } from '~/server/operations/log.server'
import { siteName } from '~/server/site/site.server'
import type { AccountCode } from '../account-errors'
import type { AccountService } from '../account-service.server'
import { secondStepDue } from '../session/auth.server'
import { passCookies } from '../session/session.server'
import { safeRedirect } from '../sign-in/safe-redirect'
import { beginSecondStep } from '../two-factor/second-step.server'
import { secondStepAddress } from '../two-factor/second-step-address'
import { isOnlyWayForAll } from './organizations'
import { nameOf, type SocialConfiguration } from './social-providers.server'

const startQuery = z
  .object({ popup: z.string().regex(/^[\w-]{8,64}$/), from: z.string(), confirm: z.literal('yes') })
  .partial()
const endQuery = startQuery.extend({ error: z.string().optional() })

/**
 * Answers the addresses of a social sign-in: its start, the provider's way back, and its end. Null
 * for any other.
 */
export async function answerSocialSignIn(
  service: AccountService,
  request: Request,
  [section, id, ...rest]: string[],
): Promise<Response | null> {
  if (request.method !== 'GET' || rest.length > 0) {
    return null
  }

  if (section === 'social-end' && id === undefined) {
    return keepOpener(endSocialSignIn(request))
  }

  const provider = usableProviders(service).find((one) => one.id === id)
  if (section === 'social') {
    return keepOpener(await startSocialSignIn(service, request, provider))
  }

  return section === 'callback' && provider
    ? keepOpener(await takeProvidersAnswer(service, request, provider))
    : null
}

/** The sample provider accepts any typed identity, so it signs in only from this machine. */
const usableProviders = ({ providers }: AccountService) =>
  providers.filter(({ sample }) => !sample || cameDirectly())

/** The buttons of login and sign-up, and whether they are the only way in. */
export function offerProviders({ providers }: Pick<AccountService, 'providers'>) {
  const onlyOrganizations = isOnlyWayForAll(providers)
  const offered = onlyOrganizations
    ? providers.filter(({ organization }) => organization?.isOnlyWay)
    : providers
  return { socialProviders: offered.map(nameOf), onlyOrganizations }
}

/**
 * The popup keeps its opener on the way back from the provider's page, which has another opener
 * policy than ours.
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
  provider: SocialConfiguration | undefined,
): Promise<Response> {
  if (!provider) {
    return redirect('/Login?error=internal-error')
  }

  const end = endAddress(request)
  const auth = await service.providerAuths.get(provider)
  if (!auth) {
    return redirect(withError(end, 'provider-away'))
  }

  const { headers, response } = await auth.api.signInSocial({
    body: { provider: provider.id, callbackURL: end, errorCallbackURL: end, disableRedirect: true },
    headers: request.headers,
    returnHeaders: true,
  })
  const away = redirect(response.url ?? '/Login?error=internal-error')
  passCookies(headers, away.headers)

  return away
}

/**
 * Where the provider's answer leads in the end, which knows whether a popup or a whole page waits
 * for it.
 */
function endAddress(request: Request): string {
  const { popup, from, confirm } = startQuery.catch({}).parse(parametersOf(request))
  const parameters = new URLSearchParams({
    ...(popup && { popup }),
    ...(from && { from: safeRedirect(from) }),
    ...(confirm && { confirm }),
  })

  return `/account/social-end${parameters.size > 0 ? `?${parameters}` : ''}`
}

const withError = (address: string, error: string) =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ error })}`

/**
 * better-auth gets the identity from the provider, signs the learner in, and redirects to the end.
 */
async function takeProvidersAnswer(
  service: AccountService,
  request: Request,
  provider: SocialConfiguration,
): Promise<Response> {
  const auth = await service.providerAuths.get(provider)
  if (!auth) {
    return redirect('/account/social-end?error=provider-away')
  }

  const answer = await auth.handler(request)
  const location = answer.headers.get('location')
  const end = location && new URL(location, service.publicUrl)
  // An error in the request's own address could be forged, and name any account.
  const isOurs = !new URL(request.url).searchParams.has('error')
  const refusal = isOurs && end ? end.searchParams.get('error') : null
  if (end && refusal === secondStepDue) {
    return leadToSecondStep(service, provider.id, end)
  }

  if (refusal) {
    log.info({ provider: provider.id, code: socialCode(refusal) }, 'a sign-in was refused')
  }

  const onward = redirect(location ?? '/Login?error=internal-error')
  passCookies(answer.headers, onward.headers)

  return onward
}

/**
 * @param end as better-auth makes it of the refusal: with the account's uid, which goes no further.
 */
async function leadToSecondStep(
  service: AccountService,
  provider: string,
  end: URL,
): Promise<Response> {
  const uid = end.searchParams.get('error_description') ?? ''
  end.searchParams.delete('error_description')
  const onward = redirect(`${end.pathname}${end.search}`)
  await beginSecondStep(service, onward.headers, uid, provider)

  return onward
}

function parametersOf(request: Request) {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/** Tells the page that opened the popup, or sends a whole page on. */
function endSocialSignIn(request: Request): Response {
  const { popup, from, error } = endQuery.catch({ error: 'invalid' }).parse(parametersOf(request))
  const code = error === undefined ? null : socialCode(error)
  if (popup) {
    return popupEnd(popup, code)
  }

  if (code === 'second-step') {
    return redirect(secondStepAddress(safeRedirect(from)))
  }

  return redirect(code ? `/Login?${new URLSearchParams({ error: code })}` : safeRedirect(from))
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } })
}

/** The errors of this product's own checks. */
const refusals = [
  'other-account',
  'provider-domain',
  'provider-unverified',
  'provider-changed',
  'provider-away',
  'use-organization',
] as const satisfies AccountCode[]

/** Maps errors of OAuth and better-auth to the specification's codes. */
function socialCode(error: string): AccountCode {
  const codes: Record<string, AccountCode> = {
    access_denied: 'cancelled-popup-request',
    account_not_linked: 'email-already-in-use',
    BANNED_USER: 'user-disabled',
    [secondStepDue]: 'second-step',
    email_not_found: 'provider-email-missing',
  }
  const own = refusals.find((code) => code === error)
  return own ?? codes[error] ?? 'internal-error'
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
