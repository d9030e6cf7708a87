import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { SamplePerson } from '~/features/accounts/social/sample-identity-page.server'
import { SampleIdentityProvider } from '~/features/accounts/social/sample-identity-provider.server'
import { listProviderConfigurations } from '~/features/accounts/social/social-providers.server'
import { withRequestSource } from '~/server/http/request-source.server'
import type { AccountClient } from './account-client'
import { readEnvironment } from './settings'

type Options = {
  /** The product's origin. Without the origin, no product can use the provider. */
  origin?: string
  /** Settings of single sign-on providers. The sample provider becomes their issuer. */
  sso?: Record<string, string>
  /**
   * Changes the claims of the provider's ID tokens, for example to those of a clock that is ahead.
   */
  changeClaims?(claims: JWTPayload): JWTPayload
}

/** Starts the sample identity provider on a port of its own. */
export async function startSampleIdentityProvider({
  origin,
  sso = {},
  changeClaims,
}: Options = {}) {
  const resignToken = changeClaims && (await createTokenSigner(changeClaims))
  const server = createServer((request, response) => {
    if (resignToken) {
      changeJson(request, response, resignToken)
    }

    return withRequestSource({ ipAddress: '127.0.0.1', isDirect: true }, () =>
      provider.handle(request, response),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  // The settings are named SSO_(ID)_ISSUER, SSO_(ID)_CLIENT_ID and so on.
  const providerIds = new Set(Object.keys(sso).map((name) => name.split('_')[1]))
  const issuers = [...providerIds].map((id) => [`SSO_${id}_ISSUER`, `${publicUrl}/sample-identity`])
  const settings = { PUBLIC_URL: publicUrl, ...sso, ...Object.fromEntries(issuers) }
  const providers = listProviderConfigurations(readEnvironment(settings), true)
  const provider = new SampleIdentityProvider(publicUrl, [origin ?? publicUrl], providers)

  return {
    publicUrl,
    providers,
    stop: () => server.close(),
  }
}

type Json = Record<string, unknown>

/**
 * Returns a function that changes the claims of the ID token in a response and signs it again. The
 * response with the provider's keys gets the key of that signature.
 */
async function createTokenSigner(changeClaims: (claims: JWTPayload) => JWTPayload) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }]

  return async (body: Json): Promise<Json> => {
    if ('keys' in body) {
      return { keys }
    }

    if (typeof body.id_token !== 'string') {
      return body
    }

    const claims = changeClaims(decodeJwt(body.id_token))
    const idToken = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
    return { ...body, id_token: idToken }
  }
}

/** Changes the body of the response if it is one with keys or with tokens. */
function changeJson(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  change: (body: Json) => Promise<Json>,
): void {
  if (!/\/(jwks|token)$/.test(url)) {
    return
  }

  const end = response.end.bind(response)
  response.end = (body?: unknown) => {
    response.removeHeader('Content-Length')
    void change(JSON.parse(String(body))).then((changedBody) => end(JSON.stringify(changedBody)))
    return response
  }
}

type Choice = (SamplePerson & { subject?: string }) | 'cancel'

/**
 * Goes through the whole authorization code flow like a browser.
 *
 * @param providerUrl the URL at the provider, unless the flow starts with a sign-in
 * @returns the URL of the page at the end of the flow
 */
export async function signInSocially(
  client: AccountClient,
  provider: string,
  choice: Choice,
  providerUrl?: string,
): Promise<string> {
  const startUrl = providerUrl ?? readRedirect(await client.fetch(`/account/social/${provider}`))
  const callbackUrl = await chooseAtProvider(startUrl, choice)
  const nextUrl = readRedirect(await client.fetch(callbackUrl))
  if (!nextUrl.includes('/account/social-end')) {
    return nextUrl
  }

  return readRedirect(await client.fetch(nextUrl))
}

function readRedirect(response: Response): string {
  const url = response.headers.get('location')
  if (url === null) {
    throw new Error(`${response.url} redirects nowhere.`)
  }

  return url
}

/** Chooses a person at the provider. Returns the URL to which the provider redirects. */
async function chooseAtProvider(startUrl: string, choice: Choice): Promise<string> {
  const cookies = new Map<string, string>()
  let url = startUrl

  while (url.includes('/sample-identity/')) {
    const isChoicePage = url.includes('/choose/')
    const response = await fetch(url, {
      method: isChoicePage ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: isChoicePage ? createChoiceForm(choice) : undefined,
    })

    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name && value !== undefined) {
        cookies.set(name, value)
      }
    }

    url = new URL(response.headers.get('location') ?? 'nowhere:', url).href
  }

  return url
}

function createChoiceForm(choice: Choice): URLSearchParams {
  if (choice === 'cancel') {
    return new URLSearchParams({ cancel: '' })
  }

  const { name, email, verified, subject } = choice

  return new URLSearchParams({
    name,
    email,
    ...(verified && { verified: 'on' }),
    ...(subject && { subject }),
  })
}
