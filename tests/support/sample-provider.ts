import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SamplePerson } from '~/features/accounts/social/sample-identity-page.server'
import { SampleIdentityProvider } from '~/features/accounts/social/sample-identity-provider.server'
import { socialConfigurations } from '~/features/accounts/social/social-providers.server'
import { withArrival } from '~/server/http/client-address.server'
import type { AccountClient } from './account-client'
import { readEnvironment } from './environment'

/**
 * The sample identity provider on a port of its own, as the product mounts it.
 *
 * @param origin of a product that it signs people in to; without it only tests without a product use it.
 */
export async function startSampleProvider(origin?: string) {
  const server = createServer((request, response) =>
    withArrival({ address: '127.0.0.1', direct: true }, () => provider.handle(request, response)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new SampleIdentityProvider(publicUrl, [origin ?? publicUrl])
  return {
    publicUrl,
    providers: socialConfigurations(readEnvironment({ PUBLIC_URL: publicUrl }), true),
    stop: () => server.close(),
  }
}

/**
 * Goes through the whole code flow like a browser.
 *
 * @param address of the provider, if the browser is led there otherwise than by a sign-in.
 * @returns where it ends: a page, or the end of a popup.
 */
export async function signInSocially(
  client: AccountClient,
  provider: 'google' | 'facebook',
  person: SamplePerson | 'cancel',
  address?: string,
): Promise<string> {
  const start = address ?? (await client.fetch(`/account/social/${provider}`)).headers.get('location')
  const atProvider = new Map<string, string>()
  let next = start ?? ''
  while (next.includes('/sample-identity/')) {
    const choosing = next.includes('/choose/')
    const response = await fetch(next, {
      method: choosing ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { Cookie: [...atProvider].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: choosing ? formOf(person) : undefined,
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name && value !== undefined) atProvider.set(name, value)
    }
    next = new URL(response.headers.get('location') ?? 'nowhere:', next).href
  }
  const callback = await client.fetch(next)
  const back = callback.headers.get('location') ?? ''
  if (!back.includes('/account/social-end')) return back
  const end = await client.fetch(back)
  return end.headers.get('location') ?? ''
}

function formOf(person: SamplePerson | 'cancel'): URLSearchParams {
  if (person === 'cancel') return new URLSearchParams({ cancel: '' })
  const { name, email, verified } = person
  return new URLSearchParams({ name, email, ...(verified && { verified: 'on' }) })
}
