import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

/*
 * These tests attack the account pages from another site, from another account and from a browser
 * of the attacker.
 */

const host = 'localhost:3000'
const origin = `http://${host}`
const formHeaders = {
  Host: host,
  Origin: origin,
  'Content-Type': 'application/x-www-form-urlencoded',
}
const jsonHeaders = { Host: host, Origin: origin, 'Content-Type': 'application/json' }
const password = 'Analytical-1843'
let server: ProductServer

type Person = { uid: string; email: string; Cookie: string }
let ada: Person
let eve: Person

async function signUp(name: string): Promise<Person> {
  const email = `${name}@test.example`
  const response = await postJson('/register', {
    email,
    password,
    firstName: name,
    lastName: 'King',
  })
  expect(response.status).toBe(200)

  const [user] = await server.db.select().from(tables.users).where(eq(tables.users.email, email))
  if (!user) {
    throw new Error(`${name} could not sign up.`)
  }

  return { uid: user.id, email, Cookie: getCookies(response) }
}

const getCookies = ({ headers }: { headers: { 'set-cookie'?: string[] } }) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')

/** Calls an operation of the account service. */
const postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.request(`/account${path}`, {
    method: 'POST',
    headers: { ...jsonHeaders, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Submits the form of a page. */
const postForm = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  server.request(path, {
    method: 'POST',
    headers: { ...formHeaders, ...headers },
    body: new URLSearchParams(fields).toString(),
  })

const getPage = (path: string, headers: Record<string, string> = {}) =>
  server.request(path, { headers: { Host: host, ...headers } })

beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: origin, PORT: '3000' })
  ada = await signUp('ada')
  eve = await signUp('eve')
})
afterAll(() => server.stop())

/** Reads everything that these pages store about an account. */
async function readAccount(uid: string) {
  const { db } = server
  const listIds = (
    table: typeof tables.sessions | typeof tables.identities | typeof tables.passkeys,
  ) => db.select({ id: table.id }).from(table).where(eq(table.userId, uid))

  return {
    user: await db.select().from(tables.users).where(eq(tables.users.id, uid)),
    sessions: await listIds(tables.sessions),
    identities: await listIds(tables.identities),
    passkeys: await listIds(tables.passkeys),
    twoFactor: await db.select().from(tables.twoFactor).where(eq(tables.twoFactor.uid, uid)),
  }
}

/** The forms of these pages that change something. */
const forms: [path: string, fields: Record<string, string>][] = [
  ['/Login', { email: 'ada@test.example', password }],
  ['/SignUp', { email: 'new@test.example', password }],
  ['/ResetPassword', { email: 'ada@test.example' }],
  ['/SecondStep', { code: '123456' }],
  ['/ConfirmEmail', { token: 'x' }],
  ['/NotMe', { key: 'x' }],
  ['/Confirm', { proof: 'password', password }],
  ['/Profile/settings', { firstName: 'Eve', lastName: 'King' }],
  [
    '/Profile/settings?form=password',
    { currentPassword: password, password: 'x', confirmPassword: 'x' },
  ],
  ['/Profile/settings?form=devices', { others: 'all' }],
  ['/Profile/sign-in', { intent: 'remove', way: 'credential' }],
  ['/Profile/two-step', { intent: 'begin' }],
  ['/OwnData', { uid: 'ada', password }],
]

