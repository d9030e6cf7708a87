import { parseSetCookieHeader } from 'better-auth/cookies'
import { cameDirectly } from '../client-address.server'
import { log, reportError } from '../log.server'
import { readJson } from '../request-body.server'
import { type AccountServiceCode, accountServiceCodes, type SocialProviderId } from './account-codes'
import { signedInMarker } from './signed-in-marker'
import type { SocialConfiguration } from './social-providers.server'
import { endSocialSignIn, redirect, socialEndPath } from './social-sign-in.server'

type Auth = {
  handler(request: Request): Promise<Response>
  api: {
    signInSocial(input: {
      body: { provider: SocialProviderId; callbackURL: string; errorCallbackURL: string; disableRedirect: true }
      headers: Headers
      returnHeaders: true
    }): Promise<{ headers: Headers; response: { url?: string } }>
  }
  $context: Promise<{ authCookies: { sessionToken: { name: string } } }>
}

/** The whole surface of the service: what better-auth offers besides these cannot be reached. */
const operations = [
  'POST /register',
  'POST /login',
  'POST /logout',
  'POST /forgot-password',
  'POST /new-password',
  'GET /session',
  'GET /users/*',
  'PUT /users/*',
  'PATCH /users/*',
  'GET /callback/*',
]

/** Answers one request under /account: in JSON with a success flag, or with a redirect. Never throws. */
export async function answer(auth: Auth, request: Request, providers: SocialConfiguration[]): Promise<Response> {
  try {
    return await operate(auth, request, providers)
  } catch (error) {
    reportError(error, { request })
    return failure('internal-error')
  }
}

async function operate(auth: Auth, request: Request, providers: SocialConfiguration[]): Promise<Response> {
  const { pathname } = new URL(request.url)
  const path = pathname.replace(/^\/account/, '')
  const [, section = '', id = ''] = path.split('/')
  if (request.method === 'GET' && path === '/social-end') return uncut(endSocialSignIn(request))
  if (request.method === 'GET' && section === 'social')
    return uncut(await startSocialSignIn(auth, request, id, providers))
  if (section === 'callback' && !usable(providers).some((one) => one.id === id)) return failure('not-found')
  const operation = `${request.method} ${id ? `/${section}/*` : `/${section}`}`
  if (!operations.includes(operation) || path.split('/').length > 3) return failure('not-found')
  if (request.method !== 'GET' && !(await isJson(request.clone()))) return failure('invalid-request')
  const response = await plainAnswer(await auth.handler(request))
  await addSignedInMarker(auth, request, response)
  return section === 'callback' ? uncut(response) : response
}

/** The sample provider believes whatever one types: it signs in only who sits at this machine. */
const usable = (providers: SocialConfiguration[]) => providers.filter(({ sample }) => !sample || cameDirectly())

/** The popup keeps its opener on the way back from the provider's page, which has another opener policy than ours. */
function uncut(response: Response): Response {
  response.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none')
  response.headers.set('Referrer-Policy', 'no-referrer')
  return response
}

async function startSocialSignIn(auth: Auth, request: Request, id: string, providers: SocialConfiguration[]) {
  const provider = usable(providers).find((one) => one.id === id)
  if (!provider) return redirect('/Login?error=internal-error')
  const { headers, response } = await auth.api.signInSocial({
    body: {
      provider: provider.id,
      callbackURL: socialEndPath(request),
      errorCallbackURL: socialEndPath(request),
      disableRedirect: true,
    },
    headers: request.headers,
    returnHeaders: true,
  })
  const away = redirect(response.url ?? '/Login?error=internal-error')
  for (const cookie of headers.getSetCookie()) away.headers.append('Set-Cookie', cookie)
  return away
}

async function isJson(request: Request): Promise<boolean> {
  if (!request.headers.get('content-type')?.startsWith('application/json')) return false
  return readJson(request).then(
    () => true,
    () => false,
  )
}

/** Every refusal has the same shape, also those that better-auth makes before an operation runs. */
async function plainAnswer(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.set('Cache-Control', 'no-store')
  if (response.status < 400) return new Response(response.body, { status: response.status, headers })
  const body: unknown = await response.json().catch(() => null)
  const code = codeOf(body, response.status)
  if (code === 'internal-error') log.error({ status: response.status }, 'the account service failed')
  headers.set('Content-Type', 'application/json')
  headers.delete('Content-Length')
  if (code === 'busy') headers.set('Retry-After', '5')
  return new Response(JSON.stringify({ success: false, code }), { status: accountServiceCodes[code], headers })
}

function codeOf(body: unknown, status: number): AccountServiceCode {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  if (typeof code === 'string' && code in accountServiceCodes) return code as AccountServiceCode
  if (status === 404 || status === 405) return 'not-found'
  if (status === 403) return 'forbidden'
  return status < 500 ? 'invalid-request' : 'internal-error'
}

function failure(code: AccountServiceCode): Response {
  return Response.json(
    { success: false, code },
    { status: accountServiceCodes[code], headers: { 'Cache-Control': 'no-store' } },
  )
}

/** Beside the session's cookie, which no script can read, goes one that says only that there is a session. */
async function addSignedInMarker(auth: Auth, request: Request, response: Response): Promise<void> {
  const { sessionToken } = (await auth.$context).authCookies
  for (const cookie of response.headers.getSetCookie()) {
    const session = parseSetCookieHeader(cookie).get(sessionToken.name)
    if (!session) continue
    const age = session['max-age'] === undefined ? '' : `; Max-Age=${session['max-age']}`
    const secure = sessionToken.name.startsWith('__Host-') || request.url.startsWith('https:') ? '; Secure' : ''
    response.headers.append('Set-Cookie', `${signedInMarker(request.url)}=1; Path=/; SameSite=Lax${age}${secure}`)
  }
}
