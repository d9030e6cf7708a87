import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { identities, rateLimits, sessions, users } from '~/server/database/schema/index'
import { AccountClient } from '../../../tests/support/account-client'
import { Mailbox } from '../../../tests/support/mailbox'
import { testDatabase } from '../../../tests/support/test-database'
import { setDisabled } from './account-queries.server'
import { createAccountService } from './account-service.server'
import { demoCredentials, keepDemoAccount } from './demo/demo-account.server'

const publicUrl = 'http://localhost:3000'
const secret = 'a secret that is only used by tests, 0123456789'

// Argon2id and a whole code flow take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let db: Database
let now = Date.now()
let mailbox: Mailbox
const serviceOn = (database: Database, url = publicUrl) =>
  createAccountService({
    db: database,
    publicUrl: url,
    loopback: url === publicUrl,
    secret,
    providers: [],
    now: () => now,
  })
let service: ReturnType<typeof serviceOn>

beforeAll(async () => {
  db = (await testDatabase()).db
  service = serviceOn(db)
  mailbox = new Mailbox(db, publicUrl)
})

let people = 0
const newPerson = () => {
  people += 1
  return { email: `person-${people}@test.example`, password: 'secret12', firstName: 'Ada', lastName: 'Lovelace' }
}
const browser = (address?: string) => new AccountClient(service, publicUrl, address ?? `198.51.100.${people % 250}`)

async function registered() {
  const person = newPerson()
  const client = browser()
  expect((await client.send('POST', '/register', person)).status).toBe(200)
  return { person, client }
}

async function resetToken(email: string): Promise<string> {
  expect((await browser().send('POST', '/forgot-password', { email })).status).toBe(200)
  return mailbox.tokenFor(email)
}