describe('another site', () => {
  it.each(['https://evil.example', 'null', 'http://localhost:3001', `${origin}.evil.example`, ''])(
    'with the origin %j can change nothing by a form or an operation of the account service',
    async (Origin) => {
      const accountBefore = await readAccount(ada.uid)
      for (const [path, fields] of forms) {
        const { status } = await postForm(path, fields, { Origin, Cookie: ada.Cookie })
        expect([path, status]).toEqual([path, 403])
      }

      for (const path of [
        '/login',
        '/logout',
        '/register',
        '/forgot-password',
        '/new-passkey',
        '/second-step',
      ]) {
        const { status } = await postJson(path, {}, { Origin, Cookie: ada.Cookie })
        expect([path, status]).toEqual([path, 403])
      }

      expect(await readAccount(ada.uid)).toEqual(accountBefore)
    },
  )

  it('changes nothing by a link to the school, whatever its query contains', async () => {
    const accountBefore = await readAccount(ada.uid)
    for (const [path, fields] of forms) {
      const url = new URL(path, origin)
      for (const [name, value] of Object.entries(fields)) {
        url.searchParams.set(name, value)
      }

      await getPage(url.pathname + url.search, { Cookie: ada.Cookie })
    }

    for (const path of [
      '/logout',
      '/login',
      '/passkey',
      '/social-end?error=x',
      '/callback/google?code=x&state=y',
    ]) {
      await getPage(`/account${path}`, { Cookie: ada.Cookie })
    }

    expect(await readAccount(ada.uid)).toEqual(accountBefore)
    expect((await getPage('/Profile', { Cookie: ada.Cookie })).status).toBe(200)
  })

  it('is not the target of a redirect or a link of the school', async () => {
    const urlsOfOtherSite = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/%09/evil.example',
      '/.//evil.example',
    ]

    for (const from of urlsOfOtherSite) {
      const query = new URLSearchParams({ from })
      const login = await postForm(`/Login?${query}`, { email: ada.email, password })
      expect([from, login.status, login.headers.location]).toEqual([
        from,
        303,
        expect.stringMatching(/^\/(?!\/)/),
      ])
      expect(login.headers.location).not.toMatch(/^\/[\\%]*\/?evil/)

      const socialEnd = await getPage(`/account/social-end?${query}`)
      expect(socialEnd.headers.location).toMatch(/^\/(?!\/)/)

      for (const page of ['/Login', '/SignUp', '/Confirm']) {
        expect((await getPage(`${page}?${query}`, { Cookie: ada.Cookie })).body).not.toMatch(
          /(href|action)="[^"?]*evil/,
        )
      }
    }
  })

  it.each(['toString', '__proto__', 'constructor', 'x'])(
    'cannot make the login report the unknown error %s of a provider',
    async (error) => {
      const response = await getPage(`/account/social-end?error=${error}`)

      expect(response.headers.location).toBe('/Login?error=internal-error')
    },
  )

  it('cannot replace the school’s host by a header', async () => {
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.example',
    }

    for (const path of ['/account/social/google', '/ResetPassword', '/Login', '/Profile']) {
      const response = await getPage(path, headers)
      expect([path, JSON.stringify(response).includes('evil.example')]).toEqual([path, false])

      const { status } = await server.request(path, { headers: { Host: 'evil.example' } })
      expect(status).toBe(421)
    }

    const socialStart = await getPage('/account/social/google')
    const providerUrl = new URL(socialStart.headers.location ?? '')
    expect(providerUrl.searchParams.get('redirect_uri')).toBe(`${origin}/account/callback/google`)
  })
})

describe('another account', () => {
  it('can neither end, change nor see what belongs to another learner', async () => {
    const { db } = server
    const [session] = await db
      .select()
      .from(tables.sessions)
      .where(eq(tables.sessions.userId, ada.uid))
    const passkey = {
      name: 'Phone',
      publicKey: 'key',
      credentialID: 'credential-ada',
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
    }

    await db.insert(tables.passkeys).values({ id: 'p-ada', userId: ada.uid, ...passkey })
    const accountBefore = await readAccount(ada.uid)
    const { Cookie } = eve
    await postForm('/Profile/settings?form=devices', { device: session?.id ?? '' }, { Cookie })
    await postForm('/Profile/sign-in', { intent: 'remove-passkey', id: 'p-ada' }, { Cookie })
    await postForm(
      '/Profile/sign-in',
      { intent: 'rename-passkey', id: 'p-ada', name: 'Mine' },
      { Cookie },
    )

    await postForm('/OwnData', { uid: ada.uid, password }, { Cookie })
    for (const method of ['GET', 'PUT', 'PATCH']) {
      const { status } = await server.request(`/account/users/${ada.uid}`, {
        method,
        headers: { ...jsonHeaders, Cookie },
        ...(method !== 'GET' && { body: '{"firstName":"Eve"}' }),
      })
      expect(status).toBeGreaterThanOrEqual(400)
    }

    for (const path of ['/Profile/settings', '/Profile/sign-in']) {
      expect((await getPage(path, { Cookie })).body).not.toContain(ada.email)
    }

    expect(await readAccount(ada.uid)).toEqual(accountBefore)
  })

  it('can set no field of its record that its form doesn’t have', async () => {
    const headers = { ...jsonHeaders, Cookie: eve.Cookie }

    for (const field of [
      'role',
      'banned',
      'emailVerified',
      'email',
      'uid',
      'provider',
      '__proto__',
      'constructor',
    ]) {
      const body = `{"firstName":"Eve","${field}":"admin"}`
      await server.request(`/account/users/${eve.uid}`, { method: 'PATCH', headers, body })
    }

    const [user] = await server.db.select().from(tables.users).where(eq(tables.users.id, eve.uid))

    expect(user).toMatchObject({
      role: 'learner',
      banned: false,
      emailVerified: false,
      email: eve.email,
      provider: 'email',
    })

    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })
})

