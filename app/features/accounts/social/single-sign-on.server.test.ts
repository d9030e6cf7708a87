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

/** The organization `acme` accepts email addresses of two domains, and `uni` accepts any. */
const ssoSettings = {
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
  provider = await startSampleIdentityProvider({ sso: ssoSettings })
  service = createService(provider.providers)
  mailbox = new Mailbox(db, provider.publicUrl)
})
afterAll(() => provider.stop())

const createService = (providers: ProviderConfiguration[]) =>
  createAccountService({ db, publicUrl: provider.publicUrl, isLoopback: true, secret, providers })

/** Returns the configured providers, with other settings for one organization. */
const changeOrganization = (
  id: string,
  changes: Partial<NonNullable<ProviderConfiguration['organization']>>,
) =>
  provider.providers.map((configuration) =>
    configuration.id === id && configuration.organization
      ? { ...configuration, organization: { ...configuration.organization, ...changes } }
      : configuration,
  )

const createClient = (accounts = service) => new AccountClient(accounts, provider.publicUrl)

async function readLocation(client: AccountClient, path: string): Promise<string> {
  const { headers } = await client.fetch(path)
  return headers.get('location') ?? ''
}

let personCount = 0
function createPerson({ domain = 'acme.example', verified = true } = {}) {
  personCount += 1
  return { name: 'Ada King Lovelace', email: `ada-${personCount}@${domain}`, verified }
}

/**
 * Stores an account with a password, and returns its uid.
 *
 * @param emailVerified whether the email address of the account is confirmed
 */
async function createAccount(email: string, emailVerified = true) {
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

async function listProviderIds(uid: string): Promise<string[]> {
  const rows = await db.select().from(identities).where(eq(identities.userId, uid))
  return rows.map(({ providerId }) => providerId).toSorted()
}

describe('a sign-in by an organization', () => {
  it('creates an account that belongs to the provider’s subject, even if its email address changes', async () => {
    const person = createPerson()
    const client = createClient()

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

    const personWithNewEmail = { ...createPerson(), subject: 'subject-1' }
    const secondClient = createClient()

    expect(await signInSocially(secondClient, 'sso-acme', personWithNewEmail)).toBe('/Profile')
    expect((await secondClient.readUser())?.uid).toBe(user?.uid)

    const [event] = await listSecurityEvents(db, user?.uid ?? '')

    expect(event).toMatchObject({ kind: 'signed-in', signInMethod: 'sso-acme' })
  })

  it('opens the account with the same confirmed email address, which keeps its other sign-in methods', async () => {
    const person = createPerson()
    const uid = await createAccount(person.email)
    const client = createClient()

    expect(await signInSocially(client, 'sso-acme', person)).toBe('/Profile')
    expect((await client.readUser())?.uid).toBe(uid)
    expect(await listProviderIds(uid)).toEqual(['credential', 'sso-acme'])
  })

  it('removes the password of somebody who registered the email address without confirming it', async () => {
    const person = createPerson()
    const uid = await createAccount(person.email, false)

    expect(await signInSocially(createClient(), 'sso-acme', person)).toBe('/Profile')
    expect(await listProviderIds(uid)).toEqual(['sso-acme'])
  })

  it('is refused with an email address of another domain, even for an account that it has opened before', async () => {
    const person = { ...createPerson(), subject: 'leaves' }

    expect(await signInSocially(createClient(), 'sso-acme', person)).toBe('/Profile')

    const client = createClient()
    const logInfo = vi.spyOn(log, 'info')
    for (const email of [
      'ada@elsewhere.example',
      'ada@sub.acme.example',
      'acme.example@evil.example',
    ]) {
      expect(await signInSocially(client, 'sso-acme', { ...person, email })).toBe(
        '/Login?error=provider-domain',
      )
    }

    expect(logInfo).toHaveBeenCalledWith(
      { provider: 'sso-acme', code: 'provider-domain' },
      'a sign-in was refused',
    )
    logInfo.mockRestore()

    expect(await client.readUser()).toBeNull()
    expect(await findUserByEmail(db, 'ada@elsewhere.example')).toBeNull()
  })

  it('accepts an internationalized domain', async () => {
    expect(
      await signInSocially(createClient(), 'sso-acme', createPerson({ domain: 'bücher.example' })),
    ).toBe('/Profile')
  })

  it('with an unverified email address is refused if domains are limited, and never opens an existing account', async () => {
    const person = createPerson({ verified: false })

    expect(await signInSocially(createClient(), 'sso-acme', person)).toBe(
      '/Login?error=provider-unverified',
    )
    expect(await findUserByEmail(db, person.email)).toBeNull()

    await createAccount(person.email)

    expect(await signInSocially(createClient(), 'sso-uni', person)).toBe(
      '/Login?error=email-already-in-use',
    )
  })

  it('without an email address is refused', async () => {
    expect(await signInSocially(createClient(), 'sso-uni', { ...createPerson(), email: '' })).toBe(
      '/Login?error=provider-email-missing',
    )
  })

  it('by another subject with the same email address doesn’t open the account of the first subject', async () => {
    const person = createPerson()
    await signInSocially(createClient(), 'sso-acme', { ...person, subject: 'first' })
    const client = createClient()

    expect(await signInSocially(client, 'sso-acme', { ...person, subject: 'second' })).toBe(
      '/Login?error=provider-changed',
    )
    expect(await client.readUser()).toBeNull()
  })

  it('by the same subject of another provider opens another account', async () => {
    const acmeClient = createClient()
    const uniClient = createClient()
    const subject = 'same'
    await signInSocially(acmeClient, 'sso-acme', { ...createPerson(), subject })
    await signInSocially(uniClient, 'sso-uni', { ...createPerson(), subject })

    const acmeUser = await acmeClient.readUser()
    const uniUser = await uniClient.readUser()

    expect(acmeUser?.uid).toBeDefined()
    expect(uniUser?.uid).toBeDefined()
    expect(acmeUser?.uid).not.toBe(uniUser?.uid)
  })

  it('stores no tokens of the provider', async () => {
    const rows = await db.select().from(identities).where(eq(identities.providerId, 'sso-acme'))

    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.filter(
        ({ accessToken, refreshToken, idToken }) => accessToken || refreshToken || idToken,
      ),
    ).toEqual([])
  })

  it('verifies ID tokens by its own function, which tolerates clocks that differ', async () => {
    const organization = service.providers.find((configuration) => configuration.organization)
    if (!organization) {
      throw new Error('No organization is configured.')
    }

    const auth = await service.providerAuths.get(organization)
    const context = await auth?.$context
    const idTokens = context?.socialProviders.map(({ idToken }) => idToken)

    expect(idTokens).toEqual([{ verify: expect.any(Function) }])
  })

  it('starts with PKCE, a state and a nonce', async () => {
    const { searchParams } = new URL(await readLocation(createClient(), '/account/social/sso-acme'))

    expect(searchParams.get('code_challenge_method')).toBe('S256')

    for (const name of ['state', 'nonce']) {
      expect(searchParams.get(name)?.length).toBeGreaterThan(15)
    }
  })

  it('cannot be completed at the callback of another provider', async () => {
    const client = createClient()
    const providerUrl = new URL(await readLocation(client, '/account/social/sso-acme'))
    const state = providerUrl.searchParams.get('state') ?? ''
    const query = new URLSearchParams({ code: 'stolen', state })

    expect(await readLocation(client, `/account/callback/sso-uni?${query}`)).toContain('error=')
    expect(await client.readUser()).toBeNull()
  })
})

