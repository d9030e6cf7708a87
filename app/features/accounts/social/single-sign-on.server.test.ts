import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { identities, users } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { AccountClient } from '../../../../tests/support/account-client'
import { Mailbox } from '../../../../tests/support/mailbox'
import {
  signInSocially,
  startSampleIdentityProvider,
} from '../../../../tests/support/sample-identity-provider'
import { readEnvironment } from '../../../../tests/support/settings'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findUserByEmail } from '../account-queries.server'
import { type AccountService, createAccountService } from '../account-service.server'
import { recordPassword } from '../password/password-queries.server'
import { hashPassword } from '../password/passwords.server'
import { listSecurityEvents } from '../security/security-log.server'
import type { createAuth } from '../session/auth.server'
import { checkProviderClaims } from './allowed-sign-in-methods'
import { ProviderAuths } from './provider-auths.server'
import { listProviderConfigurations, type ProviderConfiguration } from './social-providers.server'
import { listOfferedProviders } from './social-sign-in.server'

const secret = 'a secret that is only used by tests, 0123456789'
const password = 'Analytical-1843'

/** `acme` accepts addresses of two domains, `uni` accepts any. */
const sso = {
  SSO_ACME_NAME: 'Acme Corporation',
  SSO_ACME_CLIENT_ID: 'acme',
  SSO_ACME_CLIENT_SECRET: 'acme-secret',
  SSO_ACME_DOMAINS: 'acme.example, bücher.example',
  SSO_UNI_NAME: 'University',
  SSO_UNI_CLIENT_ID: 'uni',
  SSO_UNI_CLIENT_SECRET: 'uni-secret',
}

let db: Database
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let service: AccountService
let mailbox: Mailbox

beforeAll(async () => {
  db = (await createTestDatabase()).db
  provider = await startSampleIdentityProvider({ sso })
  service = open(provider.providers)
  mailbox = new Mailbox(db, provider.publicUrl)
})
afterAll(() => provider.stop())

const open = (providers: ProviderConfiguration[]) =>
  createAccountService({ db, publicUrl: provider.publicUrl, isLoopback: true, secret, providers })

/** The same providers, with other settings for one organization. */
const withOrganization = (
  id: string,
  changes: Partial<NonNullable<ProviderConfiguration['organization']>>,
) =>
  provider.providers.map((one) =>
    one.id === id && one.organization
      ? { ...one, organization: { ...one.organization, ...changes } }
      : one,
  )

const browser = (of = service) => new AccountClient(of, provider.publicUrl)

let people = 0
function newPerson({ domain = 'acme.example', verified = true } = {}) {
  people += 1
  return { name: 'Ada King Lovelace', email: `ada-${people}@${domain}`, verified }
}

/** An account with a password. @param emailVerified whether its address is confirmed. */
async function account(email: string, emailVerified = true) {
  const uid = `uid-${email}`
  await db
    .insert(users)
    .values({ id: uid, email, emailVerified, name: 'Ada', firstName: 'Ada', lastName: 'King' })
  await recordPassword(db, uid, (await hashPassword(password)) ?? '')
  if (!emailVerified) {
    await db.update(identities).set({ proven: false }).where(eq(identities.userId, uid))
  }

  return uid
}

const listProviderIds = async (uid: string) =>
  (await db.select().from(identities).where(eq(identities.userId, uid)))
    .map(({ providerId }) => providerId)
    .toSorted()