describe('a browser', () => {
  const getSessionToken = (cookies: string) => /session_token=([^;]+)/.exec(cookies)?.[1]

  async function readSessionUser(Cookie: string) {
    const { body } = await getPage('/account/session', { Cookie })
    return JSON.parse(body).user
  }

  it('with the session cookie of an attacker gets a session of its own by signing in', async () => {
    const attackerCookies = eve.Cookie
    const login = await postJson(
      '/login',
      { email: ada.email, password },
      { Cookie: attackerCookies },
    )
    const ownCookies = getCookies(login)
    expect(getSessionToken(ownCookies)).toBeDefined()
    expect(getSessionToken(ownCookies)).not.toBe(getSessionToken(attackerCookies))

    const logout = await postJson('/logout', {}, { Cookie: attackerCookies })
    expect(JSON.parse(logout.body).success).toBe(true)
    expect((await readSessionUser(ownCookies)).uid).toBe(ada.uid)
    // The attacker's session ended when Ada signed in.
    expect(await readSessionUser(attackerCookies)).toBeNull()
  })

  it.each(['forged', 'forged.c2lnbmF0dXJl', '%00', 'x'.repeat(4000)])(
    'with a session token that the school has not signed is a visitor (%#)',
    async (token) => {
      expect(await readSessionUser(`learnify-3000.session_token=${token}`)).toBeNull()
    },
  )

  it('cannot insert a header into an email with a line break in a name or email address', async () => {
    const person = {
      email: 'mallory@test.example',
      password,
      firstName: 'Mallory',
      lastName: 'King',
    }
    const headerInjections = ['\r\nBcc: all@evil.example', '\nBcc: all@evil.example']
    for (const injection of headerInjections) {
      const firstName = `Mallory${injection}`
      const lastName = `King${injection}`
      expect((await postJson('/register', { ...person, firstName })).status).toBe(400)
      expect((await postJson('/register', { ...person, lastName })).status).toBe(400)
    }

    for (const injection of [...headerInjections, '\u2028x', '\0']) {
      const email = `mallory${injection}@test.example`
      expect((await postJson('/register', { ...person, email })).status).toBe(400)

      const reset = await postJson('/forgot-password', { email: `${ada.email}${injection}` })
      expect(reset.status).toBeGreaterThanOrEqual(400)
    }

    const users = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.lastName, 'King'))
    expect(users.map(({ email }) => email).toSorted()).toEqual([ada.email, eve.email])
  })

  it('cannot send more data than a form has', async () => {
    const longPassword = 'x'.repeat(70_000)
    const login = await postJson('/login', { email: ada.email, password: longPassword })
    expect(login.status).toBe(413)

    for (const [path] of forms) {
      const { status } = await postForm(path, { password: longPassword }, { Cookie: ada.Cookie })
      expect([path, status]).toEqual([path, 413])
    }

    const manyFields = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${index}`, '']),
    )
    expect((await postForm('/Login', manyFields)).status).toBe(413)

    const deeplyNestedJson = '['.repeat(20_000)
    expect((await postJson('/login', deeplyNestedJson)).status).toBe(400)
  })

  it('learns nothing about an account by a passkey offer, a code or a link', async () => {
    const offer = JSON.parse((await postJson('/passkey-offer', {})).body)
    expect(offer.options.allowCredentials ?? []).toEqual([])

    const enterSecondStepCode = async (headers?: Record<string, string>) => {
      const { body } = await postJson('/second-step', { code: '123456' }, headers)
      return JSON.parse(body).code
    }
    const forgedCookie = { Cookie: 'learnify-3000.second_step=made-up.password.forget' }
    expect(await enterSecondStepCode()).toBe('second-step-over')
    expect(await enterSecondStepCode(forgedCookie)).toBe('second-step-over')

    for (const token of ['x', ada.uid, 'x'.repeat(200)]) {
      const { body } = await postJson('/new-password', { token, password })
      expect(JSON.parse(body).code).toBe('link-expired')
    }

    const recoveryPage = await getPage('/NotMe?key=made-up')
    expect(recoveryPage.status).toBe(200)
    expect(recoveryPage.body).not.toContain(ada.email)

    const isPasswordOfAda = and(
      eq(tables.identities.userId, ada.uid),
      eq(tables.identities.providerId, 'credential'),
    )
    expect(await server.db.$count(tables.identities, isPasswordOfAda)).toBe(1)
  })
})
