import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

/* Attacks on the account pages: from another site, from another account, and from the attacker's own browser. */

const host = 'localhost:3000'
const origin = `http://${host}`
const form = { Host: host, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' }
const password = 'Analytical-1843'
let server: ProductServer

type Person = { uid: string; email: string; Cookie: string }
let ada: Person
let eve: Person

async function signUp(name: string): Promise<Person> {
  const email = `${name}@test.example`
  const answer = await json('/register', { email, password, firstName: name, lastName: 'King' })

  expect(answer.status).toBe(200)

  const [user] = await server.db.select().from(tables.users).where(eq(tables.users.email, email))

  return { uid: user?.id ?? '', email, Cookie: getCookies(answer) }
}

const getCookies = ({ headers }: { headers: { 'set-cookie'?: string[] } }) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')

const json = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.request(`/account${path}`, {
    method: 'POST',
    headers: { Host: host, Origin: origin, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const post = (
  address: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  server.request(address, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: new URLSearchParams(fields).toString(),
  })

const get = (address: string, headers: Record<string, string> = {}) =>
  server.request(address, { headers: { Host: host, ...headers } })

beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: origin, PORT: '3000' })
  ada = await signUp('ada')
  eve = await signUp('eve')
})
afterAll(() => server.stop())

/** Reads everything that these pages store about an account. */
async function stored(uid: string) {
  const { db } = server
  const of = (table: typeof tables.sessions | typeof tables.identities | typeof tables.passkeys) =>
    db.select({ id: table.id }).from(table).where(eq(table.userId, uid))

  return {
    user: await db.select().from(tables.users).where(eq(tables.users.id, uid)),
    sessions: await of(tables.sessions),
    identities: await of(tables.identities),
    passkeys: await of(tables.passkeys),
    twoFactor: await db.select().from(tables.twoFactor).where(eq(tables.twoFactor.uid, uid)),
  }
}

/** Every change on these pages, as its form sends it. */
const changes: [address: string, fields: Record<string, string>][] = [
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
    'from %j sends no change, by any form and any operation',
    async (Origin) => {
      const before = await stored(ada.uid)
      for (const [address, fields] of changes) {
        expect([
          address,
          (await post(address, fields, { Origin, Cookie: ada.Cookie })).status,
        ]).toEqual([address, 403])
      }

      for (const path of [
        '/login',
        '/logout',
        '/register',
        '/forgot-password',
        '/new-passkey',
        '/second-step',
      ]) {
        expect([path, (await json(path, {}, { Origin, Cookie: ada.Cookie })).status]).toEqual([
          path,
          403,
        ])
      }

      expect(await stored(ada.uid)).toEqual(before)
    },
  )

  it('changes nothing by leading somebody to an address, whatever stands in it', async () => {
    const before = await stored(ada.uid)
    for (const [address, fields] of changes) {
      const query = new URLSearchParams(fields).toString()
      await get(`${address}${address.includes('?') ? '&' : '?'}${query}`, { Cookie: ada.Cookie })
    }

    for (const path of [
      '/logout',
      '/login',
      '/passkey',
      '/social-end?error=x',
      '/callback/google?code=x&state=y',
    ]) {
      await get(`/account${path}`, { Cookie: ada.Cookie })
    }

    expect(await stored(ada.uid)).toEqual(before)
    expect((await get('/Profile', { Cookie: ada.Cookie })).status).toBe(200)
  })

  it('is led to from no address of ours', async () => {
    const elsewhere = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/%09/evil.example',
      '/.//evil.example',
    ]

    for (const from of elsewhere) {
      const query = new URLSearchParams({ from })
      const signedIn = await post(`/Login?${query}`, { email: ada.email, password })

      expect([from, signedIn.status, signedIn.headers.location]).toEqual([
        from,
        303,
        expect.stringMatching(/^\/(?!\/)/),
      ])

      expect(signedIn.headers.location).not.toMatch(/^\/[\\%]*\/?evil/)

      const end = await get(`/account/social-end?${query}`)

      expect(end.headers.location).toMatch(/^\/(?!\/)/)

      for (const page of ['/Login', '/SignUp', '/Confirm']) {
        expect((await get(`${page}?${query}`, { Cookie: ada.Cookie })).body).not.toMatch(
          /(href|action)="[^"?]*evil/,
        )
      }
    }
  })

  it('reports an error of a provider by a known code only, whatever the URL says', async () => {
    for (const error of ['toString', '__proto__', 'constructor', 'x']) {
      const end = await get(`/account/social-end?error=${error}`)

      expect(end.headers.location).toBe('/Login?error=internal-error')
    }
  })

  it('names no host by a header', async () => {
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.example',
    }

    for (const address of ['/account/social/google', '/ResetPassword', '/Login', '/Profile']) {
      const answer = await get(address, headers)

      expect([address, JSON.stringify(answer).includes('evil.example')]).toEqual([address, false])
      expect((await server.request(address, { headers: { Host: 'evil.example' } })).status).toBe(
        421,
      )
    }

    const start = new URL((await get('/account/social/google')).headers.location ?? '')

    expect(start.searchParams.get('redirect_uri')).toBe(`${origin}/account/callback/google`)
  })
})

