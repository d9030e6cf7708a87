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

const codePeriodMs = 30_000
const password = 'Analytical-1843'
let db: Database
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let service: AccountService
let mailbox: Mailbox
let now = Date.now()
let accountCount = 0

/**
 * All accounts with two-step sign-in have the same authenticator app and the same stored secret.
 */
let app: Authenticator
let storedApp: Omit<typeof twoFactor.$inferSelect, 'uid'>
let passwordHash: string

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
  const hash = await hashPassword(password)
  if (hash === null) {
    throw new Error('The password could not be hashed.')
  }

  passwordHash = hash
  await setUpApp()
})
afterAll(() => provider.stop())

/** Sets up an authenticator app for an account, and reads the row that the database has for it. */
async function setUpApp() {
  const { person, uid } = await createAccount()
  const client = createClient()
  await client.send('POST', '/login', { email: person.email, password })
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const setUp = await setUpTwoStep(service, cookie, { uid, email: person.email })
  app = setUp.app

  const [row] = await db.select().from(twoFactor)
  if (!row) {
    throw new Error('The authenticator app was not stored.')
  }

  const { uid: _uid, ...columns } = row
  storedApp = columns
  // The code that was used for the set-up is not accepted again.
  now += codePeriodMs
}

const createClient = () => new AccountClient(service, provider.publicUrl)

type Person = { name: string; email: string; verified: boolean }

/** Creates an account with a password and a confirmed email address. */
async function createAccount() {
  accountCount += 1
  const uid = `ada-${accountCount}`
  const person: Person = { name: 'Ada Lovelace', email: `${uid}@test.example`, verified: true }
  const names = { name: person.name, firstName: 'Ada', lastName: 'Lovelace' }
  await db.insert(users).values({ id: uid, email: person.email, emailVerified: true, ...names })
  await recordPassword(db, uid, passwordHash)

  return { person, uid }
}

type SignIn = (client: AccountClient, person: Person) => Promise<unknown>

type SignInMethod = {
  /** Whether the method signs in, after the second step if that is required. */
  canSignIn: boolean
  /** Whether the method is two factors in one, so that no second step follows. */
  includesSecondFactor?: true
  /** Adds the method to the account, in another browser. */
  prepare?: SignIn
  signIn: SignIn
}

const signInByPassword: SignIn = (client, { email }) =>
  client.send('POST', '/login', { email, password })
const signInByGoogle: SignIn = (client, person) => signInSocially(client, 'google', person)
const signInByFacebook: SignIn = (client, person) => signInSocially(client, 'facebook', person)
const signInBySingleSignOn: SignIn = (client, person) => signInSocially(client, 'sso-acme', person)

const resetPassword: SignIn = async (client, { email }) => {
  await client.send('POST', '/forgot-password', { email })
  const token = await mailbox.readTokenSentTo(email)
  const response = await client.send('POST', '/new-password', { token, password })

  expect(response.status).toBe(200)
}

/** The passkey of the account that is signed in to. */
let passkey: SoftwarePasskey

const addPasskey: SignIn = async (client, person) => {
  await signInByPassword(client, person)
  passkey = new SoftwarePasskey(provider.publicUrl)
  const options = await requestPasskeyOptions(client, '/new-passkey')
  const response = passkey.register(options)

  expect((await client.send('POST', '/passkey', { response })).status).toBe(200)
}

async function requestPasskeyOptions(client: AccountClient, path: string) {
  const { body } = await client.send('POST', path, {})
  const { options } = body as unknown as { options: { challenge: string } }
  return options
}

const signInMethods: Record<string, SignInMethod> = {
  'a passkey': {
    canSignIn: true,
    includesSecondFactor: true,
    prepare: addPasskey,
    async signIn(client) {
      const options = await requestPasskeyOptions(client, '/passkey-offer')
      await client.send('POST', '/passkey-sign-in', { response: passkey.authenticate(options) })
    },
  },
  'a passkey without the device’s lock': {
    canSignIn: false,
    prepare: addPasskey,
    async signIn(client) {
      const options = await requestPasskeyOptions(client, '/passkey-offer')
      await client.send('POST', '/passkey-sign-in', {
        response: passkey.authenticate(options, { userVerified: false }),
      })
    },
  },
  'the password': { canSignIn: true, signIn: signInByPassword },
  'the password, remembered': {
    canSignIn: true,
    signIn: (client, { email }) =>
      client.send('POST', '/login', { email, password, rememberMe: true }),
  },
  'Google for the first time': { canSignIn: true, signIn: signInByGoogle },
  Google: { canSignIn: true, prepare: signInByGoogle, signIn: signInByGoogle },
  Facebook: { canSignIn: true, prepare: signInByFacebook, signIn: signInByFacebook },
  'single sign-on for the first time': { canSignIn: true, signIn: signInBySingleSignOn },
  'single sign-on': {
    canSignIn: true,
    prepare: signInBySingleSignOn,
    signIn: signInBySingleSignOn,
  },
  'a reset of the password': { canSignIn: false, signIn: resetPassword },
  'a reset, then the new password': {
    canSignIn: true,
    async signIn(client, person) {
      await resetPassword(client, person)
      await signInByPassword(client, person)
    },
  },
}