describe('a sign-in by an organization', () => {
  it('makes an account, which is the provider’s subject from then on, whatever its address becomes', async () => {
    const person = newPerson()
    const client = browser()

    expect(await signInSocially(client, 'sso-acme', { ...person, subject: 'subject-1' })).toBe(
      '/Profile',
    )

    const user = await client.readUser()

    expect(user).toMatchObject({
      firstName: 'Ada',
      lastName: 'King Lovelace',
      emailVerified: true,
      provider: 'sso-acme',
    })

    const renamed = { ...newPerson(), subject: 'subject-1' }
    const again = browser()

    expect(await signInSocially(again, 'sso-acme', renamed)).toBe('/Profile')
    expect((await again.readUser())?.uid).toBe(user?.uid)

    const [event] = await listSecurityEvents(db, user?.uid ?? '')

    expect(event).toMatchObject({ kind: 'signed-in', signInMethod: 'sso-acme' })
  })

  it('opens the account of a verified address with a confirmed one, and keeps its other ways', async () => {
    const person = newPerson()
    const uid = await account(person.email)
    const client = browser()

    expect(await signInSocially(client, 'sso-acme', person)).toBe('/Profile')
    expect((await client.readUser())?.uid).toBe(uid)
    expect(await listProviderIds(uid)).toEqual(['credential', 'sso-acme'])
  })

  it('leaves a stranger nothing who registered the address before', async () => {
    const person = newPerson()
    const uid = await account(person.email, false)

    expect(await signInSocially(browser(), 'sso-acme', person)).toBe('/Profile')
    expect(await listProviderIds(uid)).toEqual(['sso-acme'])
  })

  it('by an address of another domain is refused, also for the account that it opened before', async () => {
    const person = { ...newPerson(), subject: 'leaves' }

    expect(await signInSocially(browser(), 'sso-acme', person)).toBe('/Profile')

    const client = browser()
    const logged = vi.spyOn(log, 'info')
    for (const email of [
      'ada@elsewhere.example',
      'ada@sub.acme.example',
      'acme.example@evil.example',
    ]) {
      expect(await signInSocially(client, 'sso-acme', { ...person, email })).toBe(
        '/Login?error=provider-domain',
      )
    }

    expect(logged).toHaveBeenCalledWith(
      { provider: 'sso-acme', code: 'provider-domain' },
      'a sign-in was refused',
    )

    logged.mockRestore()

    expect(await client.readUser()).toBeNull()
    expect(await findUserByEmail(db, 'ada@elsewhere.example')).toBeNull()
  })

  it('takes a domain in its own letters', async () => {
    expect(
      await signInSocially(browser(), 'sso-acme', newPerson({ domain: 'bücher.example' })),
    ).toBe('/Profile')
  })

  it('by an unverified address is refused where domains are let in, and reaches no account elsewhere', async () => {
    const person = newPerson({ verified: false })

    expect(await signInSocially(browser(), 'sso-acme', person)).toBe(
      '/Login?error=provider-unverified',
    )
    expect(await findUserByEmail(db, person.email)).toBeNull()

    await account(person.email)

    expect(await signInSocially(browser(), 'sso-uni', person)).toBe(
      '/Login?error=email-already-in-use',
    )
  })

  it('without an address is refused', async () => {
    expect(await signInSocially(browser(), 'sso-uni', { ...newPerson(), email: '' })).toBe(
      '/Login?error=provider-email-missing',
    )
  })

  it('by another subject with the same address doesn’t open the account of the first', async () => {
    const person = newPerson()
    await signInSocially(browser(), 'sso-acme', { ...person, subject: 'first' })
    const client = browser()

    expect(await signInSocially(client, 'sso-acme', { ...person, subject: 'second' })).toBe(
      '/Login?error=provider-changed',
    )
    expect(await client.readUser()).toBeNull()
  })

  it('by the same subject of another provider is somebody else', async () => {
    const [one, other] = [browser(), browser()]

    expect(await signInSocially(one, 'sso-acme', { ...newPerson(), subject: 'same' })).toBe(
      '/Profile',
    )
    expect(await signInSocially(other, 'sso-uni', { ...newPerson(), subject: 'same' })).toBe(
      '/Profile',
    )
    expect((await one.readUser())?.uid).not.toBe((await other.readUser())?.uid)
  })

  it('keeps nothing of the provider’s that could be used again', async () => {
    const rows = await db.select().from(identities).where(eq(identities.providerId, 'sso-acme'))

    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.filter(
        ({ accessToken, refreshToken, idToken }) => accessToken || refreshToken || idToken,
      ),
    ).toEqual([])
  })

  it('verifies ID tokens with a tolerance for clocks', async () => {
    const [provider] = service.providers.filter(({ organization }) => organization)
    if (!provider) {
      throw new Error('There is no single sign-on.')
    }

    const auth = await service.providerAuths.get(provider)
    const context = await auth?.$context
    const idTokens = context?.socialProviders.map(({ idToken }) => idToken)

    expect(idTokens).toEqual([{ verify: expect.any(Function) }])
  })

  it('starts with PKCE, a state and a nonce of its own', async () => {
    const start = await browser().fetch('/account/social/sso-acme')
    const { searchParams } = new URL(start.headers.get('location') ?? '')

    expect(searchParams.get('code_challenge_method')).toBe('S256')

    for (const name of ['state', 'nonce']) {
      expect(searchParams.get(name)?.length).toBeGreaterThan(15)
    }
  })

  it('doesn’t end with the answer of another provider', async () => {
    const client = browser()
    const start = new URL(
      (await client.fetch('/account/social/sso-acme')).headers.get('location') ?? '',
    )
    const state = start.searchParams.get('state') ?? ''
    const response = `/account/callback/sso-uni?${new URLSearchParams({ code: 'stolen', state })}`

    expect((await client.fetch(response)).headers.get('location')).toContain('error=')
    expect(await client.readUser()).toBeNull()
  })
})

