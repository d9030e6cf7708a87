import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMailedCode } from '~/features/accounts/step-up/mailed-code.server'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, Cookie: '' }
const person = { email: '', password: 'Analytical-1843', firstName: 'Ada', lastName: 'Lovelace' }
let server: ProductServer
let people = 0
let uid = ''

beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
})
afterAll(() => server.stop())

/** A learner who signed in a quarter of an hour ago. */
beforeEach(async () => {
  people += 1
  const email = `ada-${people}@test.example`
  const answer = await server.request('/account/register', {
    method: 'POST',
    headers: { ...headers, Cookie: '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...person, email }),
  })

  headers.Cookie = (answer.headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  uid =
    (await server.db.select().from(tables.users).where(eq(tables.users.email, email)))[0]?.id ?? ''
  await passAQuarterHour()
})

async function passAQuarterHour() {
  await server.db.execute(sql`
    update sessions set confirmed_at = confirmed_at - interval '15 minutes' where user_id = ${uid}`)
}

const download = async () => {
  const { status, headers: answered } = await server.request('/OwnData', {
    method: 'HEAD',
    headers,
  })
  return answered.location ?? status
}
const confirmPage = '/Confirm?from=%2FProfile%2Fsettings%3Fconfirmed%3Ddownload%23own-data'

const send = (entered: Record<string, string>, address = confirmPage) =>
  server.request(address, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(entered).toString(),
  })

it('own data is downloaded within 15 minutes of a proof, which is the password', async () => {
  expect(await download()).toBe(confirmPage)
  expect((await server.request(confirmPage, { headers })).body).toContain('Confirm it’s you')
  expect((await send({ proof: 'password', password: 'not-my-password' })).status).toBe(401)
  expect(await download()).toBe(confirmPage)

  const right = await send({ proof: 'password', password: person.password })

  expect([right.status, right.headers.location]).toEqual([
    303,
    '/Profile/settings?confirmed=download#own-data',
  ])
  expect(await download()).toBe(200)

  await passAQuarterHour()

  expect(await download()).toBe(confirmPage)
})

it('using the session proves nothing, and a proof is its own session’s', async () => {
  await server.db.execute(sql`
    update sessions set updated_at = now() - interval '2 days', created_at = now() - interval '3 days'
    where user_id = ${uid}`)
  await server.request('/account/session', { headers })

  expect(await download()).toBe(confirmPage)

  const other = { ...headers }
  await server.request('/account/login', {
    method: 'POST',
    headers: { ...headers, Cookie: '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `ada-${people}@test.example`, password: person.password }),
  })

  headers.Cookie = other.Cookie

  expect(await download()).toBe(confirmPage)
})

it('an account without a password proves it by a mailed code, which works once and for it alone', async () => {
  const codeProof = async (code: string) => (await send({ proof: 'mailed-code', code })).status
  const code = await createMailedCode(server.db, uid)

  expect(await codeProof(code)).toBe(400)

  await server.db.delete(tables.identities).where(eq(tables.identities.userId, uid))

  expect(await codeProof(await createMailedCode(server.db, 'demo-learner'))).toBe(401)
  expect(await codeProof(` ${code.toLowerCase()} `)).toBe(303)
  expect(await download()).toBe(200)

  await passAQuarterHour()

  expect(await codeProof(code)).toBe(401)
  expect(await codeProof(await createMailedCode(server.db, uid, Date.now() - 16 * 60_000))).toBe(
    401,
  )
  expect(await download()).toBe(confirmPage)

  for (const expected of [401, 401, 401, 429]) {
    expect(await codeProof('wrong')).toBe(expected)
  }

  expect(await codeProof(await createMailedCode(server.db, uid))).toBe(429)

  const isWrongCode = and(
    eq(tables.securityEvents.uid, uid),
    eq(tables.securityEvents.kind, 'wrong-code'),
  )

  expect(await server.db.$count(tables.securityEvents, isWrongCode)).toBe(6)
})

it('the code is asked for by a button, and sent to the account’s own address', async () => {
  await server.db.delete(tables.identities).where(eq(tables.identities.userId, uid))
  const answer = await send({ proof: 'mailed-code', intent: 'send' })

  expect(answer.body).toContain('We’ve sent you an email with the code.')

  for (let times = 0; times < 10; times++) {
    await send({ proof: 'mailed-code', intent: 'send' })
  }

  expect((await send({ proof: 'mailed-code', intent: 'send' })).status).toBe(429)
})

it('leads to no other site', async () => {
  const entered = { proof: 'password', password: person.password }
  const right = await send(entered, '/Confirm?from=https://elsewhere.example/')

  expect(right.headers.location).toBe('/Profile/settings')
})