const insertApp = (uid: string, changes: Partial<typeof storedApp> = {}) =>
  db.insert(twoFactor).values({ uid, ...storedApp, ...changes })

type SecondFactor = {
  /** Whether a sign-in with one factor leads to the second step. */
  isRequired: boolean
  /** Gives the account this second factor. */
  setUp(uid: string): Promise<unknown>
}

const secondFactors: Record<string, SecondFactor> = {
  'no second factor': { isRequired: false, setUp: async () => {} },
  'an app whose set-up is unfinished': {
    isRequired: false,
    setUp: (uid) => insertApp(uid, { enabledAt: null }),
  },
  'an app': { isRequired: true, setUp: (uid) => insertApp(uid) },
  'an app and no recovery codes': {
    isRequired: true,
    setUp: (uid) => insertApp(uid, { recoveryHashes: [] }),
  },
  'an app that was turned off': {
    isRequired: false,
    async setUp(uid) {
      await insertApp(uid)
      expect(await removeAuthenticatorApp(db, uid)).toBe(true)
    },
  },
  'an app that an operator turned off': {
    isRequired: false,
    async setUp(uid) {
      await insertApp(uid)
      expect(await db.transaction((tx) => turnOffTwoFactorByOperator(tx, uid))).toBe(true)
    },
  },
}

const combinations = Object.entries(secondFactors).flatMap(([factorName, secondFactor]) =>
  Object.entries(signInMethods).map(([methodName, method]) => ({
    factorName,
    methodName,
    secondFactor,
    method,
  })),
)

describe('every sign-in method with every second factor', () => {
  it.each(combinations)(
    'an account with $factorName has no session by $methodName until each required step is done',
    async ({ secondFactor, method }) => {
      const { person, uid } = await createAccount()
      await method.prepare?.(createClient(), person)
      await db.delete(sessions).where(eq(sessions.userId, uid))
      await secondFactor.setUp(uid)

      const client = createClient()
      await method.signIn(client, person)

      const needsSecondStep =
        method.canSignIn && secondFactor.isRequired && !method.includesSecondFactor
      const hasSession = method.canSignIn && !needsSecondStep
      expect((await client.readUser())?.uid).toBe(hasSession ? uid : undefined)
      expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(hasSession ? 1 : 0)

      const responseToWrongCode = await client.send('POST', '/second-step', {
        code: await app.createWrongCode(now),
      })
      const responseToRightCode = await client.send('POST', '/second-step', {
        code: await app.createCode(now),
      })

      expect([responseToWrongCode.body.code, responseToRightCode.body.code]).toEqual(
        needsSecondStep ? ['wrong-code', undefined] : ['second-step-over', 'second-step-over'],
      )
      expect((await client.readUser())?.uid).toBe(method.canSignIn ? uid : undefined)
    },
  )
})

it('the return from a provider leads to the second step, and cookies do not contain the uid', async () => {
  const { person, uid } = await createAccount()
  await insertApp(uid)
  const client = createClient()

  expect(await signInSocially(client, 'google', person)).toBe('/SecondStep')
  expect(JSON.stringify([...client.cookies])).not.toContain(uid)
})

it('a forged callback URL does not lead to the second step of an account', async () => {
  const { uid } = await createAccount()
  await insertApp(uid)
  const client = createClient()
  const redirect = await client.fetch('/account/social/google')
  const providerUrl = new URL(redirect.headers.get('location') ?? '')
  const state = providerUrl.searchParams.get('state') ?? ''
  const forgedParams = new URLSearchParams({
    state,
    error: secondStepRequired,
    error_description: uid,
  })

  await client.fetch(`/account/callback/google?${forgedParams}`)
  const response = await client.send('POST', '/second-step', { code: await app.createCode(now) })

  expect(response.body.code).toBe('second-step-over')
  expect(await client.readUser()).toBeNull()
})

it('a new account by a provider has no second step', async () => {
  accountCount += 1
  const client = createClient()
  const person = { name: 'Ben', email: `ben-${accountCount}@test.example`, verified: true }

  expect(await signInSocially(client, 'google', person)).toBe('/Profile')

  const uid = (await client.readUser())?.uid ?? ''

  expect(await db.$count(users, eq(users.id, uid))).toBe(1)
})
