import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { identities, users } from '~/server/database/schema/index'
import { AccountClient } from '../../../tests/support/account-client'
import { TestAccounts } from '../../../tests/support/test-accounts'
import { disableAccountByEmail, enableAccountByEmail } from './account-queries.server'
import { demoCredentials, syncDemoAccount } from './demo-account.server'

const accounts = new TestAccounts()
const { createPerson, createClient, registerPerson, requestResetToken } = accounts

describe('registration', () => {
  it('creates the account, its profile and a session', async () => {
    const { client, person } = await registerPerson()
    expect(await client.readUser()).toMatchObject({
      email: person.email,
      displayName: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      photoURL: null,
      provider: 'email',
    })
  })

  it('keeps the password only as an Argon2id hash', async () => {
    const { person } = await registerPerson()
    const [user] = await accounts.db.select().from(users).where(eq(users.email, person.email))
    const [identity] = await accounts.db
      .select()
      .from(identities)
      .where(eq(identities.userId, user?.id ?? ''))

    expect(identity?.password).toMatch(/^\$argon2id\$v=19\$/)
  })

  it.each([
    ['email-already-in-use', 409, { email: 'TAKEN@test.example' }],
    ['weak-password', 400, { password: '12345' }],
    ['invalid-email', 400, { email: 'a@b@c.de' }],
    ['invalid-email', 400, { email: 'taken:box@test.example' }],
    ['invalid-email', 400, { email: 'taken\u0001@test.example' }],
    ['invalid-request', 400, { firstName: 'x'.repeat(500) }],
    ['invalid-request', 400, { firstName: '   ' }],
    ['invalid-request', 400, { lastName: 'a\0b' }],
    ['invalid-request', 400, { role: 'admin' }],
    ['invalid-request', 400, { password: ['secret12'] }],
    ['invalid-request', 400, { email: { $gt: '' } }],
  ])('refuses with %s, and stores nothing', async (code, status, changes) => {
    await createClient().send('POST', '/register', {
      ...createPerson(),
      email: 'taken@test.example',
    })
    const before = await accounts.db.$count(users)
    const response = await createClient().send('POST', '/register', {
      ...createPerson(),
      ...changes,
    })

    expect(response).toEqual({ status, body: { success: false, code } })
    expect(await accounts.db.$count(users)).toBe(before)
  })

  it('takes an address with the letters of its language, and its ASCII form is the same person', async () => {
    const person = { ...createPerson(), email: 'jörg@bücher.example' }

    expect((await createClient().send('POST', '/register', person)).status).toBe(200)

    const ascii = 'jörg@XN--BCHER-KVA.example'

    expect(
      (await createClient().send('POST', '/register', { ...person, email: ascii })).body.code,
    ).toBe('email-already-in-use')

    const client = createClient()
    await client.send('POST', '/login', { email: ascii, password: person.password })

    expect((await client.readUser())?.email).toBe('jörg@xn--bcher-kva.example')
  })

  it('again and again for one mailbox sends it five welcomes a day', async () => {
    for (let count = 0; count < 7; count += 1) {
      await createClient().send('POST', '/register', {
        ...createPerson(),
        email: `victim+${count}@test.example`,
      })
    }

    for (let count = 0; count < 7; count += 1) {
      await accounts.mailbox.readTokenSentTo(`victim+${count}@test.example`)
    }

    expect(
      accounts.mailbox.deliveredMails.filter(({ to }) => to.startsWith('victim+')),
    ).toHaveLength(5)
  })

  it('makes the account with its password and its mail, or none of them', async () => {
    const person = createPerson()
    await accounts.db.execute(sql`alter table outbox rename to outbox_away`)
    try {
      expect((await createClient().send('POST', '/register', person)).status).toBe(500)
    } finally {
      await accounts.db.execute(sql`alter table outbox_away rename to outbox`)
    }

    expect(await accounts.db.$count(users, eq(users.email, person.email))).toBe(0)
    expect((await createClient().send('POST', '/register', person)).status).toBe(200)
    expect(await accounts.mailbox.readTokenSentTo(person.email)).toBeTruthy()
  })

  it('makes one account of several requests at once for one address', async () => {
    const person = createPerson()
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => createClient().send('POST', '/register', person)),
    )

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  it.each(['عائشة', '𠮷田', '👩‍🏫 Ms', '<b>bold</b>', "Robert'); drop table users;--"])(
    'takes the name %s as it is',
    async (name) => {
      const client = createClient()
      await client.send('POST', '/register', { ...createPerson(), firstName: name })

      expect((await client.readUser())?.firstName).toBe(name)
    },
  )

  it('refuses a body that is no JSON', async () => {
    expect((await createClient().send('POST', '/register', '{broken')).body.code).toBe(
      'invalid-request',
    )
  })
})

