import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { identities, outbox, passkeys, sessions, users } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { AccountClient } from '../../../../tests/support/account-client'
import {
  signInSocially,
  startSampleIdentityProvider,
} from '../../../../tests/support/sample-identity-provider'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findUserByEmail, getUser } from '../account-queries.server'
import { type AccountService, createAccountService } from '../account-service.server'
import { recordEmailVerified } from '../email-address/owner-proof.server'
import { recordPassword } from '../password/password-queries.server'
import { listSecurityEvents } from '../security/security-log.server'
import { handleSignInMethodForm, readSignInMethods } from './sign-in-methods.server'

const ssoSettings = {
  SSO_ACME_NAME: 'Acme',
  SSO_ACME_CLIENT_ID: 'acme',
  SSO_ACME_CLIENT_SECRET: 'acme-secret',
  SSO_ACME_DOMAINS: 'acme.example',
}
let db: Database
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let service: AccountService
let learnerCount = 0

beforeAll(async () => {
  db = (await createTestDatabase()).db
  provider = await startSampleIdentityProvider({ sso: ssoSettings })
  const { publicUrl, providers } = provider
  const secret = 'a secret that is only used by tests, 0123456789'
  service = createAccountService({ db, publicUrl, isLoopback: true, secret, providers })
})
afterAll(() => provider.stop())

/**
 * Creates a learner who is signed in by Google. A proven password was set by the owner of the email
 * address.
 */
async function createLearner({
  password = 'none',
}: {
  password?: 'proven' | 'unproven' | 'none'
} = {}) {
  learnerCount += 1
  const person = { name: 'Ada Lovelace', email: `ada-${learnerCount}@test.example`, verified: true }
  const client = new AccountClient(service, provider.publicUrl)
  await signInSocially(client, 'google', person)
  const uid = (await client.readUser())?.uid ?? ''
  if (password !== 'none') {
    await recordPassword(db, uid, 'hash')
  }

  if (password === 'unproven') {
    await db.update(identities).set({ proven: false }).where(eq(identities.password, 'hash'))
  }

  return { person, client, uid }
}

/** Submits a form of the page with the sign-in methods. */
async function submitForm(client: AccountClient, fields: Record<string, string>) {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = new Request(provider.publicUrl, { method: 'POST', headers: { cookie } })
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value)
  }

  return handleSignInMethodForm(service, request, form)
}

async function readMethods(uid: string) {
  const { email } = await getUser(db, uid)
  return readSignInMethods(service, { uid, email })
}

const addPasskey = (uid: string, id: string) =>
  db.insert(passkeys).values({
    id,
    userId: uid,
    name: 'Phone',
    publicKey: 'key',
    credentialID: `credential-${id}`,
    counter: 0,
    deviceType: 'multiDevice',
    backedUp: true,
  })

const removed = { data: { done: true } }
const refused = { data: { done: false, errors: { form: expect.stringContaining('only way') } } }

it('the last sign-in method can’t be removed, whichever it is', async () => {
  const { client, uid } = await createLearner()
  const passkeyId = `p-${uid}`
  const removeGoogle = { intent: 'remove', way: 'google' }
  const removePasskey = { intent: 'remove-passkey', id: passkeyId }
  const removePassword = { intent: 'remove', way: 'credential' }
  expect(await submitForm(client, removeGoogle)).toMatchObject(refused)

  await addPasskey(uid, passkeyId)
  expect(await submitForm(client, removeGoogle)).toMatchObject(removed)
  expect(await submitForm(client, removePasskey)).toMatchObject(refused)

  await recordPassword(db, uid, 'hash')
  expect(await submitForm(client, removePasskey)).toMatchObject(removed)
  expect(await submitForm(client, removePassword)).toMatchObject(refused)
})

it('a sign-in method that another tab has removed can be removed again without an error', async () => {
  const { client } = await createLearner({ password: 'proven' })
  const removeGoogle = { intent: 'remove', way: 'google' }

  expect(await submitForm(client, removeGoogle)).toMatchObject(removed)
  expect(await submitForm(client, removeGoogle)).toMatchObject(removed)
})

it('a provider that is not configured any more does not count as a sign-in method', async () => {
  const { client, uid } = await createLearner({ password: 'proven' })
  service = { ...service, providers: [] }
  expect(await submitForm(client, { intent: 'remove', way: 'credential' })).toMatchObject(refused)

  service = { ...service, providers: provider.providers }
  expect((await readMethods(uid)).hasPassword).toBe(true)
})

it('of two sign-in methods that are removed at the same time, one remains', async () => {
  const { client, uid } = await createLearner({ password: 'proven' })
  await Promise.all(
    ['google', 'credential'].map((way) => submitForm(client, { intent: 'remove', way })),
  )

  expect(await db.$count(identities, eq(identities.userId, uid))).toBe(1)
})