describe('an organization whose clock differs', () => {
  /** Signs in with an ID token whose times are so many seconds from now. Returns the next page. */
  async function signInWithTimes(times: { nbf?: number; exp?: number }) {
    const shifted = await startSampleIdentityProvider({
      sso,
      changeClaims: (claims) => {
        const now = Math.floor(Date.now() / 1000)
        const shiftedTimes = Object.entries(times).map(([claim, seconds]) => [claim, now + seconds])
        return { ...claims, ...Object.fromEntries(shiftedTimes) }
      },
    })
    const { publicUrl, providers } = shifted
    const serviceOfTest = createAccountService({
      db,
      publicUrl,
      isLoopback: true,
      secret,
      providers,
    })
    const client = new AccountClient(serviceOfTest, publicUrl)

    const nextUrl = await signInSocially(client, 'sso-acme', newPerson())
    const user = await client.readUser()
    shifted.stop()
    return { nextUrl, isSignedIn: user !== null }
  }

  it.each([
    ['is 3 seconds ahead', { nbf: 3 }],
    ['is 10 seconds behind, so that its token has expired', { exp: -10 }],
  ])('can sign a learner in if it %s', async (_, times) => {
    expect(await signInWithTimes(times)).toEqual({ nextUrl: '/Profile', isSignedIn: true })
  })

  it.each([
    ['ahead', 'nbf', 90],
    ['behind', 'exp', -90],
  ])(
    'by 90 seconds %s is refused, and the log names the claim and the difference',
    async (_, claim, seconds) => {
      const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})

      const { nextUrl, isSignedIn } = await signInWithTimes({ [claim]: seconds })

      expect(isSignedIn).toBe(false)
      expect(nextUrl).toMatch(/^\/Login\?error=/)
      const [fields, message] = warn.mock.calls.find(
        ([, text]) => text === 'the ID token of a provider was refused',
      ) ?? [{}, undefined]
      expect(message).toBeDefined()
      expect(fields).toMatchObject({ provider: 'sso-acme', claim })
      const { secondsFromNow } = fields as { secondsFromNow: number }
      expect(Math.abs(secondsFromNow - seconds)).toBeLessThanOrEqual(5)
      warn.mockRestore()
    },
  )
})

describe('the only way', () => {
  const refused = 'use-organization'

  it('of a domain’s addresses closes every other one to them, and none to others', async () => {
    const person = newPerson()
    await signInSocially(browser(), 'google', person)
    await account('ada@other.example')
    const only = open(withOrganization('sso-acme', { isOnlySignInMethod: true }))

    expect(listOfferedProviders(only)).toMatchObject({ isSingleSignOnOnly: false })

    const client = browser(only)
    const asked = [
      ['/login', { email: person.email, password }],
      ['/login', { email: ` ${person.email.toUpperCase()}`, password }],
      ['/register', { email: newPerson().email, password, firstName: 'Ada', lastName: 'King' }],
      ['/forgot-password', { email: person.email }],
    ] as const

    for (const [path, body] of asked) {
      expect((await client.send('POST', path, body)).body.code, path).toBe(refused)
    }

    expect(await signInSocially(client, 'google', person)).toBe(`/Login?error=${refused}`)
    expect(await signInSocially(client, 'sso-uni', newPerson())).toBe(`/Login?error=${refused}`)
    expect(await client.readUser()).toBeNull()
    expect(
      (await client.send('POST', '/login', { email: 'ada@other.example', password })).status,
    ).toBe(200)
    expect(await signInSocially(browser(only), 'sso-acme', person)).toBe('/Profile')
  })

  it.each(['acme.example', 'bücher.example'])(
    'is not passed by a link from before to set a password, of %s',
    async (domain) => {
      const { email } = newPerson({ domain })
      await account(email)
      await browser().send('POST', '/forgot-password', { email })
      const token = await mailbox.readTokenSentTo(email)
      const only = open(withOrganization('sso-acme', { isOnlySignInMethod: true }))
      const body = { token, password: 'Another-1843' }

      expect((await browser(only).send('POST', '/new-password', body)).body.code).toBe(refused)
    },
  )

  it('of a school without domains leaves its button alone, and a setting brings the others back', async () => {
    const email = 'owner@school.example'
    await account(email)
    const only = open(withOrganization('sso-uni', { isOnlySignInMethod: true }))

    expect(listOfferedProviders(only)).toEqual({
      isSingleSignOnOnly: true,
      socialProviders: [{ id: 'sso-uni', name: 'University' }],
    })
    expect((await browser(only).send('POST', '/login', { email, password })).body.code).toBe(
      refused,
    )
    expect((await browser().send('POST', '/login', { email, password })).status).toBe(200)
  })
})