describe('an organization whose clock differs', () => {
  /** Signs in with an ID token whose times are so many seconds from now. Returns the next page. */
  async function signInWithTimes(times: { nbf?: number; exp?: number }) {
    const providerWithOtherClock = await startSampleIdentityProvider({
      sso: ssoSettings,
      changeClaims: (claims) => {
        const now = Math.floor(Date.now() / 1000)
        const shiftedTimes = Object.entries(times).map(([claim, seconds]) => [claim, now + seconds])
        return { ...claims, ...Object.fromEntries(shiftedTimes) }
      },
    })
    const { publicUrl, providers } = providerWithOtherClock
    const serviceWithOtherClock = createAccountService({
      db,
      publicUrl,
      isLoopback: true,
      secret,
      providers,
    })
    const client = new AccountClient(serviceWithOtherClock, publicUrl)

    const nextUrl = await signInSocially(client, 'sso-acme', createPerson())
    const user = await client.readUser()
    providerWithOtherClock.stop()
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

describe('an organization that is the only sign-in method', () => {
  const refusalCode = 'use-organization'
  const createServiceWithOnlyMethod = (id: string) =>
    createService(changeOrganization(id, { isOnlySignInMethod: true }))

  it('for its domains closes every other method to their email addresses, but not to others', async () => {
    const person = createPerson()
    await signInSocially(createClient(), 'google', person)
    await createAccount('ada@other.example')
    const restrictedService = createServiceWithOnlyMethod('sso-acme')
    expect(listOfferedProviders(restrictedService)).toMatchObject({ isSingleSignOnOnly: false })

    const client = createClient(restrictedService)
    const refusedRequests = [
      ['/login', { email: person.email, password }],
      ['/login', { email: ` ${person.email.toUpperCase()}`, password }],
      ['/register', { email: createPerson().email, password, firstName: 'Ada', lastName: 'King' }],
      ['/forgot-password', { email: person.email }],
    ] as const

    for (const [path, body] of refusedRequests) {
      expect((await client.send('POST', path, body)).body.code, path).toBe(refusalCode)
    }

    const loginWithError = `/Login?error=${refusalCode}`
    expect(await signInSocially(client, 'google', person)).toBe(loginWithError)
    expect(await signInSocially(client, 'sso-uni', createPerson())).toBe(loginWithError)
    expect(await client.readUser()).toBeNull()

    const loginOfOther = await client.send('POST', '/login', {
      email: 'ada@other.example',
      password,
    })
    expect(loginOfOther.status).toBe(200)

    const secondClient = createClient(restrictedService)
    expect(await signInSocially(secondClient, 'sso-acme', person)).toBe('/Profile')
  })

  it.each(['acme.example', 'bücher.example'])(
    'cannot be bypassed by an earlier link that sets a password, for %s',
    async (domain) => {
      const { email } = createPerson({ domain })
      await createAccount(email)
      await createClient().send('POST', '/forgot-password', { email })
      const token = await mailbox.readTokenSentTo(email)

      const client = createClient(createServiceWithOnlyMethod('sso-acme'))
      const { body } = await client.send('POST', '/new-password', {
        token,
        password: 'Another-1843',
      })

      expect(body.code).toBe(refusalCode)
    },
  )

  it('without domains leaves only its own button, until a setting allows the other methods again', async () => {
    const email = 'owner@school.example'
    await createAccount(email)
    const restrictedService = createServiceWithOnlyMethod('sso-uni')
    expect(listOfferedProviders(restrictedService)).toEqual({
      isSingleSignOnOnly: true,
      socialProviders: [{ id: 'sso-uni', name: 'University' }],
    })

    const login = { email, password }
    const refusal = await createClient(restrictedService).send('POST', '/login', login)
    expect(refusal.body.code).toBe(refusalCode)

    const { status } = await createClient(service).send('POST', '/login', login)
    expect(status).toBe(200)
  })
})

it('a single sign-on that everyone has to use cannot be bypassed by an identity without an email', () => {
  const providers = changeOrganization('sso-uni', { isOnlySignInMethod: true })

  expect(checkProviderClaims(providers, 'google', {})).toBe('use-organization')
  expect(checkProviderClaims(providers, 'sso-uni', {})).toBeNull()
})

const issuerSettings = (issuer: string) => ({ SSO_ACME_ISSUER: issuer, SSO_UNI_ISSUER: issuer })

describe('a provider that can’t be reached', () => {
  const unreachableUrl = '/account/social-end?error=provider-away'

  it('does not affect other sign-in methods, and is contacted again at the next sign-in', async () => {
    let isUp = false
    let issuer = ''
    const providerServer = createServer((request, response) => {
      if (!isUp) {
        return response.writeHead(503).end()
      }

      expect(request.url).toBe('/.well-known/openid-configuration')

      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/me`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['ES256'],
        }),
      )
    })
    await new Promise<void>((resolve) => providerServer.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(providerServer.address() as AddressInfo).port}`

    const settings = readEnvironment({ ...ssoSettings, ...issuerSettings(issuer) })
    const client = createClient(createService(listProviderConfigurations(settings, false)))
    expect(await readLocation(client, '/account/social/sso-acme')).toBe(unreachableUrl)

    const email = 'owner@acme.example'
    await createAccount(email)
    expect((await client.send('POST', '/login', { email, password })).status).toBe(200)

    isUp = true
    expect(await readLocation(client, '/account/social/sso-acme')).toContain(`${issuer}/auth?`)

    providerServer.close()
  })

  it('includes a provider whose issuer differs from the settings', async () => {
    const providers = changeOrganization('sso-acme', { issuer: 'https://elsewhere.example' })
    const client = createClient(createService(providers))

    expect(await readLocation(client, '/account/social/sso-acme')).toBe(unreachableUrl)
  })

  it('is given up after a timeout', async () => {
    const [acme] = provider.providers
    if (!acme) {
      throw new Error('No provider is configured.')
    }

    const pendingAuth = { $context: new Promise(() => {}) } as unknown as ReturnType<
      typeof createAuth
    >
    const timeoutMs = 1
    const auths = new ProviderAuths(service.auth, () => pendingAuth, timeoutMs)

    expect(await auths.get(acme)).toBeNull()
  })
})

it.each([
  [{}, true, true],
  [{}, 'true', true],
  [{}, undefined, false],
  [{}, false, false],
  [{ SSO_ACME_VERIFIES: 'always' }, undefined, true],
  [{ SSO_ACME_VERIFIES: 'always' }, false, false],
])(
  'with the settings %o and the claim %o, email_verified is %s',
  async (variables, claim, emailVerified) => {
    const settings = readEnvironment({
      ...ssoSettings,
      ...issuerSettings('https://id.example'),
      ...(variables as Record<string, string>),
    })
    const [acme] = listProviderConfigurations(settings, false)
    const claims = { email: 'ada@acme.example', email_verified: claim }

    const user = await acme?.config.mapProfileToUser?.(claims as never)

    expect(user).toMatchObject({ emailVerified, provider: 'sso-acme' })
  },
)