describe('another account', () => {
  it('ends, changes and sees nothing of somebody else’s', async () => {
    const { db } = server
    const [device] = await db
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
    const before = await stored(ada.uid)
    const { Cookie } = eve
    await post('/Profile/settings?form=devices', { device: device?.id ?? '' }, { Cookie })
    await post('/Profile/sign-in', { intent: 'remove-passkey', id: 'p-ada' }, { Cookie })
    await post(
      '/Profile/sign-in',
      { intent: 'rename-passkey', id: 'p-ada', name: 'Mine' },
      { Cookie },
    )

    await post('/OwnData', { uid: ada.uid, password }, { Cookie })
    const document = { Cookie, Host: host, Origin: origin, 'Content-Type': 'application/json' }
    for (const method of ['GET', 'PUT', 'PATCH']) {
      expect(
        (
          await server.request(`/account/users/${ada.uid}`, {
            method,
            headers: document,
            ...(method !== 'GET' && { body: '{"firstName":"Eve"}' }),
          })
        ).status,
      ).toBeGreaterThanOrEqual(400)
    }

    for (const address of ['/Profile/settings', '/Profile/sign-in']) {
      expect((await get(address, { Cookie })).body).not.toContain(ada.email)
    }

    expect(await stored(ada.uid)).toEqual(before)
  })

  it('gets no field of the record that its form doesn’t have', async () => {
    const headers = {
      Host: host,
      Origin: origin,
      'Content-Type': 'application/json',
      Cookie: eve.Cookie,
    }

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
  it('whose cookies somebody else has planted gets a session of its own', async () => {
    const planted = eve.Cookie
    const answer = await json('/login', { email: ada.email, password }, { Cookie: planted })
    const token = (cookies: string) => /session_token=([^;]+)/.exec(cookies)?.[1]

    expect(token(getCookies(answer))).toBeDefined()
    expect(token(getCookies(answer))).not.toBe(token(planted))
    expect(JSON.parse((await json('/logout', {}, { Cookie: planted })).body).success).toBe(true)

    const session = await get('/account/session', { Cookie: getCookies(answer) })

    expect(JSON.parse(session.body).user.uid).toBe(ada.uid)
    // The planted session ended with the sign-in.
    expect(JSON.parse((await get('/account/session', { Cookie: planted })).body).user).toBeNull()
  })

  it('that makes a token up, or takes its signature off, is a visitor', async () => {
    for (const value of ['made-up', 'made-up.c2lnbmF0dXJl', '%00', 'x'.repeat(4000)]) {
      const answer = await get('/account/session', {
        Cookie: `learnify-3000.session_token=${value}`,
      })
      expect(JSON.parse(answer.body).user).toBeNull()
    }
  })

  it('sends no line break into an email, by name or address', async () => {
    const base = { email: 'mallory@test.example', password, firstName: 'Mallory', lastName: 'King' }
    const breaks = ['\r\nBcc: all@evil.example', '\nBcc: all@evil.example', '\u2028x', '\0']
    for (const end of breaks.slice(0, 2)) {
      expect((await json('/register', { ...base, firstName: `Mallory${end}` })).status).toBe(400)
      expect((await json('/register', { ...base, lastName: `King${end}` })).status).toBe(400)
    }

    for (const end of breaks) {
      expect(
        (await json('/register', { ...base, email: `mallory${end}@test.example` })).status,
      ).toBe(400)
      expect(
        (await json('/forgot-password', { email: `${ada.email}${end}` })).status,
      ).toBeGreaterThanOrEqual(400)
    }

    const names = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.lastName, 'King'))

    expect(names.map(({ email }) => email).toSorted()).toEqual([ada.email, eve.email])
  })

  it('sends no more than a form has', async () => {
    const long = 'x'.repeat(70_000)

    expect((await json('/login', { email: ada.email, password: long })).status).toBe(413)

    for (const [address] of changes) {
      expect([
        address,
        (await post(address, { password: long }, { Cookie: ada.Cookie })).status,
      ]).toEqual([address, 413])
    }

    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, '']))

    expect((await post('/Login', fields)).status).toBe(413)
    expect((await json('/login', `${'['.repeat(20_000)}`)).status).toBe(400)
  })

  it('learns nothing of an account by a passkey’s offer, a code or a link', async () => {
    const offer = JSON.parse((await json('/passkey-offer', {})).body)

    expect(offer.options.allowCredentials ?? []).toEqual([])

    const madeUp = { Cookie: 'learnify-3000.second_step=made-up.password.forget' }
    const atStep = async (headers?: Record<string, string>) =>
      JSON.parse((await json('/second-step', { code: '123456' }, headers)).body).code
    const codes = [await atStep(), await atStep(madeUp)]

    expect(codes).toEqual(['second-step-over', 'second-step-over'])

    for (const token of ['x', ada.uid, 'x'.repeat(200)]) {
      expect(JSON.parse((await json('/new-password', { token, password })).body).code).toBe(
        'link-expired',
      )
    }

    const { db } = server
    const unknown = await get('/NotMe?key=made-up')

    expect([unknown.status, unknown.body.includes(ada.email)]).toEqual([200, false])

    const isAda = and(
      eq(tables.identities.userId, ada.uid),
      eq(tables.identities.providerId, 'credential'),
    )

    expect(await db.$count(tables.identities, isAda)).toBe(1)
  })
})
