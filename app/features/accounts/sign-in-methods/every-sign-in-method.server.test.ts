import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { sessions, twoFactor, users } from '~/server/database/schema/index'
import { AccountClient } from '../../../../tests/support/account-client'
import { type Authenticator, setUpTwoStep } from '../../../../tests/support/authenticator'
import { Mailbox } from '../../../../tests/support/mailbox'
import {
  signInSocially,
  startSampleIdentityProvider,
} from '../../../../tests/support/sample-identity-provider'
import { SoftwarePasskey } from '../../../../tests/support/software-passkey'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { turnOffTwoFactorByOperator } from '../account-administration.server'
import { type AccountService, createAccountService } from '../account-service.server'
import { recordPassword } from '../password/password-queries.server'
import { hashPassword } from '../password/passwords.server'
import { secondStepRequired } from '../session/auth-hooks.server'
import { removeAuthenticatorApp } from '../two-factor/authenticator-app.server'

const periodMs = 30_000
let db: Database
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let service: AccountService
let mailbox: Mailbox
let now = Date.now()
let people = 0

/** What an account has whose app is in use; all of them have the same app. */
let inUse: Omit<typeof twoFactor.$inferSelect, 'uid'>
let app: Authenticator
let hash: string | null

beforeAll(async () => {
  db = (await createTestDatabase()).db
  const client = { CLIENT_ID: 'acme', CLIENT_SECRET: 'acme-secret', DOMAINS: 'test.example' }
  const settings = Object.entries({ NAME: 'Acme', ...client }).map(([part, value]) => [
    `SSO_ACME_${part}`,
    value,
  ])
  provider = await startSampleIdentityProvider({ sso: Object.fromEntries(settings) })
  const { publicUrl, providers } = provider
  const secret = 'a secret that is only used by tests, 0123456789'
  service = createAccountService({
    db,
    publicUrl,
    isLoopback: true,
    secret,
    providers,
    now: () => now,
  })

  mailbox = new Mailbox(db, publicUrl)
  hash = await hashPassword(password)
  const { person, uid } = await account()
  const first = browser()
  await first.send('POST', '/login', { email: person.email, password })
  const cookie = [...first.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  ;({ app } = await setUpTwoStep(service, cookie, { uid, email: person.email }))
  const { uid: _, ...rest } = (
    await db.select().from(twoFactor)
  )[0] as typeof twoFactor.$inferSelect
  inUse = rest
  // The code of the set-up doesn't work again.
  now += periodMs
})
afterAll(() => provider.stop())

const browser = () => new AccountClient(service, provider.publicUrl)
const password = 'Analytical-1843'

type Person = { name: string; email: string; verified: boolean }

/** An account with a password whose address is confirmed. */
async function account() {
  people += 1
  const uid = `ada-${people}`
  const person: Person = { name: 'Ada Lovelace', email: `${uid}@test.example`, verified: true }
  const names = { name: person.name, firstName: 'Ada', lastName: 'Lovelace' }
  await db.insert(users).values({ id: uid, email: person.email, emailVerified: true, ...names })
  await recordPassword(db, uid, hash ?? '')

  return { person, uid }
}

async function setPassword(client: AccountClient, { email }: Person) {
  await client.send('POST', '/forgot-password', { email })
  const token = await mailbox.readTokenSentTo(email)

  expect((await client.send('POST', '/new-password', { token, password })).status).toBe(200)
}

type Way = (client: AccountClient, person: Person) => Promise<unknown>

/** `whole`: the way is both steps by itself. */
type WayIn = { signsIn: boolean; whole?: true; before?: Way; go: Way }

const login: Way = (client, { email }) => client.send('POST', '/login', { email, password })
const byGoogle: Way = (client, person) => signInSocially(client, 'google', person)
const bySingleSignOn: Way = (client, person) => signInSocially(client, 'sso-acme', person)
const byFacebook: Way = (client, person) => signInSocially(client, 'facebook', person)

/** The passkey of the account that is being tried. */
let passkey: SoftwarePasskey

const addPasskey: Way = async (client, person) => {
  await login(client, person)
  passkey = new SoftwarePasskey(provider.publicUrl)
  const { options } = await offer(client, '/new-passkey')
  const response = passkey.register(options)

  expect((await client.send('POST', '/passkey', { response })).status).toBe(200)
}

async function offer(client: AccountClient, address: string) {
  return (await client.send('POST', address, {})).body as unknown as {
    options: { challenge: string }
  }
}

const ways: Record<string, WayIn> = {
  'a passkey': {
    signsIn: true,
    whole: true,
    before: addPasskey,
    async go(client) {
      const { options } = await offer(client, '/passkey-offer')
      await client.send('POST', '/passkey-sign-in', { response: passkey.authenticate(options) })
    },
  },
  'a passkey without the device’s lock': {
    signsIn: false,
    before: addPasskey,
    async go(client) {
      const { options } = await offer(client, '/passkey-offer')
      await client.send('POST', '/passkey-sign-in', {
        response: passkey.authenticate(options, { userVerified: false }),
      })
    },
  },
  'the password': { signsIn: true, go: login },
  'the password, remembered': {
    signsIn: true,
    go: (client, { email }) => client.send('POST', '/login', { email, password, rememberMe: true }),
  },
  'Google for the first time': { signsIn: true, go: byGoogle },
  Google: { signsIn: true, before: byGoogle, go: byGoogle },
  Facebook: { signsIn: true, before: byFacebook, go: byFacebook },
  'single sign-on for the first time': { signsIn: true, go: bySingleSignOn },
  'single sign-on': { signsIn: true, before: bySingleSignOn, go: bySingleSignOn },
  'a reset of the password': { signsIn: false, go: setPassword },
  'a reset, then the new password': {
    signsIn: true,
    async go(client, person) {
      await setPassword(client, person)
      await login(client, person)
    },
  },
}

const insert = (row: Partial<typeof inUse>) => (uid: string) =>
  db.insert(twoFactor).values({ uid, ...inUse, ...row })

const states: Record<string, { due: boolean; bring(uid: string): Promise<unknown> }> = {
  'no factor': { due: false, bring: async () => {} },
  'a set-up that was only begun': { due: false, bring: (uid) => insert({ enabledAt: null })(uid) },
  'an app': { due: true, bring: (uid) => insert({})(uid) },
  'an app and no recovery codes': {
    due: true,
    bring: (uid) => insert({ recoveryHashes: [] })(uid),
  },
  'an app that was turned off': {
    due: false,
    async bring(uid) {
      await insert({})(uid)
      expect(await removeAuthenticatorApp(db, uid)).toBe(true)
    },
  },
  'an app that an operator turned off': {
    due: false,
    async bring(uid) {
      await insert({})(uid)
      expect(await db.transaction((tx) => turnOffTwoFactorByOperator(tx, uid))).toBe(true)
    },
  },
}

const table = Object.keys(states).flatMap((state) =>
  Object.keys(ways).map((way) => [state, way] as const),
)

describe('every way in and every state of factors', () => {
  it.each(table)(
    '%s: by %s there is no session without what is due',
    async (stateName, wayName) => {
      const state = states[stateName]
      const way = ways[wayName]
      if (!state || !way) {
        throw new Error('It is in the table.')
      }

      const { person, uid } = await account()
      await way.before?.(browser(), person)
      await db.delete(sessions).where(eq(sessions.userId, uid))
      await state.bring(uid)

      const client = browser()
      await way.go(client, person)
      const isDue = way.signsIn && state.due && !way.whole
      const isIn = way.signsIn && !isDue

      expect((await client.readUser())?.uid).toBe(isIn ? uid : undefined)
      expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(isIn ? 1 : 0)

      const wrong = await client.send('POST', '/second-step', {
        code: await app.createWrongCode(now),
      })
      const right = await client.send('POST', '/second-step', { code: await app.createCode(now) })

      expect([wrong.body.code, right.body.code]).toEqual(
        isDue ? ['wrong-code', undefined] : ['second-step-over', 'second-step-over'],
      )
      expect((await client.readUser())?.uid).toBe(way.signsIn ? uid : undefined)
    },
  )
})

it('the way back from a provider leads to the second step, and names nobody', async () => {
  const { person, uid } = await account()
  await insert({})(uid)
  const client = browser()

  expect(await signInSocially(client, 'google', person)).toBe('/SecondStep')
  expect(JSON.stringify([...client.cookies])).not.toContain(uid)
})

it('an address that somebody made up leads to nobody’s second step', async () => {
  const { uid } = await account()
  await insert({})(uid)
  const client = browser()
  const start = new URL(
    (await client.fetch('/account/social/google')).headers.get('location') ?? '',
  )
  const state = start.searchParams.get('state') ?? ''
  const madeUp = new URLSearchParams({ state, error: secondStepRequired, error_description: uid })
  await client.fetch(`/account/callback/google?${madeUp}`)
  const code = await client.send('POST', '/second-step', { code: await app.createCode(now) })

  expect(code.body.code).toBe('second-step-over')
  expect(await client.readUser()).toBeNull()
})

it('a new account by a provider has no second step', async () => {
  people += 1
  const client = browser()
  const person = { name: 'Ben', email: `ben-${people}@test.example`, verified: true }

  expect(await signInSocially(client, 'google', person)).toBe('/Profile')

  const uid = (await client.readUser())?.uid ?? ''

  expect(await db.$count(users, eq(users.id, uid))).toBe(1)
})