it('a removal is emailed and recorded, and ends the other sessions on request', async () => {
  const { client, person, uid } = await createLearner({ password: 'proven' })
  const otherClient = new AccountClient(service, provider.publicUrl)
  await signInSocially(otherClient, 'google', person)
  await submitForm(client, { intent: 'remove', way: 'google', endOthers: 'on' })
  expect(await client.readUser()).not.toBeNull()
  expect(await otherClient.readUser()).toBeNull()

  const emails = await db.select().from(outbox).where(eq(outbox.uid, uid))
  expect(emails.map(({ topic }) => topic)).toContain('way-removed')

  const events = await listSecurityEvents(db, uid)
  expect(events.find(({ kind }) => kind === 'sign-in-method-removed')).toMatchObject({
    signInMethod: 'google',
  })
})

it('another account’s passkey can be neither renamed nor removed', async () => {
  const { uid } = await createLearner()
  await addPasskey(uid, `p-${uid}`)
  const { client } = await createLearner({ password: 'proven' })
  await submitForm(client, { intent: 'rename-passkey', id: `p-${uid}`, name: 'Mine' })

  expect(await submitForm(client, { intent: 'remove-passkey', id: `p-${uid}` })).toMatchObject({
    data: { done: false },
  })
  expect((await readMethods(uid)).passkeys).toMatchObject([{ name: 'Phone' }])
})

it('a passkey gets the name that its learner gives it', async () => {
  const { client, uid } = await createLearner()
  await addPasskey(uid, `p-${uid}`)
  await submitForm(client, { intent: 'rename-passkey', id: `p-${uid}`, name: ' My key ' })

  expect(
    await submitForm(client, { intent: 'rename-passkey', id: `p-${uid}`, name: ' ' }),
  ).toMatchObject({
    data: { done: false },
  })

  expect((await readMethods(uid)).passkeys).toMatchObject([{ name: 'My key' }])
})

/** Starts to add a provider, and returns the URL at the provider. */
async function startAdding(client: AccountClient, providerId: string): Promise<string> {
  const redirect = (await submitForm(client, { intent: 'add', way: providerId })) as Response
  for (const cookie of redirect.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    client.cookies.set(name, value)
  }

  return redirect.headers.get('location') ?? ''
}

/** Adds a provider, and returns the path to which the school redirects afterwards. */
async function addProvider(
  client: AccountClient,
  providerId: string,
  claims: { email: string; verified?: boolean },
) {
  const person = { name: 'Ada', verified: true, ...claims }
  const providerUrl = await startAdding(client, providerId)
  return signInSocially(client, providerId, person, providerUrl)
}

it('a provider can be added with any email address, and does not replace other sign-in methods', async () => {
  const { client, person, uid } = await createLearner({ password: 'unproven' })

  expect(
    await addProvider(client, 'facebook', { email: `other-${learnerCount}@test.example` }),
  ).toBe('/Profile/sign-in')
  expect(await readMethods(uid)).toMatchObject({
    hasPassword: true,
    providers: [
      { name: 'Acme', isAdded: false },
      { name: 'Google', isAdded: true },
      { name: 'Facebook', isAdded: true },
    ],
  })

  expect((await client.readUser())?.uid).toBe(uid)

  await submitForm(client, { intent: 'remove', way: 'facebook' })

  expect(await addProvider(client, 'facebook', person)).toBe('/Profile/sign-in')
  expect((await readMethods(uid)).hasPassword).toBe(true)
  expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
})

it('a flow that adds a provider and ends at another one is refused, and adds neither', async () => {
  const { client, uid } = await createLearner()
  const startUrl = new URL(await startAdding(client, 'google'))
  const stranger = new AccountClient(service, provider.publicUrl)
  const strangersStart = await stranger.fetch('/account/social/facebook')
  // Google, as the malicious provider, leads the browser to Facebook with the state of its own
  // flow.
  const mixedUpUrl = new URL(strangersStart.headers.get('location') ?? '')
  for (const name of ['state', 'code_challenge', 'code_challenge_method', 'nonce']) {
    const value = startUrl.searchParams.get(name)
    if (value !== null) {
      mixedUpUrl.searchParams.set(name, value)
    }
  }
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})

  const attacker = { name: 'Eve', verified: true, email: `attacker-of-${uid}@test.example` }
  const end = await signInSocially(client, 'facebook', attacker, mixedUpUrl.href)

  expect(end).toMatch(/^\/Profile\/sign-in\?error=other-provider/)
  expect(warn.mock.calls).toEqual([
    [{ provider: 'facebook' }, 'a sign-in ended at another provider than it began with'],
  ])
  expect((await readMethods(uid)).providers.filter(({ isAdded }) => isAdded)).toMatchObject([
    { name: 'Google' },
  ])
  expect(await db.$count(users, eq(users.email, attacker.email))).toBe(0)
  expect((await client.readUser())?.uid).toBe(uid)
  warn.mockRestore()
})

it('a provider is not added if the session that started it has ended', async () => {
  const { client, uid } = await createLearner()
  const providerUrl = await startAdding(client, 'facebook')
  await db.delete(sessions).where(eq(sessions.userId, uid))
  const thief = { name: 'Eve', verified: true, email: `thief-of-${uid}@test.example` }

  expect(await signInSocially(client, 'facebook', thief, providerUrl)).toMatch(
    /^\/Profile\/sign-in\?error=confirm-first/,
  )
  expect((await readMethods(uid)).providers.filter(({ isAdded }) => isAdded)).toMatchObject([
    { name: 'Google' },
  ])
})

