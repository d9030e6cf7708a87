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
const serviceOn = (db: Database) =>
  createAccountService({
    db,
    publicUrl,
    isLoopback: true,
    secret: 'a secret of the test, 0123456789abc',
    providers: [],
  })

it('while the database fails nobody is told to be signed out, and the log has the cause', async () => {
  const browser = new AccountClient(serviceOn((await createTestDatabase()).db), publicUrl)
  const person = {
    email: 'ada@test.example',
    password: 'secret-12',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }

  await browser.send('POST', '/register', person)
  const uid = (await browser.readUser())?.uid

  // No server listens at port 1.
  const later = new AccountClient(
    serviceOn(connect('postgres://a:b@127.0.0.1:1/c').database),
    publicUrl,
  )

  expect((await later.send('GET', '/session')).body.user).toBeNull()

  later.cookies = browser.cookies
  const warn = vi.spyOn(log, 'warn')
  for (const path of ['/session', `/users/${uid}`]) {
    expect((await later.send('GET', path)).status).toBe(500)
  }

  expect(later.cookies.size).toBeGreaterThan(0)
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ err: expect.any(Error) }),
    'better-auth',
  )
})

it('a session that is not to be remembered ends with the browser, and after a day', async () => {
  const { person } = await registerPerson()
  const { email, password } = person
  const getCookies = async (rememberMe: boolean) => {
    const body = JSON.stringify({ email, password, rememberMe })
    const headers = { 'Content-Type': 'application/json' }
    const client = createClient()
    const response = await client.fetch('/account/login', { method: 'POST', headers, body })
    const uid = (await client.readUser())?.uid ?? ''
    const rows = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
    const days = rows.map(({ createdAt, expiresAt }) =>
      Math.round((expiresAt.getTime() - createdAt.getTime()) / 86_400_000),
    )
    const cookies = response.headers.getSetCookie()

    return { days, ages: cookies.filter((line) => /session_token|signed-in/.test(line)).map(ageOf) }
  }

  expect(await getCookies(false)).toEqual({ days: [30, 1], ages: [undefined, undefined] })
  expect(await getCookies(true)).toEqual({ days: [30, 1, 30], ages: ['2592000', '2592000'] })
})

const ageOf = (cookie: string) => /Max-Age=(\d+)/.exec(cookie)?.[1]