describe('registration', () => {
  it('creates the account, its profile and a session', async () => {
    const { client, person } = await registered()
    expect(await client.user()).toMatchObject({
      email: person.email,
      displayName: 'Ada Lovelace',
      firstName: 'Ada',
      lastName: 'Lovelace',
      photoURL: null,
      provider: 'email',
    })
  })

  it('keeps the password only as an Argon2id hash', async () => {
    const { person } = await registered()
    const [user] = await db.select().from(users).where(eq(users.email, person.email))
    const [identity] = await db
      .select()
      .from(identities)
      .where(eq(identities.userId, user?.id ?? ''))
    expect(identity?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it.each([
    ['email-already-in-use', 409, { email: 'TAKEN@test.example' }],
    ['weak-password', 400, { password: '12345' }],
    ['invalid-email', 400, { email: 'a@b@c.de' }],
    ['invalid-request', 400, { firstName: 'x'.repeat(500) }],
    ['invalid-request', 400, { firstName: '   ' }],
    ['invalid-request', 400, { lastName: 'a\0b' }],
    ['invalid-request', 400, { role: 'admin' }],
    ['invalid-request', 400, { password: ['secret12'] }],
    ['invalid-request', 400, { email: { $gt: '' } }],
  ])('refuses with %s, and stores nothing', async (code, status, changes) => {
    await browser().send('POST', '/register', { ...newPerson(), email: 'taken@test.example' })
    const before = await db.$count(users)
    const answer = await browser().send('POST', '/register', { ...newPerson(), ...changes })
    expect(answer).toEqual({ status, body: { success: false, code } })
    expect(await db.$count(users)).toBe(before)
  })

  it('again and again for one mailbox sends it five welcomes a day', async () => {
    for (let count = 0; count < 7; count += 1)
      await browser().send('POST', '/register', { ...newPerson(), email: `victim+${count}@test.example` })
    for (let count = 0; count < 7; count += 1) await mailbox.tokenFor(`victim+${count}@test.example`)
    expect(mailbox.mails.filter(({ to }) => to.startsWith('victim+'))).toHaveLength(5)
  })

  it('makes one account of several requests at once for one address', async () => {
    const person = newPerson()
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser().send('POST', '/register', person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  it.each(['عائشة', '𠮷田', '👩‍🏫 Ms', '<b>bold</b>', "Robert'); drop table users;--"])(
    'takes the name %s as it is',
    async (name) => {
      const client = browser()
      await client.send('POST', '/register', { ...newPerson(), firstName: name })
      expect((await client.user())?.firstName).toBe(name)
    },
  )

  it('refuses a body that is no JSON', async () => {
    expect((await browser().send('POST', '/register', '{broken')).body.code).toBe('invalid-request')
  })
})

describe('login', () => {
  it('does not care for case and spaces of the address', async () => {
    const { person } = await registered()
    const client = browser()
    await client.send('POST', '/login', { email: ` ${person.email.toUpperCase()} `, password: person.password })
    expect((await client.user())?.email).toBe(person.email)
  })

  it.each([
    ['user-not-found', 404, { email: 'nobody@test.example' }],
    ['wrong-password', 401, { password: 'another12' }],
    ['invalid-email', 400, { email: 'no address' }],
    ['invalid-request', 400, { extra: 1 }],
    ['invalid-request', 400, { password: 'x'.repeat(201) }],
  ])('refuses with %s', async (code, status, changes) => {
    const { person } = await registered()
    const { email, password } = person
    const answer = await browser().send('POST', '/login', { email, password, ...changes })
    expect(answer).toEqual({ status, body: { success: false, code } })
  })

  it('updates lastLoginAt', async () => {
    const { person } = await registered()
    await db
      .update(users)
      .set({ lastLoginAt: new Date(0) })
      .where(eq(users.email, person.email))
    await browser().send('POST', '/login', { email: person.email, password: person.password })
    const [user] = await db.select().from(users).where(eq(users.email, person.email))
    expect(user?.lastLoginAt.getTime()).toBeGreaterThan(0)
  })

  it('remembers for 30 days, or until the browser is closed', async () => {
    const { person } = await registered()
    const cookieOf = async (rememberMe: boolean) => {
      const body = JSON.stringify({ email: person.email, password: person.password, rememberMe })
      const headers = { 'Content-Type': 'application/json' }
      const response = await browser().fetch('/account/login', { method: 'POST', headers, body })
      return response.headers.getSetCookie().find((cookie) => cookie.includes('session_token='))
    }
    expect(await cookieOf(true)).toContain('Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax')
    expect(await cookieOf(false)).not.toContain('Max-Age')
  })

  it('sets cookies for https only, for this host only, where the product is reached by https', async () => {
    const secure = serviceOn(db, 'https://learn.example')
    const client = new AccountClient(secure, 'https://learn.example')
    const body = JSON.stringify(newPerson())
    const headers = { 'Content-Type': 'application/json' }
    const response = await client.fetch('/account/register', { method: 'POST', headers, body })
    const cookie = response.headers.getSetCookie().find((line) => line.includes('session_token='))
    expect(cookie).toMatch(/^__Host-learnify\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax/)
    expect(cookie).not.toContain('Domain')
  })

  it('refuses a disabled account, and ends its sessions at once', async () => {
    const { person, client } = await registered()
    await setDisabled(db, person.email, true)
    expect(await client.user()).toBeNull()
    const { email, password } = person
    expect((await browser().send('POST', '/login', { email, password })).body.code).toBe('user-disabled')
    await setDisabled(db, person.email, false)
    expect((await browser().send('POST', '/login', { email, password })).status).toBe(200)
  })
})

describe('wrong passwords', () => {
  it('are refused after five, the right one too, until the window is over', async () => {
    const { person } = await registered()
    const attempt = (password: string) => browser().send('POST', '/login', { email: person.email, password })
    for (const count of [1, 2, 3, 4, 5]) expect((await attempt(`wrong-${count}`)).body.code).toBe('wrong-password')
    expect(await attempt(person.password)).toEqual({
      status: 429,
      body: { success: false, code: 'too-many-requests' },
    })
    now += 15 * 60_000
    expect((await attempt(person.password)).status).toBe(200)
  })

  it('of parallel requests are counted one by one, also by two processes', async () => {
    const { person } = await registered()
    const services = [service, serviceOn(db)]
    const attempts = Array.from({ length: 24 }, (_, index) => {
      const client = new AccountClient(services[index % 2] ?? service, publicUrl, `192.0.2.${index}`)
      return client.send('POST', '/login', { email: person.email, password: `wrong-${index}` })
    })
    const codes = (await Promise.all(attempts)).map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'wrong-password')).toHaveLength(5)
    expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(19)
  })

  it('are forgotten after the right one', async () => {
    const { person } = await registered()
    const attempt = (password: string) => browser().send('POST', '/login', { email: person.email, password })
    for (const round of [1, 2]) {
      for (const count of [1, 2, 3, 4]) await attempt(`wrong-${round}-${count}`)
      expect((await attempt(person.password)).status).toBe(200)
    }
  })

  it('do not lock out ten right ones at once', async () => {
    const { person } = await registered()
    const { email, password } = person
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => browser().send('POST', '/login', { email, password })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  it('from one address are limited, whichever accounts they try', async () => {
    const tries = []
    for (let count = 0; count < 32; count += 1) {
      tries.push(
        await browser('192.0.2.99').send('POST', '/login', { email: `u${count}@test.example`, password: 'secret12' }),
      )
    }
    expect(tries.slice(0, 30).every(({ status }) => status === 404)).toBe(true)
    expect(tries.slice(30).every(({ status }) => status === 429)).toBe(true)
  })

  it('leave neither account nor address readable in the counters', async () => {
    const keys = (await db.select().from(rateLimits)).map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => /\d+\.\d+\.\d+|@/.test(key))).toEqual([])
  })
})

describe('a browser that signed in before', () => {
  const guess = (email: string) => browser('192.0.2.7').send('POST', '/login', { email, password: 'a guess 1' })

  it('is not locked out by wrong passwords of strangers', async () => {
    const { person, client } = await registered()
    const { email, password } = person
    for (let count = 0; count < 8; count += 1) await guess(email)
    expect((await browser().send('POST', '/login', { email, password })).status).toBe(429)
    expect((await client.send('POST', '/login', { email, password })).status).toBe(200)
    await client.send('POST', '/logout', {})
    expect((await client.send('POST', '/login', { email, password })).status).toBe(200)
  })

  it('has a count of its own, after which the right password is refused, too', async () => {
    const { person, client } = await registered()
    const { email, password } = person
    for (let count = 0; count < 10; count += 1)
      expect((await client.send('POST', '/login', { email, password: `wrong-${count}` })).body.code).toBe(
        'wrong-password',
      )
    expect((await client.send('POST', '/login', { email, password })).body.code).toBe('too-many-requests')
  })

  it('is one to its own account only', async () => {
    const { client: attacker } = await registered()
    const { person } = await registered()
    for (let count = 0; count < 5; count += 1) await guess(person.email)
    const answer = await attacker.send('POST', '/login', { email: person.email, password: 'a guess 2' })
    expect(answer.body.code).toBe('too-many-requests')
  })

  it('is a stranger again once the password is another', async () => {
    const { person, client } = await registered()
    const { email } = person
    const token = await resetToken(email)
    await browser().send('POST', '/new-password', { token, password: 'different9' })
    for (let count = 0; count < 5; count += 1) await guess(email)
    const answer = await client.send('POST', '/login', { email, password: 'different9' })
    expect(answer.body.code).toBe('too-many-requests')
  })

  it('is made by a new password, which lets the owner in elsewhere', async () => {
    const { person } = await registered()
    const { email } = person
    for (let count = 0; count < 6; count += 1) await guess(email)
    const elsewhere = browser()
    const token = await resetToken(email)
    await elsewhere.send('POST', '/new-password', { token, password: 'different9' })
    for (let count = 0; count < 6; count += 1) await guess(email)
    expect((await elsewhere.send('POST', '/login', { email, password: 'different9' })).status).toBe(200)
  })

  it('has a cookie that scripts cannot read, lasts half a year, and signs nobody in', async () => {
    const { person, client } = await registered()
    const body = JSON.stringify({ email: person.email, password: person.password })
    const headers = { 'Content-Type': 'application/json' }
    const response = await client.fetch('/account/login', { method: 'POST', headers, body })
    const cookie = response.headers.getSetCookie().find((line) => line.includes('known_browser='))
    expect(cookie).toMatch(/Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax/)
    const holder = browser()
    const [name, value] = [...client.cookies].find(([key]) => key.endsWith('known_browser')) ?? ['', '']
    holder.cookies.set(name, value)
    expect(await holder.user()).toBeNull()
  })
})

describe('an address that many share', () => {
  it('lets a class of 40 register and sign in at the same time', async () => {
    const pupils = Array.from({ length: 40 }, newPerson)
    const at = '198.51.100.251'
    const made = await Promise.all(pupils.map((person) => browser(at).send('POST', '/register', person)))
    expect(made.filter(({ status }) => status !== 200)).toEqual([])
    const login = ({ email, password }: { email: string; password: string }) =>
      browser(at).send('POST', '/login', { email, password })
    const signedIn = await Promise.all(pupils.map(login))
    expect(signedIn.filter(({ status }) => status !== 200)).toEqual([])
  })

  it('cannot be cleared by somebody who signs in to an account of their own', async () => {
    const at = '198.51.100.252'
    const { person } = await registered()
    const { email, password } = person
    for (let count = 0; count < 29; count += 1)
      await browser(at).send('POST', '/login', { email: `nobody-${count}@test.example`, password: 'secret12' })
    expect((await browser(at).send('POST', '/login', { email, password })).status).toBe(200)
    const again = () => browser(at).send('POST', '/login', { email: 'nobody@test.example', password: 'secret12' })
    expect((await again()).status).toBe(404)
    expect((await again()).status).toBe(429)
  })
})

describe('more passwords at once than can be checked in good time', () => {
  it('are refused with a sentence and a time to come back', async () => {
    const { person } = await registered()
    const clients = Array.from({ length: 120 }, (_, index) => browser(`192.0.2.${index}`))
    const headers = { 'Content-Type': 'application/json' }
    const answers = await Promise.all(
      clients.map((client, index) => {
        const body = JSON.stringify({ ...newPerson(), email: `crowd-${index}@test.example` })
        return client.fetch('/account/register', { method: 'POST', headers, body })
      }),
    )
    const busy = answers.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]?.headers.get('retry-after')).toBe('5')
    expect(await busy[0]?.json()).toEqual({ success: false, code: 'busy' })
    expect(answers.filter(({ status }) => status !== 503 && status !== 200)).toEqual([])
    expect((await browser().send('POST', '/login', { email: person.email, password: person.password })).status).toBe(
      200,
    )
  })
})

describe('sessions', () => {
  it('end with logout, in this browser only', async () => {
    const { person, client } = await registered()
    const other = browser()
    await other.send('POST', '/login', { email: person.email, password: person.password })
    expect(await client.send('POST', '/logout', {})).toEqual({ status: 200, body: { success: true } })
    expect(await client.user()).toBeNull()
    expect(await other.user()).not.toBeNull()
  })

  it('of a cookie that was copied before the logout are over, too', async () => {
    const { client } = await registered()
    const thief = browser()
    thief.cookies = new Map(client.cookies)
    await client.send('POST', '/logout', {})
    expect(await thief.user()).toBeNull()
  })

  it('need a cookie that this product signed', async () => {
    const { client } = await registered()
    const [name, value] = [...client.cookies].find(([key]) => key.endsWith('session_token')) ?? ['', '']
    const forger = browser()
    forger.cookies.set(name, `${value.slice(0, -6)}AAAAA%3D`)
    expect(await forger.user()).toBeNull()
  })

  it('expire', async () => {
    const { client } = await registered()
    const uid = (await client.user())?.uid ?? ''
    await db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.userId, uid))
    expect(await client.user()).toBeNull()
  })

  it('are replaced, not added to, by another sign-in of the same browser', async () => {
    const { person, client } = await registered()
    const uid = (await client.user())?.uid ?? ''
    await client.send('POST', '/login', { email: person.email, password: person.password })
    expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
  })

  it('keep no address of the learner', async () => {
    await registered()
    const rows = await db.select({ ip: sessions.ipAddress }).from(sessions)
    expect(rows.filter(({ ip }) => ip)).toEqual([])
  })
})