describe('login', () => {
  it('does not care for case and spaces of the address', async () => {
    const { person } = await registerPerson()
    const client = createClient()
    await client.send('POST', '/login', {
      email: ` ${person.email.toUpperCase()} `,
      password: person.password,
    })

    expect((await client.readUser())?.email).toBe(person.email)
  })

  it.each([
    ['user-not-found', 404, { email: 'nobody@test.example' }],
    ['wrong-password', 401, { password: 'another12' }],
    ['invalid-email', 400, { email: 'no address' }],
    ['invalid-request', 400, { extra: 1 }],
    ['invalid-request', 400, { password: 'x'.repeat(201) }],
  ])('refuses with %s', async (code, status, changes) => {
    const { person } = await registerPerson()
    const { email, password } = person
    const response = await createClient().send('POST', '/login', { email, password, ...changes })

    expect(response).toEqual({ status, body: { success: false, code } })
  })

  it('finds an account of a former release by its domain’s own letters', async () => {
    const { person } = await registerPerson()
    const email = 'ida@fjörd.example'
    await accounts.db.update(users).set({ email }).where(eq(users.email, person.email))
    const client = createClient()
    await client.send('POST', '/login', { email, password: person.password })

    expect((await client.readUser())?.email).toBe(email)
  })

  it('updates lastLoginAt and keeps the time at which the account was created', async () => {
    const { person, client } = await registerPerson()
    const userBefore = await client.readUser()
    await accounts.db
      .update(users)
      .set({ lastLoginAt: new Date(0) })
      .where(eq(users.email, person.email))
    const otherBrowser = createClient()

    await otherBrowser.send('POST', '/login', { email: person.email, password: person.password })

    const userAfter = await otherBrowser.readUser()
    expect(userAfter).toEqual({ ...userBefore, lastLoginAt: userAfter?.lastLoginAt })
    expect(Date.parse(String(userAfter?.lastLoginAt))).toBeGreaterThan(0)

    for (const time of [userAfter?.createdAt, userAfter?.lastLoginAt]) {
      expect(new Date(String(time)).toISOString()).toBe(time)
    }
  })

  it('remembers for 30 days, or until the browser is closed', async () => {
    const { person } = await registerPerson()
    const getCookieHeader = async (rememberMe: boolean) => {
      const body = JSON.stringify({ email: person.email, password: person.password, rememberMe })
      const headers = { 'Content-Type': 'application/json' }
      const response = await createClient().fetch('/account/login', {
        method: 'POST',
        headers,
        body,
      })

      return response.headers.getSetCookie().find((cookie) => cookie.includes('session_token='))
    }

    expect(await getCookieHeader(true)).toContain('Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax')
    expect(await getCookieHeader(false)).not.toContain('Max-Age')
  })

  it('sets cookies for https only, for this host only, where the product is reached by https', async () => {
    const secure = accounts.openService('https://learn.example')
    const client = new AccountClient(secure, 'https://learn.example')
    const body = JSON.stringify(createPerson())
    const headers = { 'Content-Type': 'application/json' }
    const response = await client.fetch('/account/register', { method: 'POST', headers, body })
    const cookie = response.headers.getSetCookie().find((line) => line.includes('session_token='))

    expect(cookie).toMatch(
      /^__Host-learnify\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax/,
    )
    expect(cookie).not.toContain('Domain')
  })

  it('refuses a disabled account, and ends its sessions at once', async () => {
    const { person, client } = await registerPerson()
    await disableAccountByEmail(accounts.db, person.email)

    expect(await client.readUser()).toBeNull()

    const { email, password } = person

    expect((await createClient().send('POST', '/login', { email, password })).body.code).toBe(
      'user-disabled',
    )

    await enableAccountByEmail(accounts.db, person.email)

    expect((await createClient().send('POST', '/login', { email, password })).status).toBe(200)
  })
})