it('a password that is taken away while it is checked signs nobody in', async () => {
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

it('an account that its address’s owner disowns waits for a sign-in under way, and ends it', async () => {
  const { person } = await registerPerson()
  const [user] = await accounts.db.select().from(users).where(eq(users.email, person.email))
  const uid = user?.id ?? ''
  const token = await createOneTimeToken(accounts.db, 'verify-email', uid)
  let disowned: Promise<boolean> | undefined
  await accounts.db.transaction(async (tx) => {
    // As a sign-in that has just found the password right.
    await tx.select().from(users).where(eq(users.id, uid)).for('share')
    disowned = disownAccount(accounts.db, token, '')
    await waitUntilQueryIsBlocked(accounts.db)
    const expiresAt = new Date(Date.now() + 60_000)
    await tx.insert(sessions).values({ id: 'late', token: 'late', userId: uid, expiresAt })
  })

  expect(await disowned).toBe(true)
  expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(0)
})

it('an account that is disabled while its password is checked is signed in by nobody', async () => {
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

  it('of a cookie that was copied before the logout are over, too', async () => {
    const { client } = await registerPerson()
    const thief = createClient()
    thief.cookies = new Map(client.cookies)
    await client.send('POST', '/logout', {})

    expect(await thief.readUser()).toBeNull()
  })

  it('need a cookie that this product signed', async () => {
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
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    const turn = (times: { createdAt: Date; updatedAt: Date; expiresAt: Date }) =>
      accounts.db.update(sessions).set(times).where(eq(sessions.userId, uid))
    const daysLeft = async () => {
      expect(await client.readUser()).not.toBeNull()

      const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
      return Math.round(((row?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000)
    }

    await turn({ createdAt: days(-10), updatedAt: days(-0.9), expiresAt: days(20) })

    expect(await daysLeft()).toBe(20)

    await turn({ createdAt: days(-10), updatedAt: days(-1.1), expiresAt: days(20) })

    expect(await daysLeft()).toBe(30)

    await turn({ createdAt: days(-75), updatedAt: days(-1.1), expiresAt: days(15) })

    expect(await daysLeft()).toBe(15)
  })

  it('of before end when a lowered setting says, and none lasts longer than before', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const day = 24 * 60 * 60
    await shortenSessions(accounts.db, {
      ...sessionRules,
      idleSeconds: 365 * day,
      maxSeconds: 365 * day,
    })
    const secondsLeft = async () => {
      const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
      const lifetimeMs = (row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)
      // The two times are read from the clock one after the other.
      return Math.round(lifetimeMs / 1000)
    }

    expect(await secondsLeft()).toBe(30 * day)

    await shortenSessions(accounts.db, { ...sessionRules, idleSeconds: 7 * day })

    expect(await secondsLeft()).toBe(7 * day)

    await shortenSessions(accounts.db, { ...sessionRules, maxSeconds: 2 * day })

    expect(await secondsLeft()).toBe(2 * day)
  })

  it('that one process ends are over in another at its next request', async () => {
    const { client } = await registerPerson()
    const elsewhere = new AccountClient(accounts.openService(), publicUrl)
    elsewhere.cookies = client.cookies
    const uid = (await elsewhere.readUser())?.uid ?? ''
    const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
    await endDevice(accounts.db, uid, row?.id ?? '')

    expect(await elsewhere.readUser()).toBeNull()
  })

  it('beyond the number of devices end the one unused the longest, by parallel sign-ins, too', async () => {
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

    const last = new AccountClient(service, publicUrl)
    await last.send('POST', '/login', { email, password })

    expect(await last.readUser()).not.toBeNull()
  })

  it('begin with their line in the security log, or not at all', async () => {
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

  it('are replaced, not added to, by another sign-in of the same browser', async () => {
    const { person, client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await client.send('POST', '/login', { email: person.email, password: person.password })

    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
  })

  it('keep no address of the learner', async () => {
    await registerPerson()
    const rows = await accounts.db.select({ ip: sessions.ipAddress }).from(sessions)

    expect(rows.filter(({ ip }) => ip)).toEqual([])
  })
})

describe('a password reset', () => {
  it('works once, ends every session, and lets the new password in', async () => {
    const { person, client } = await registerPerson()
    const token = await requestResetToken(person.email)

    expect(
      (await createClient().send('POST', '/new-password', { token, password: 'different9' }))
        .status,
    ).toBe(200)
    expect(await client.readUser()).toBeNull()

    const signIn = (password: string) =>
      createClient().send('POST', '/login', { email: person.email, password })

    expect((await signIn(person.password)).body.code).toBe('wrong-password')
    expect((await signIn('different9')).status).toBe(200)
    expect(
      (await createClient().send('POST', '/new-password', { token, password: 'third-one' })).body
        .code,
    ).toBe('link-expired')
  })

  it('is done by exactly one of two requests at once', async () => {
    const { person } = await registerPerson()
    const token = await requestResetToken(person.email)
    const responses = await Promise.all(
      ['first-one', 'second-one'].map((password) =>
        createClient().send('POST', '/new-password', { token, password }),
      ),
    )

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('makes the older links of the account useless', async () => {
    const { person } = await registerPerson()
    const older = await requestResetToken(person.email)
    const newer = await requestResetToken(person.email)
    await createClient().send('POST', '/new-password', { token: newer, password: 'different9' })

    expect(
      (await createClient().send('POST', '/new-password', { token: older, password: 'third-one' }))
        .status,
    ).toBe(410)
  })

  it('refuses a weak password without using up the link', async () => {
    const { person } = await registerPerson()
    const token = await requestResetToken(person.email)

    expect(
      (await createClient().send('POST', '/new-password', { token, password: '12345' })).body.code,
    ).toBe('weak-password')
    expect(
      (await createClient().send('POST', '/new-password', { token, password: 'different9' }))
        .status,
    ).toBe(200)
  })

  it('is refused for unknown addresses, and after five mails an hour to one', async () => {
    const { person } = await registerPerson()
    const ask = (email: string) => createClient().send('POST', '/forgot-password', { email })

    expect((await ask('nobody@test.example')).body.code).toBe('user-not-found')

    for (const _ of [1, 2, 3, 4, 5]) {
      expect((await ask(person.email)).status).toBe(200)
    }

    expect((await ask(person.email)).status).toBe(429)
  })
})

describe('a rotated secret', () => {
  const secret = 'the next secret of the tests, 0123456789'
  const rotated = () =>
    accounts.openService(publicUrl, {
      secret,
      previousSecrets: ['one before that, 0123456789abcdef', testSecret],
    })

  it('asks to sign in again, and still knows the browser', async () => {
    const { person, client } = await registerPerson()
    const later = new AccountClient(rotated(), publicUrl)
    later.cookies = client.cookies

    expect(await later.readUser()).toBeNull()

    for (let count = 0; count < 6; count += 1) {
      await createClient().send('POST', '/login', { email: person.email, password: 'a guess 1' })
    }

    expect(
      (await later.send('POST', '/login', { email: person.email, password: person.password }))
        .status,
    ).toBe(200)
  })

  it('still reads what former ones encrypted', async () => {
    const data = await symmetricEncrypt({ key: accounts.service.encryptionKey, data: 'a key' })
    const { encryptionKey: key } = rotated()

    expect(await symmetricDecrypt({ key, data })).toBe('a key')
    expect(await symmetricEncrypt({ key, data: 'a key' })).not.toContain(data.slice(0, 8))
  })
})