describe('a password reset', () => {
  it('works once, ends every session, and lets the new password in', async () => {
    const { person, client } = await registered()
    const token = await resetToken(person.email)
    expect((await browser().send('POST', '/new-password', { token, password: 'different9' })).status).toBe(200)
    expect(await client.user()).toBeNull()
    const signIn = (password: string) => browser().send('POST', '/login', { email: person.email, password })
    expect((await signIn(person.password)).body.code).toBe('wrong-password')
    expect((await signIn('different9')).status).toBe(200)
    expect((await browser().send('POST', '/new-password', { token, password: 'third-one' })).body.code).toBe(
      'link-expired',
    )
  })

  it('is done by exactly one of two requests at once', async () => {
    const { person } = await registered()
    const token = await resetToken(person.email)
    const answers = await Promise.all(
      ['first-one', 'second-one'].map((password) => browser().send('POST', '/new-password', { token, password })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('makes the older links of the account useless', async () => {
    const { person } = await registered()
    const older = await resetToken(person.email)
    const newer = await resetToken(person.email)
    await browser().send('POST', '/new-password', { token: newer, password: 'different9' })
    expect((await browser().send('POST', '/new-password', { token: older, password: 'third-one' })).status).toBe(410)
  })

  it('refuses a weak password without using up the link', async () => {
    const { person } = await registered()
    const token = await resetToken(person.email)
    expect((await browser().send('POST', '/new-password', { token, password: '12345' })).body.code).toBe(
      'weak-password',
    )
    expect((await browser().send('POST', '/new-password', { token, password: 'different9' })).status).toBe(200)
  })

  it('is refused for unknown addresses, and after five mails an hour to one', async () => {
    const { person } = await registered()
    const ask = (email: string) => browser().send('POST', '/forgot-password', { email })
    expect((await ask('nobody@test.example')).body.code).toBe('user-not-found')
    for (const _ of [1, 2, 3, 4, 5]) expect((await ask(person.email)).status).toBe(200)
    expect((await ask(person.email)).status).toBe(429)
  })
})

describe('user documents', () => {
  it('are read, written and updated by their own learner', async () => {
    const { client } = await registered()
    const uid = (await client.user())?.uid ?? ''
    const document = {
      firstName: 'Grace',
      lastName: 'Hopper',
      phone: null,
      location: 'Arlington',
      timezone: 'America/New_York',
    }
    expect((await client.send('PUT', `/users/${uid}`, document)).body).toEqual({ success: true })
    expect(
      (await client.send('PATCH', `/users/${uid}`, { phone: '555 0100', lastLoginAt: new Date().toISOString() }))
        .status,
    ).toBe(200)
    const { user } = (await client.send('GET', `/users/${uid}`)).body
    expect(user).toMatchObject({ ...document, phone: '555 0100', displayName: 'Grace Hopper' })
  })

  it('take what is empty as not given, like the settings form', async () => {
    const { client } = await registered()
    const uid = (await client.user())?.uid ?? ''
    await client.send('PATCH', `/users/${uid}`, { phone: ' 555 0100 ', location: 'Lisbon' })
    expect(await client.user()).toMatchObject({ phone: '555 0100', location: 'Lisbon' })
    await client.send('PATCH', `/users/${uid}`, { phone: '', location: null })
    expect(await client.user()).toMatchObject({ phone: null, location: null })
  })

  it('of others are closed, as is one’s own to a visitor', async () => {
    const { client } = await registered()
    const { client: stranger } = await registered()
    const uid = (await client.user())?.uid ?? ''
    for (const method of ['GET', 'PATCH'] as const) {
      const body = method === 'PATCH' ? { firstName: 'Mallory' } : undefined
      expect((await stranger.send(method, `/users/${uid}`, body)).status).toBe(403)
      expect((await browser().send(method, `/users/${uid}`, body)).status).toBe(401)
    }
    expect((await client.user())?.firstName).toBe('Ada')
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
    const { client } = await registered()
    const uid = (await client.user())?.uid ?? ''
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
    const { client } = await registered()
    expect(await client.send(method, path, method === 'POST' ? {} : undefined)).toEqual({
      status: 404,
      body: { success: false, code: 'not-found' },
    })
  })
})

describe('the demo account', () => {
  it('signs in with what the login page shows, and nobody changes its password', async () => {
    await keepDemoAccount(db, true)
    const { email } = demoCredentials
    expect((await browser().send('POST', '/login', demoCredentials)).status).toBe(200)
    const token = await resetToken(email)
    const answer = await browser().send('POST', '/new-password', { token, password: 'Another-2026' })
    expect(answer.body.code).toBe('demo-account')
    expect((await browser().send('POST', '/login', demoCredentials)).status).toBe(200)
  })

  it('switched off signs nobody in, switched on again it does', async () => {
    await keepDemoAccount(db, false)
    expect((await browser().send('POST', '/login', demoCredentials)).body.code).toBe('user-disabled')
    await Promise.all([keepDemoAccount(db, true), keepDemoAccount(db, true)])
    expect((await browser().send('POST', '/login', demoCredentials)).status).toBe(200)
  })
})