describe('user documents', () => {
  it('are read, written and updated by their own learner', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const document = {
      firstName: 'Grace',
      lastName: 'Hopper',
      phone: null,
      location: 'Arlington',
      timezone: 'America/New_York',
    }

    expect((await client.send('PUT', `/users/${uid}`, document)).body).toEqual({ success: true })
    expect(
      (
        await client.send('PATCH', `/users/${uid}`, {
          phone: '555 0100',
          lastLoginAt: new Date().toISOString(),
        })
      ).status,
    ).toBe(200)

    const { user } = (await client.send('GET', `/users/${uid}`)).body

    expect(user).toMatchObject({ ...document, phone: '555 0100', displayName: 'Grace Hopper' })
  })

  it('take what is empty as not given, like the settings form', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await client.send('PATCH', `/users/${uid}`, { phone: ' 555 0100 ', location: 'Lisbon' })

    expect(await client.readUser()).toMatchObject({ phone: '555 0100', location: 'Lisbon' })

    await client.send('PATCH', `/users/${uid}`, { phone: '', location: null })

    expect(await client.readUser()).toMatchObject({ phone: null, location: null })
  })

  it('of others are closed, as is one’s own to a visitor', async () => {
    const { client } = await registerPerson()
    const { client: stranger } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    for (const method of ['GET', 'PATCH'] as const) {
      const body = method === 'PATCH' ? { firstName: 'Mallory' } : undefined

      expect((await stranger.send(method, `/users/${uid}`, body)).status).toBe(403)
      expect((await createClient().send(method, `/users/${uid}`, body)).status).toBe(401)
    }

    expect((await client.readUser())?.firstName).toBe('Ada')
  })

  it.each([
    { email: 'other@test.example' },
    { role: 'admin' },
    { banned: false },
    { firstName: '' },
    { firstName: 7 },
    { timezone: 'Mars/Olympus' },
    { timezone: 'Europe/Berlin' },
    { location: 'a\0b' },
    { location: 'two\nlines' },
    { location: 'x'.repeat(121) },
    { phone: 'call me' },
    { phone: '123' },
    { phone: 5550100 },
    { firstName: '   ' },
    { lastName: '' },
  ])('refuse %j', async (changes) => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''

    expect((await client.send('PATCH', `/users/${uid}`, changes)).body.code).toBe('invalid-request')
  })
})

describe('the surface', () => {
  it.each([
    ['POST', '/sign-up/email'],
    ['POST', '/sign-in/email'],
    ['POST', '/sign-in/social'],
    ['GET', '/get-session'],
    ['POST', '/update-user'],
    ['POST', '/delete-user'],
    ['POST', '/reset-password'],
    ['GET', '/verify-email'],
    ['POST', '/admin/set-role'],
    ['GET', '/admin/list-users'],
    ['GET', '/list-accounts'],
    ['GET', '/error'],
    ['GET', '/ok'],
    ['DELETE', '/users/x'],
    ['GET', '/users/x/y'],
    ['GET', '/login'],
  ])('has no %s %s', async (method, path) => {
    const { client } = await registerPerson()
    expect(await client.send(method, path, method === 'POST' ? {} : undefined)).toEqual({
      status: 404,
      body: { success: false, code: 'not-found' },
    })
  })
})

describe('the demo account', () => {
  it('keeps its address for itself, also while there is no demo account', async () => {
    const response = await createClient().send('POST', '/register', {
      ...createPerson(),
      email: demoCredentials.email,
    })

    expect(response.body.code).toBe('email-already-in-use')
    expect(await accounts.db.$count(users, eq(users.email, demoCredentials.email))).toBe(0)
  })

  it('signs in with what the login page shows, and nobody changes its password', async () => {
    await syncDemoAccount(accounts.db, true)
    const { email } = demoCredentials

    expect((await createClient().send('POST', '/login', demoCredentials)).status).toBe(200)

    const token = await requestResetToken(email)
    const response = await createClient().send('POST', '/new-password', {
      token,
      password: 'Another-2026',
    })

    expect(response.body.code).toBe('demo-account')
    expect((await createClient().send('POST', '/login', demoCredentials)).status).toBe(200)
  })

  it('switched off signs nobody in, switched on again it does', async () => {
    await syncDemoAccount(accounts.db, false)

    expect((await createClient().send('POST', '/login', demoCredentials)).body.code).toBe(
      'user-disabled',
    )

    await Promise.all([syncDemoAccount(accounts.db, true), syncDemoAccount(accounts.db, true)])

    expect((await createClient().send('POST', '/login', demoCredentials)).status).toBe(200)
  })
})

it('a password that is set with an emailed link confirms the address again', async () => {
  const { person } = await registerPerson()
  const ofPerson = eq(users.email, person.email)
  await accounts.db
    .update(users)
    .set({ emailVerifiedAt: new Date(0) })
    .where(ofPerson)
  const token = await requestResetToken(person.email)

  await createClient().send('POST', '/new-password', { token, password: 'Another-2026' })

  const [user] = await accounts.db.select().from(users).where(ofPerson)
  expect(user?.emailVerified).toBe(true)
  expect(user?.emailVerifiedAt?.getTime()).toBeGreaterThan(0)
})