it('a single sign-on that everyone has to use is not passed by an identity without an email', () => {
  const providers = withOrganization('sso-uni', { isOnlySignInMethod: true })

  expect(checkProviderClaims(providers, 'google', {})).toBe('use-organization')
  expect(checkProviderClaims(providers, 'sso-uni', {})).toBeNull()
})

describe('a provider that can’t be asked', () => {
  it('keeps nobody else out, and is asked again', async () => {
    let isUp = false
    const front = createServer((request, response) => {
      if (!isUp) {
        return response.writeHead(503).end()
      }

      const issuer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`

      expect(request.url).toBe('/.well-known/openid-configuration')

      const endpoint = (name: string) => `${issuer}/${name}`
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          issuer,
          authorization_endpoint: endpoint('auth'),
          token_endpoint: endpoint('token'),
          userinfo_endpoint: endpoint('me'),
          jwks_uri: endpoint('jwks'),
          id_token_signing_alg_values_supported: ['ES256'],
        }),
      )
    })

    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
    const away = open(
      listProviderConfigurations(readEnvironment({ ...sso, ...issuers(issuer) }), false),
    )
    const client = browser(away)
    const asked = async () =>
      (await client.fetch('/account/social/sso-acme')).headers.get('location')

    expect(await asked()).toBe('/account/social-end?error=provider-away')

    await account('owner@acme.example')

    expect(
      (await client.send('POST', '/login', { email: 'owner@acme.example', password })).status,
    ).toBe(200)

    isUp = true

    expect(await asked()).toContain(`${issuer}/auth?`)

    front.close()
  })

  it('that calls itself otherwise isn’t the one of the settings', async () => {
    const elsewhere = 'https://elsewhere.example'
    const auths = withOrganization('sso-acme', { issuer: elsewhere })
    const client = browser(open(auths))
    const start = await client.fetch('/account/social/sso-acme')

    expect(start.headers.get('location')).toBe('/account/social-end?error=provider-away')
  })

  it('isn’t waited for', async () => {
    const [acme] = provider.providers
    const never = { $context: new Promise(() => {}) } as unknown as ReturnType<typeof createAuth>
    if (!acme) {
      throw new Error('It is the first one.')
    }

    expect(await new ProviderAuths(service.auth, () => never, 1).get(acme)).toBeNull()
  })
})

const issuers = (issuer: string) => ({ SSO_ACME_ISSUER: issuer, SSO_UNI_ISSUER: issuer })

it('an address counts as verified by the provider’s claim, or always where the settings say so', async () => {
  const verifiedBy = (variables: Record<string, string>, claim: unknown) => {
    const [one] = listProviderConfigurations(
      readEnvironment({ ...sso, ...issuers('https://id.example'), ...variables }),
      false,
    )
    return one?.config.mapProfileToUser?.({
      email: 'ada@acme.example',
      email_verified: claim,
    } as never)
  }
  const table = [
    [{}, true, true],
    [{}, 'true', true],
    [{}, undefined, false],
    [{}, false, false],
    [{ SSO_ACME_VERIFIES: 'always' }, undefined, true],
    [{ SSO_ACME_VERIFIES: 'always' }, false, false],
  ] as const

  for (const [variables, claim, emailVerified] of table) {
    expect(await verifiedBy(variables, claim)).toMatchObject({
      emailVerified,
      provider: 'sso-acme',
    })
  }
})
