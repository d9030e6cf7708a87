import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { identities, sessions, users } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { AccountClient } from '../../../../tests/support/account-client'
import { TestAccounts, testSecret } from '../../../../tests/support/test-accounts'
import {
  createTestDatabase,
  waitUntilQueryIsBlocked,
} from '../../../../tests/support/test-database'
import { disableAccountByEmail, enableAccountByEmail } from '../account-queries.server'
import { createAccountService } from '../account-service.server'
import { disownAccount } from '../email-address/email-confirmation.server'
import { createOneTimeToken } from '../one-time-tokens.server'
import { endDevice } from '../security/devices.server'
import { sessionRules, shortenSessions } from './session-rules.server'

const accounts = new TestAccounts()
const { createClient, registerPerson, requestResetToken } = accounts

const publicUrl = 'http://localhost:3000'
const dayMs = 86_400_000
const createServiceOn = (db: Database) =>
  createAccountService({
    db,
    publicUrl,
    isLoopback: true,
    secret: 'a secret of the test, 0123456789abc',
    providers: [],
  })

it('a failing database signs nobody out, and the log has the cause', async () => {
  const client = new AccountClient(createServiceOn((await createTestDatabase()).db), publicUrl)
  const person = {
    email: 'ada@test.example',
    password: 'secret-12',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }

  await client.send('POST', '/register', person)
  const uid = (await client.readUser())?.uid

  // No server listens at port 1.
  const unreachableDatabase = connect('postgres://a:b@127.0.0.1:1/c').database
  const failingClient = new AccountClient(createServiceOn(unreachableDatabase), publicUrl)
  expect((await failingClient.send('GET', '/session')).body.user).toBeNull()

  failingClient.cookies = client.cookies
  const warn = vi.spyOn(log, 'warn')
  for (const path of ['/session', `/users/${uid}`]) {
    expect((await failingClient.send('GET', path)).status).toBe(500)
  }

  expect(failingClient.cookies.size).toBeGreaterThan(0)
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ err: expect.any(Error) }),
    'better-auth',
  )
})

it('a session without ‘Remember me’ ends with the browser, and after a day', async () => {
  const { person } = await registerPerson()
  const { email, password } = person
  const signIn = async (rememberMe: boolean) => {
    const body = JSON.stringify({ email, password, rememberMe })
    const headers = { 'Content-Type': 'application/json' }
    const client = createClient()
    const response = await client.fetch('/account/login', { method: 'POST', headers, body })
    const uid = (await client.readUser())?.uid ?? ''
    const rows = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
    const sessionDays = rows.map(({ createdAt, expiresAt }) =>
      Math.round((expiresAt.getTime() - createdAt.getTime()) / dayMs),
    )
    const cookies = response.headers
      .getSetCookie()
      .filter((line) => /session_token|signed-in/.test(line))

    return { sessionDays, cookieMaxAges: cookies.map(readMaxAge) }
  }

  // The first session is that of the registration.
  expect(await signIn(false)).toEqual({
    sessionDays: [30, 1],
    cookieMaxAges: [undefined, undefined],
  })
  expect(await signIn(true)).toEqual({
    sessionDays: [30, 1, 30],
    cookieMaxAges: ['2592000', '2592000'],
  })
})

const readMaxAge = (cookie: string) => /Max-Age=(\d+)/.exec(cookie)?.[1]

it('a password that is removed while it is checked signs nobody in', async () => {
  const { person } = await registerPerson()
  const { email, password } = person
  const [user] = await accounts.db.select().from(users).where(eq(users.email, email))
  const uid = user?.id ?? ''
  const client = createClient()
  let response: ReturnType<typeof client.send> | undefined
  await accounts.db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, uid)).for('update')
    response = client.send('POST', '/login', { email, password })
    await waitUntilQueryIsBlocked(accounts.db)
    await tx
      .delete(identities)
      .where(and(eq(identities.userId, uid), eq(identities.providerId, 'credential')))
    await tx.delete(sessions).where(eq(sessions.userId, uid))
  })

  expect((await response)?.body.code).toBe('wrong-password')
  expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(0)
})

it('disowning an account waits for a sign-in that is in progress, and ends its session', async () => {
  const { person } = await registerPerson()
  const [user] = await accounts.db.select().from(users).where(eq(users.email, person.email))
  const uid = user?.id ?? ''
  const token = await createOneTimeToken(accounts.db, 'verify-email', uid)
  let disowning: Promise<boolean> | undefined
  await accounts.db.transaction(async (tx) => {
    // A sign-in holds this lock after it has accepted the password.
    await tx.select().from(users).where(eq(users.id, uid)).for('share')
    disowning = disownAccount(accounts.db, token, '')
    await waitUntilQueryIsBlocked(accounts.db)
    const expiresAt = new Date(Date.now() + 60_000)
    await tx.insert(sessions).values({ id: 'late', token: 'late', userId: uid, expiresAt })
  })

  expect(await disowning).toBe(true)
  expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(0)
})