it('a provider that is added twice is stored once, without its tokens', async () => {
  const { client, person, uid } = await createLearner()

  expect(await addProvider(client, 'google', person)).toBe('/Profile/sign-in')

  const rows = await db.select().from(identities).where(eq(identities.userId, uid))

  expect(rows).toMatchObject([
    { providerId: 'google', accessToken: null, refreshToken: null, idToken: null },
  ])
})

it('an identity of another account is not added', async () => {
  const { person } = await createLearner()
  const { client, uid } = await createLearner({ password: 'proven' })
  await submitForm(client, { intent: 'remove', way: 'google' })

  expect(await addProvider(client, 'google', person)).toMatch(
    /^\/Profile\/sign-in\?error=account_already_linked/,
  )
  expect(await db.$count(identities, eq(identities.userId, uid))).toBe(1)
  expect(await db.$count(users, eq(users.id, uid))).toBe(1)
})

it('single sign-on is added and removed like other methods, for email addresses of its domains', async () => {
  const { client, uid } = await createLearner()

  expect(await addProvider(client, 'sso-acme', { email: 'ada@elsewhere.example' })).toMatch(
    /error=provider-domain/,
  )
  expect(await addProvider(client, 'sso-acme', { email: `ada-${learnerCount}@acme.example` })).toBe(
    '/Profile/sign-in',
  )
  expect((await readMethods(uid)).providers[0]).toEqual({
    id: 'sso-acme',
    name: 'Acme',
    isAdded: true,
  })
  expect(await submitForm(client, { intent: 'remove', way: 'google' })).toMatchObject(removed)
  expect(await submitForm(client, { intent: 'remove', way: 'sso-acme' })).toMatchObject(refused)
})

it('an organization that is the only method for an email address can’t be removed, whatever else there is', async () => {
  const { client, uid } = await createLearner({ password: 'proven' })
  const providersWithOnlyMethod = provider.providers.map((configuration) => {
    if (!configuration.organization) {
      return configuration
    }

    const organization = {
      ...configuration.organization,
      domains: ['test.example'],
      isOnlySignInMethod: true,
    }
    return { ...configuration, organization }
  })

  await db
    .insert(identities)
    .values({ id: `acme-${uid}`, userId: uid, providerId: 'sso-acme', accountId: uid })
  service = { ...service, providers: providersWithOnlyMethod }

  expect((await readMethods(uid)).requiredProviders).toEqual(['Acme'])
  expect(await submitForm(client, { intent: 'remove', way: 'sso-acme' })).toMatchObject(refused)
  expect(await submitForm(client, { intent: 'remove', way: 'google' })).toMatchObject(removed)

  service = { ...service, providers: provider.providers }

  expect((await readMethods(uid)).requiredProviders).toEqual([])
})

it('a stranger who registered keeps no provider that they added after the owner confirmed the email', async () => {
  learnerCount += 1
  const owner = { name: 'Ada Owner', email: `ada-${learnerCount}@test.example`, verified: true }
  const stranger = { name: 'Eve Early', email: `eve-${learnerCount}@test.example`, verified: true }
  const strangersClient = new AccountClient(service, provider.publicUrl)
  await strangersClient.send('POST', '/register', {
    email: owner.email,
    password: 'secret12',
    firstName: 'Eve',
    lastName: 'Early',
  })
  const uid = (await findUserByEmail(db, owner.email))?.id ?? ''
  await recordEmailVerified(db, uid)
  await addPasskey(uid, `p-${uid}`)
  await addProvider(strangersClient, 'google', stranger)
  await submitForm(strangersClient, { intent: 'remove', way: 'credential' })

  const ownersClient = new AccountClient(service, provider.publicUrl)
  await signInSocially(ownersClient, 'facebook', owner)

  expect((await ownersClient.readUser())?.uid).toBe(uid)
  expect(await strangersClient.readUser()).toBeNull()
  expect(await db.$count(passkeys, eq(passkeys.userId, uid))).toBe(0)

  await signInSocially(strangersClient, 'google', stranger)

  expect((await strangersClient.readUser())?.uid).not.toBe(uid)
})

it('an owner who has proven the email keeps the passkeys and providers that they add', async () => {
  const { client, person, uid } = await createLearner()
  await addPasskey(uid, `p-${uid}`)
  await addProvider(client, 'facebook', { email: `other-${learnerCount}@test.example` })
  await submitForm(client, { intent: 'remove', way: 'google' })
  await signInSocially(new AccountClient(service, provider.publicUrl), 'google', person)

  expect((await client.readUser())?.uid).toBe(uid)
  expect(await db.$count(passkeys, eq(passkeys.userId, uid))).toBe(1)
  expect(await db.$count(identities, eq(identities.userId, uid))).toBe(2)
})
