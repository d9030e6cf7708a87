import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMailedCode } from '~/features/accounts/step-up/mailed-code.server'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, Cookie: '' }
const person = { email: '', password: 'Analytical-1843', firstName: 'Ada', lastName: 'Lovelace' }
let server: ProductServer
let learnerCount = 0
let uid = ''
let email = ''

beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
})
afterAll(() => server.stop())

/** Each test has a learner who signed in a quarter of an hour ago. */
beforeEach(async () => {
  learnerCount += 1
  email = `ada-${learnerCount}@test.example`
  const registration = await server.request('/account/register', {
    method: 'POST',
    headers: { ...headers, Cookie: '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...person, email }),
  })

  headers.Cookie = (registration.headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const [learner] = await server.db.select().from(tables.users).where(eq(tables.users.email, email))
  uid = learner?.id ?? ''
  await ageSignInByQuarterHour()
})

async function ageSignInByQuarterHour() {
  await server.db.execute(sql`
    update sessions set confirmed_at = confirmed_at - interval '15 minutes' where user_id = ${uid}`)
}

/** Requests the own data. Returns the path of a redirect, or the status. */
async function download() {
  const response = await server.request('/OwnData', { method: 'HEAD', headers })
  return response.headers.location ?? response.status
}

const confirmPage = '/Confirm?from=%2FProfile%2Fsettings%3Fconfirmed%3Ddownload%23own-data'

const send = (fields: Record<string, string>, path = confirmPage) =>
  server.request(path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

it('own data is downloaded within 15 minutes of a proof, which is the password', async () => {
  expect(await download()).toBe(confirmPage)
  expect((await server.request(confirmPage, { headers })).body).toContain('Confirm it’s you')
  expect((await send({ proof: 'password', password: 'not-my-password' })).status).toBe(401)
  expect(await download()).toBe(confirmPage)

  const proof = await send({ proof: 'password', password: person.password })
  expect([proof.status, proof.headers.location]).toEqual([
    303,
    '/Profile/settings?confirmed=download#own-data',
  ])
  expect(await download()).toBe(200)

  await ageSignInByQuarterHour()
  expect(await download()).toBe(confirmPage)
})

it('neither the use of the session nor a sign-in in another browser is a proof', async () => {
  await server.db.execute(sql`
    update sessions set updated_at = now() - interval '2 days', created_at = now() - interval '3 days'
    where user_id = ${uid}`)
  await server.request('/account/session', { headers })
  expect(await download()).toBe(confirmPage)

  await server.request('/account/login', {
    method: 'POST',
    headers: { ...headers, Cookie: '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: person.password }),
  })
  expect(await download()).toBe(confirmPage)
})

it('an account without a password is proven by an emailed code, which works once and only for this account', async () => {
  const sendCode = async (code: string) => {
    const { status } = await send({ proof: 'mailed-code', code })
    return status
  }
  const code = await createMailedCode(server.db, uid)
  expect(await sendCode(code)).toBe(400)

  await server.db.delete(tables.identities).where(eq(tables.identities.userId, uid))
  const codeOfOtherAccount = await createMailedCode(server.db, 'demo-learner')
  expect(await sendCode(codeOfOtherAccount)).toBe(401)
  expect(await sendCode(` ${code.toLowerCase()} `)).toBe(303)
  expect(await download()).toBe(200)

  await ageSignInByQuarterHour()
  const expiredCode = await createMailedCode(server.db, uid, Date.now() - 16 * 60_000)
  expect(await sendCode(code)).toBe(401)
  expect(await sendCode(expiredCode)).toBe(401)
  expect(await download()).toBe(confirmPage)

  for (const expectedStatus of [401, 401, 401, 429]) {
    expect(await sendCode('wrong')).toBe(expectedStatus)
  }

  // After too many wrong codes, a correct code is refused as well.
  expect(await sendCode(await createMailedCode(server.db, uid))).toBe(429)

  const isWrongCode = and(
    eq(tables.securityEvents.uid, uid),
    eq(tables.securityEvents.kind, 'wrong-code'),
  )
  expect(await server.db.$count(tables.securityEvents, isWrongCode)).toBe(6)
})

it('a button requests the emailed code, for a limited number of times', async () => {
  await server.db.delete(tables.identities).where(eq(tables.identities.userId, uid))
  const requestCode = () => send({ proof: 'mailed-code', intent: 'send' })
  const { body } = await requestCode()
  expect(body).toContain('We’ve sent you an email with the code.')

  for (let count = 0; count < 10; count++) {
    await requestCode()
  }

  expect((await requestCode()).status).toBe(429)
})

it('a proof never leads to another site', async () => {
  const fields = { proof: 'password', password: person.password }
  const response = await send(fields, '/Confirm?from=https://elsewhere.example/')

  expect(response.headers.location).toBe('/Profile/settings')
})