it('an account that is disabled while its password is checked can’t be signed in to', async () => {
  const { person } = await registerPerson()
  const { email, password } = person
  const client = createClient()
  let response: ReturnType<typeof client.send> | undefined
  await accounts.db.transaction(async (tx) => {
    await disableAccountByEmail(tx, email)
    response = client.send('POST', '/login', { email, password })
    await waitUntilQueryIsBlocked(accounts.db)
  })

  expect((await response)?.body.code).toBe('wrong-password')

  await enableAccountByEmail(accounts.db, email)

  expect(await client.readUser()).toBeNull()
})

describe('sessions', () => {
  it('end with logout, in this browser only', async () => {
    const { person, client } = await registerPerson()
    const other = createClient()
    await other.send('POST', '/login', { email: person.email, password: person.password })

    expect(await client.send('POST', '/logout', {})).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(await client.readUser()).toBeNull()
    expect(await other.readUser()).not.toBeNull()
  })

  it('end for a cookie that was copied before the logout, too', async () => {
    const { client } = await registerPerson()
    const thief = createClient()
    thief.cookies = new Map(client.cookies)
    await client.send('POST', '/logout', {})

    expect(await thief.readUser()).toBeNull()
  })

  it('need a cookie with the signature of this product', async () => {
    const { client } = await registerPerson()
    const [name, value] = [...client.cookies].find(([key]) => key.endsWith('session_token')) ?? [
      '',
      '',
    ]
    const forger = createClient()
    forger.cookies.set(name, `${value.slice(0, -6)}AAAAA%3D`)

    expect(await forger.readUser()).toBeNull()
  })

  it('expire', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await accounts.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.userId, uid))

    expect(await client.readUser()).toBeNull()
  })

  it('in use are extended once a day, up to 90 days after the sign-in', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const inDays = (count: number) => new Date(Date.now() + count * dayMs)
    const updateSession = (times: { createdAt: Date; updatedAt: Date; expiresAt: Date }) =>
      accounts.db.update(sessions).set(times).where(eq(sessions.userId, uid))
    const readUserAndLifetime = async () => {
      expect(await client.readUser()).not.toBeNull()

      const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
      const remainingMs = (row?.expiresAt.getTime() ?? 0) - Date.now()
      return { remainingDays: Math.round(remainingMs / dayMs) }
    }

    await updateSession({
      createdAt: inDays(-10),
      updatedAt: inDays(-0.9),
      expiresAt: inDays(20),
    })
    expect(await readUserAndLifetime()).toEqual({ remainingDays: 20 })

    await updateSession({
      createdAt: inDays(-10),
      updatedAt: inDays(-1.1),
      expiresAt: inDays(20),
    })
    expect(await readUserAndLifetime()).toEqual({ remainingDays: 30 })

    await updateSession({
      createdAt: inDays(-75),
      updatedAt: inDays(-1.1),
      expiresAt: inDays(15),
    })
    expect(await readUserAndLifetime()).toEqual({ remainingDays: 15 })
  })

  it('that exist already become shorter by a lowered setting, but never longer', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const daySeconds = 24 * 60 * 60
    await shortenSessions(accounts.db, {
      ...sessionRules,
      idleSeconds: 365 * daySeconds,
      maxSeconds: 365 * daySeconds,
    })
    const readLifetimeSeconds = async () => {
      const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
      const lifetimeMs = (row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)
      // The two times are read from the clock one after the other.
      return Math.round(lifetimeMs / 1000)
    }

    expect(await readLifetimeSeconds()).toBe(30 * daySeconds)

    await shortenSessions(accounts.db, { ...sessionRules, idleSeconds: 7 * daySeconds })

    expect(await readLifetimeSeconds()).toBe(7 * daySeconds)

    await shortenSessions(accounts.db, { ...sessionRules, maxSeconds: 2 * daySeconds })

    expect(await readLifetimeSeconds()).toBe(2 * daySeconds)
  })

  it('that one process ends are over in another process at its next request', async () => {
    const { client } = await registerPerson()
    const clientOfOtherProcess = new AccountClient(accounts.openService(), publicUrl)
    clientOfOtherProcess.cookies = client.cookies
    const uid = (await clientOfOtherProcess.readUser())?.uid ?? ''
    const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
    await endDevice(accounts.db, uid, row?.id ?? '')

    expect(await clientOfOtherProcess.readUser()).toBeNull()
  })

  it('beyond the limit of devices replace those unused the longest, even for parallel sign-ins', async () => {
    const { person, client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const service = accounts.openService(publicUrl, {
      sessionRules: { ...sessionRules, maxDevices: 2 },
    })
    const devices = Array.from(
      { length: 5 },
      (_, index) => new AccountClient(service, publicUrl, `192.0.2.${index}`),
    )
    const { email, password } = person
    const responses = await Promise.all(
      devices.map((device) => device.send('POST', '/login', { email, password })),
    )

    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(2)
    expect(await client.readUser()).toBeNull()

    const newestDevice = new AccountClient(service, publicUrl)
    await newestDevice.send('POST', '/login', { email, password })

    expect(await newestDevice.readUser()).not.toBeNull()
  })

  it('do not begin if the security log can’t record them', async () => {
    const { person, client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await accounts.db.execute(
      `create function refuse_event() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    )
    await accounts.db.execute(
      `create trigger refuse_event before insert on security_events for each row execute function refuse_event()`,
    )
    const response = await createClient().send('POST', '/login', {
      email: person.email,
      password: person.password,
    })
    await accounts.db.execute('drop function refuse_event cascade')

    expect(response.status).toBe(500)
    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
  })

  it('are replaced by another sign-in of the same browser', async () => {
    const { person, client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await client.send('POST', '/login', { email: person.email, password: person.password })

    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
  })

  it('store no IP address of the learner', async () => {
    await registerPerson()
    const rows = await accounts.db.select({ ip: sessions.ipAddress }).from(sessions)

    expect(rows.filter(({ ip }) => ip)).toEqual([])
  })
})

describe('a password reset', () => {
  const setNewPassword = (token: string, password: string) =>
    createClient().send('POST', '/new-password', { token, password })

  it('works once, ends every session, and replaces the password', async () => {
    const { person, client } = await registerPerson()
    const token = await requestResetToken(person.email)
    expect((await setNewPassword(token, 'different9')).status).toBe(200)
    expect(await client.readUser()).toBeNull()

    const signIn = (password: string) =>
      createClient().send('POST', '/login', { email: person.email, password })
    expect((await signIn(person.password)).body.code).toBe('wrong-password')
    expect((await signIn('different9')).status).toBe(200)

    expect((await setNewPassword(token, 'third-one')).body.code).toBe('link-expired')
  })

  it('succeeds for exactly one of two requests at the same time', async () => {
    const { person } = await registerPerson()
    const token = await requestResetToken(person.email)
    const responses = await Promise.all(
      ['first-one', 'second-one'].map((password) => setNewPassword(token, password)),
    )

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('invalidates the older links of the account', async () => {
    const { person } = await registerPerson()
    const olderToken = await requestResetToken(person.email)
    const newerToken = await requestResetToken(person.email)
    await setNewPassword(newerToken, 'different9')

    expect((await setNewPassword(olderToken, 'third-one')).status).toBe(410)
  })

  it('refuses a weak password without using up the link', async () => {
    const { person } = await registerPerson()
    const token = await requestResetToken(person.email)

    expect((await setNewPassword(token, '12345')).body.code).toBe('weak-password')
    expect((await setNewPassword(token, 'different9')).status).toBe(200)
  })

  it('is refused for unknown email addresses, and after five emails an hour to one address', async () => {
    const { person } = await registerPerson()
    const requestReset = (email: string) =>
      createClient().send('POST', '/forgot-password', { email })

    expect((await requestReset('nobody@test.example')).body.code).toBe('user-not-found')

    for (const _ of [1, 2, 3, 4, 5]) {
      expect((await requestReset(person.email)).status).toBe(200)
    }

    expect((await requestReset(person.email)).status).toBe(429)
  })
})

describe('a rotated secret', () => {
  const secret = 'the next secret of the tests, 0123456789'
  const openRotatedService = () =>
    accounts.openService(publicUrl, {
      secret,
      previousSecrets: ['one before that, 0123456789abcdef', testSecret],
    })

  it('ends sessions, but still recognizes the browser, whose sign-in no wrong passwords can block', async () => {
    const { person, client } = await registerPerson()
    const clientAfterRotation = new AccountClient(openRotatedService(), publicUrl)
    clientAfterRotation.cookies = client.cookies
    expect(await clientAfterRotation.readUser()).toBeNull()

    for (let count = 0; count < 6; count += 1) {
      await createClient().send('POST', '/login', { email: person.email, password: 'a guess 1' })
    }

    const { status } = await clientAfterRotation.send('POST', '/login', {
      email: person.email,
      password: person.password,
    })
    expect(status).toBe(200)
  })

  it('decrypts what previous secrets have encrypted', async () => {
    const data = await symmetricEncrypt({ key: accounts.service.encryptionKey, data: 'a key' })
    const { encryptionKey: key } = openRotatedService()

    expect(await symmetricDecrypt({ key, data })).toBe('a key')
    expect(await symmetricEncrypt({ key, data: 'a key' })).not.toContain(data.slice(0, 8))
  })
})
