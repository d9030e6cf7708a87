import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
}

/** Starts the sample identity provider on a port of its own. */
export async function startSampleIdentityProvider({ origin, sso = {} }: Options = {}) {
  const server = createServer((request, response) =>
    withRequestSource({ ipAddress: '127.0.0.1', isDirect: true }, () =>
      provider.handle(request, response),
    ),
  )
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
