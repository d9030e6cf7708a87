import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SamplePerson } from '~/features/accounts/social/sample-identity-provider.server'
import { SampleIdentityProvider } from '~/features/accounts/social/sample-identity-provider.server'
import { socialConfigurations } from '~/features/accounts/social/social-providers.server'
import { withArrival } from '~/server/http/client-address.server'
import type { AccountClient } from './account-client'
import { readEnvironment } from './settings'

type Started = {
  /** The address of the product. Without it, only tests of the provider itself can use it. */
  origin?: string
  /** Settings of single sign-on providers. Their issuer becomes this provider. */
  sso?: Record<string, string>
}

/** Starts the sample identity provider on a port of its own. */
export async function startSampleIdentityProvider({ origin, sso = {} }: Started = {}) {
  const server = createServer((request, response) =>
    withArrival({ address: '127.0.0.1', direct: true }, () => provider.handle(request, response)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ids = new Set(Object.keys(sso).map((name) => name.split('_')[1]))
  const issuers = [...ids].map((id) => [`SSO_${id}_ISSUER`, `${publicUrl}/sample-identity`])
  const settings = { PUBLIC_URL: publicUrl, ...sso, ...Object.fromEntries(issuers) }
  const providers = socialConfigurations(readEnvironment(settings), true)
  const provider = new SampleIdentityProvider(publicUrl, [origin ?? publicUrl], providers)

  return {
    publicUrl,
    providers,
    stop: () => server.close(),
  }
}

/**
 * Goes through the whole authorization code flow like a browser.
 *
 * @param address the URL at the provider, unless the flow starts with a sign-in
 * @returns the URL of the page at the end of the flow
 */
export async function signInSocially(
  client: AccountClient,
  provider: string,
  person: (SamplePerson & { subject?: string }) | 'cancel',
  address?: string,
): Promise<string> {
  const start =
    address ?? (await client.fetch(`/account/social/${provider}`)).headers.get('location')
  const callbackUrl = await chooseAtProvider(start ?? '', person)
  const callback = await client.fetch(callbackUrl)
  const back = callback.headers.get('location') ?? ''
  if (!back.includes('/account/social-end')) {
    return back
  }

  const end = await client.fetch(back)

  return end.headers.get('location') ?? ''
}

/** Chooses a person at the provider. Returns the URL to which the provider redirects. */
async function chooseAtProvider(
  startUrl: string,
  person: (SamplePerson & { subject?: string }) | 'cancel',
): Promise<string> {
  const cookies = new Map<string, string>()
  let url = startUrl

  while (url.includes('/sample-identity/')) {
    const isChoice = url.includes('/choose/')
    const response = await fetch(url, {
      method: isChoice ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: isChoice ? createChoiceForm(person) : undefined,
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

function createChoiceForm(
  person: (SamplePerson & { subject?: string }) | 'cancel',
): URLSearchParams {
  if (person === 'cancel') {
    return new URLSearchParams({ cancel: '' })
  }

  const { name, email, verified, subject } = person

  return new URLSearchParams({
    name,
    email,
    ...(verified && { verified: 'on' }),
    ...(subject && { subject }),
  })
}
