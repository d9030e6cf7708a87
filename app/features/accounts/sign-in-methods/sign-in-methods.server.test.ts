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

const acme = {
  SSO_ACME_CLIENT_ID: 'acme',
  SSO_ACME_CLIENT_SECRET: 'acme-secret',
  SSO_ACME_DOMAINS: 'acme.example',
}
let db: Database
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let service: AccountService
let people = 0

beforeAll(async () => {
  db = (await createTestDatabase()).db
  provider = await startSampleIdentityProvider({ sso: { SSO_ACME_NAME: 'Acme', ...acme } })
  const { publicUrl, providers } = provider
  const secret = 'a secret that is only used by tests, 0123456789'
  service = createAccountService({ db, publicUrl, isLoopback: true, secret, providers })
})
afterAll(() => provider.stop())

/** Signed in by Google, with a password that is proven or not. */
async function learner({ password = 'none' }: { password?: 'proven' | 'unproven' | 'none' } = {}) {
  people += 1
  const person = { name: 'Ada Lovelace', email: `ada-${people}@test.example`, verified: true }
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

async function answer(client: AccountClient, entered: Record<string, string>) {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = new Request(provider.publicUrl, { method: 'POST', headers: { cookie } })
  const form = new FormData()
  for (const [name, value] of Object.entries(entered)) {
    form.set(name, value)
  }

  return handleSignInMethodForm(service, request, form)
}

const readMethods = async (uid: string) =>
  readSignInMethods(service, await getUser(db, uid).then(({ email }) => ({ uid, email })))

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

it('the last way to sign in stays, whichever it is', async () => {
  const { client, uid } = await learner()
  const google = { intent: 'remove', way: 'google' }

  expect(await answer(client, google)).toMatchObject(refused)

  await addPasskey(uid, `p-${uid}`)

  expect(await answer(client, google)).toMatchObject(removed)
  expect(await answer(client, { intent: 'remove-passkey', id: `p-${uid}` })).toMatchObject(refused)

  await recordPassword(db, uid, 'hash')

  expect(await answer(client, { intent: 'remove-passkey', id: `p-${uid}` })).toMatchObject(removed)
  expect(await answer(client, { intent: 'remove', way: 'credential' })).toMatchObject(refused)
})

it('removing one that another tab has removed is a success', async () => {
  const { client } = await learner({ password: 'proven' })
  const google = { intent: 'remove', way: 'google' }

  expect(await answer(client, google)).toMatchObject(removed)
  expect(await answer(client, google)).toMatchObject(removed)
})

it('a provider that the product has no keys for isn’t one', async () => {
  const { client, uid } = await learner({ password: 'proven' })
  const only = { ...service, providers: [] }
  service = only

  expect(await answer(client, { intent: 'remove', way: 'credential' })).toMatchObject(refused)

  service = { ...only, providers: provider.providers }

  expect((await readMethods(uid)).hasPassword).toBe(true)
})

it('two that are removed at once leave one', async () => {
  const { client, uid } = await learner({ password: 'proven' })
  await Promise.all(
    ['google', 'credential'].map((way) => answer(client, { intent: 'remove', way })),
  )

  expect(await db.$count(identities, eq(identities.userId, uid))).toBe(1)
})

it('a removal is told by mail and in the log, and ends the other sessions if that is wanted', async () => {
  const { client, person, uid } = await learner({ password: 'proven' })
  const other = new AccountClient(service, provider.publicUrl)
  await signInSocially(other, 'google', person)
  await answer(client, { intent: 'remove', way: 'google', endOthers: 'on' })

  expect([await client.readUser(), await other.readUser()]).toEqual([expect.anything(), null])

  const mails = (await db.select().from(outbox).where(eq(outbox.uid, uid))).map(
    ({ topic }) => topic,
  )

  expect(mails).toContain('way-removed')

  const events = await listSecurityEvents(db, uid)

  expect(events.find(({ kind }) => kind === 'sign-in-method-removed')).toMatchObject({
    signInMethod: 'google',
  })
})

it('another account’s passkey is neither renamed nor removed', async () => {
  const { uid } = await learner()
  await addPasskey(uid, `p-${uid}`)
  const { client } = await learner({ password: 'proven' })
  await answer(client, { intent: 'rename-passkey', id: `p-${uid}`, name: 'Mine' })

  expect(await answer(client, { intent: 'remove-passkey', id: `p-${uid}` })).toMatchObject({
    data: { done: false },
  })
  expect((await readMethods(uid)).passkeys).toMatchObject([{ name: 'Phone' }])
})

it('a passkey gets the name that its learner gives it', async () => {
  const { client, uid } = await learner()
  await addPasskey(uid, `p-${uid}`)
  await answer(client, { intent: 'rename-passkey', id: `p-${uid}`, name: ' My key ' })

  expect(
    await answer(client, { intent: 'rename-passkey', id: `p-${uid}`, name: ' ' }),
  ).toMatchObject({
    data: { done: false },
  })

  expect((await readMethods(uid)).passkeys).toMatchObject([{ name: 'My key' }])
})

/** Goes to the provider from the page. @returns its address there. */
async function leaveFor(client: AccountClient, way: string): Promise<string> {
  const away = (await answer(client, { intent: 'add', way })) as Response
  for (const cookie of away.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    client.cookies.set(name, value)
  }

  return away.headers.get('location') ?? ''
}

/** Goes to the provider from the page, and back. */
async function add(
  client: AccountClient,
  way: string,
  person: { email: string; verified?: boolean },
) {
  return signInSocially(
    client,
    way,
    { name: 'Ada', verified: true, ...person },
    await leaveFor(client, way),
  )
}

it('a provider is added to the account that asks for it, with any address, and takes nothing away', async () => {
  const { client, person, uid } = await learner({ password: 'unproven' })

  expect(await add(client, 'facebook', { email: `other-${people}@test.example` })).toBe(
    '/Profile/sign-in',
  )
  expect(await readMethods(uid)).toMatchObject({
    hasPassword: true,
    providers: [
      { name: 'Acme', isAdded: false },
      { name: 'Google', isAdded: true },
      { name: 'Facebook', isAdded: true },
    ],
  })

  expect((await client.readUser())?.uid).toBe(uid)

  await answer(client, { intent: 'remove', way: 'facebook' })

  expect(await add(client, 'facebook', person)).toBe('/Profile/sign-in')
  expect((await readMethods(uid)).hasPassword).toBe(true)
  expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
})

it('a flow that adds a provider and ends at another one is refused, and adds neither', async () => {
  const { client, uid } = await learner()
  const startUrl = new URL(await leaveFor(client, 'google'))
  const stranger = new AccountClient(service, provider.publicUrl)
  const strangersStart = await stranger.fetch('/account/social/facebook')
  // Google, as the malicious provider, leads the browser to Facebook with the state of its own flow.
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

it('a provider is not added any more once the session that asked for it has ended', async () => {
  const { client, uid } = await learner()
  const address = await leaveFor(client, 'facebook')
  await db.delete(sessions).where(eq(sessions.userId, uid))
  const thief = { name: 'Eve', verified: true, email: `thief-of-${uid}@test.example` }

  expect(await signInSocially(client, 'facebook', thief, address)).toMatch(
    /^\/Profile\/sign-in\?error=confirm-first/,
  )
  expect((await readMethods(uid)).providers.filter(({ isAdded }) => isAdded)).toMatchObject([
    { name: 'Google' },
  ])
})

it('a provider that is added twice is one way, and nothing of its tokens is stored', async () => {
  const { client, person, uid } = await learner()

  expect(await add(client, 'google', person)).toBe('/Profile/sign-in')

  const rows = await db.select().from(identities).where(eq(identities.userId, uid))

  expect(rows).toMatchObject([
    { providerId: 'google', accessToken: null, refreshToken: null, idToken: null },
  ])
})

it('an identity of another account is not added', async () => {
  const { person } = await learner()
  const { client, uid } = await learner({ password: 'proven' })
  await answer(client, { intent: 'remove', way: 'google' })

  expect(await add(client, 'google', person)).toMatch(
    /^\/Profile\/sign-in\?error=account_already_linked/,
  )
  expect(await db.$count(identities, eq(identities.userId, uid))).toBe(1)
  expect(await db.$count(users, eq(users.id, uid))).toBe(1)
})

it('single sign-on is added and removed like any other way, for addresses of its domains', async () => {
  const { client, uid } = await learner()

  expect(await add(client, 'sso-acme', { email: 'ada@elsewhere.example' })).toMatch(
    /error=provider-domain/,
  )
  expect(await add(client, 'sso-acme', { email: `ada-${people}@acme.example` })).toBe(
    '/Profile/sign-in',
  )
  expect((await readMethods(uid)).providers[0]).toEqual({
    id: 'sso-acme',
    name: 'Acme',
    isAdded: true,
  })
  expect(await answer(client, { intent: 'remove', way: 'google' })).toMatchObject(removed)
  expect(await answer(client, { intent: 'remove', way: 'sso-acme' })).toMatchObject(refused)
})

it('the only way of an address is its last one, whatever else is there', async () => {
  const { client, uid } = await learner({ password: 'proven' })
  const sso = provider.providers.map((one) =>
    one.organization
      ? {
          ...one,
          organization: {
            ...one.organization,
            domains: ['test.example'],
            isOnlySignInMethod: true,
          },
        }
      : one,
  )

  await db
    .insert(identities)
    .values({ id: `acme-${uid}`, userId: uid, providerId: 'sso-acme', accountId: uid })
  service = { ...service, providers: sso }

  expect((await readMethods(uid)).requiredProviders).toEqual(['Acme'])
  expect(await answer(client, { intent: 'remove', way: 'sso-acme' })).toMatchObject(refused)
  expect(await answer(client, { intent: 'remove', way: 'google' })).toMatchObject(removed)

  service = { ...service, providers: provider.providers }

  expect((await readMethods(uid)).requiredProviders).toEqual([])
})

it('a stranger who registered keeps no provider that they added after the owner confirmed the email', async () => {
  people += 1
  const owner = { name: 'Ada Owner', email: `ada-${people}@test.example`, verified: true }
  const stranger = { name: 'Eve Early', email: `eve-${people}@test.example`, verified: true }
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
  await add(strangersClient, 'google', stranger)
  await answer(strangersClient, { intent: 'remove', way: 'credential' })

  const ownersClient = new AccountClient(service, provider.publicUrl)
  await signInSocially(ownersClient, 'facebook', owner)

  expect((await ownersClient.readUser())?.uid).toBe(uid)
  expect(await strangersClient.readUser()).toBeNull()
  expect(await db.$count(passkeys, eq(passkeys.userId, uid))).toBe(0)

  await signInSocially(strangersClient, 'google', stranger)

  expect((await strangersClient.readUser())?.uid).not.toBe(uid)
})

it('an owner who has proven the email keeps the passkeys and providers that they add', async () => {
  const { client, person, uid } = await learner()
  await addPasskey(uid, `p-${uid}`)
  await add(client, 'facebook', { email: `other-${people}@test.example` })
  await answer(client, { intent: 'remove', way: 'google' })
  await signInSocially(new AccountClient(service, provider.publicUrl), 'google', person)

  expect((await client.readUser())?.uid).toBe(uid)
  expect(await db.$count(passkeys, eq(passkeys.userId, uid))).toBe(1)
  expect(await db.$count(identities, eq(identities.userId, uid))).toBe(2)
})
