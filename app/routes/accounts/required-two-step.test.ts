import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isTwoFactorRequired } from '~/features/accounts/two-factor/required-two-factor.server'
import { twoFactorTexts } from '~/features/accounts/two-factor/two-factor-texts'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, Cookie: '' }
let server: ProductServer
let uid = ''

beforeAll(async () => {
  server = await startProductServer({
    PUBLIC_URL: `http://${host}`,
    PORT: '3000',
    REQUIRE_TWO_FACTOR: 'all',
  })
  const person = {
    email: 'ada@test.example',
    password: 'Analytical-1843',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }
  const answer = await server.request('/account/register', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  })

  headers.Cookie = (answer.headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  uid =
    (await server.db.select().from(tables.users).where(eq(tables.users.email, person.email)))[0]
      ?.id ?? ''
})
afterAll(() => server.stop())

const open = async (address: string) => {
  const answer = await server.request(address, { headers })
  return answer.headers.location ?? answer.status
}

it('who isn’t prepared gets no further by a request of their own making either', async () => {
  const course = 'python-from-zero'
  const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const [address, body] of [
    ['/Enrollments', `courseIds=${course}`],
    ['/Wishes', `courseId=${course}&wished=yes`],
    ['/Reviews', `intent=remove&course=${course}`],
    ['/Gift/NOSUCHCODE222222', ''],
  ]) {
    const answer = await server.request(address ?? '', { method: 'POST', headers: form, body })
    expect([address, answer.status, answer.headers.location]).toEqual([
      address,
      303,
      '/Profile/two-step',
    ])
  }

  expect(await server.db.$count(tables.enrollments, eq(tables.enrollments.uid, uid))).toBe(0)
  expect(await server.db.$count(tables.wishes, eq(tables.wishes.uid, uid))).toBe(0)
  expect(await open(`/Learn/${course}/names-and-values/film`)).toBe('/Profile/two-step')

  const document = { ...headers, 'Content-Type': 'application/json' }
  const changed = await server.request(`/account/users/${uid}`, {
    method: 'PATCH',
    headers: document,
    body: '{"firstName":"Eve"}',
  })

  expect([changed.status, await open(`/account/users/${uid}`)]).toEqual([403, 403])

  const passkey = await server.request('/account/new-passkey', {
    method: 'POST',
    headers: document,
    body: '{}',
  })

  expect([passkey.status, JSON.parse(passkey.body).code]).toEqual([403, 'forbidden'])
  expect([await open('/Profile/two-step.data'), await open('/ConfirmEmail')]).toEqual([200, 200])
})

it('who isn’t prepared gets to the page that sets it up, without mail and a confirmed address, and no further', async () => {
  for (const address of [
    '/Profile',
    '/Profile/settings',
    '/Practice',
    '/OwnData',
    '/Profile/sign-in',
  ]) {
    expect([address, await open(address)]).toEqual([address, '/Profile/two-step'])
  }

  expect([await open('/Profile/two-step'), await open('/Confirm'), await open('/')]).toEqual([
    200, 200, 200,
  ])

  const begun = await server.request('/Profile/two-step', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'intent=begin',
  })

  expect(begun.body).toContain('Set up your app')
  expect(await open('/Profile')).toBe('/Profile/two-step')

  await server.db
    .update(tables.twoFactor)
    .set({ enabledAt: new Date() })
    .where(eq(tables.twoFactor.uid, uid))

  expect(await open('/Profile')).toBe(200)
})

it('what a page sends by itself is refused, so that it waits in the browser instead of being sent again and again', async () => {
  await server.db.delete(tables.twoFactor).where(eq(tables.twoFactor.uid, uid))
  const form = {
    ...headers,
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
  }

  for (const [address, body] of [
    ['/Enrollments', 'courseIds=python-from-zero'],
    ['/TimeZone', 'timezone=Europe/Berlin'],
  ]) {
    const answer = await server.request(address ?? '', { method: 'POST', headers: form, body })
    expect([address, answer.status, JSON.parse(answer.body)]).toEqual([
      address,
      401,
      twoFactorTexts.required,
    ])
  }
})

it('who isn’t prepared sees nothing of their courses on public pages, and can sign out there', async () => {
  await server.db.delete(tables.twoFactor).where(eq(tables.twoFactor.uid, uid))
  await server.db.insert(tables.wishes).values({ uid, courseId: 'python-from-zero' })
  const viewer = async () => JSON.parse((await server.request('/viewer', { headers })).body)

  expect(await viewer()).toMatchObject({ user: { uid }, wished: [], courses: [], practice: false })

  await server.db.insert(tables.twoFactor).values({
    uid,
    secret: 'x',
    createdAt: new Date(),
    enabledAt: new Date(),
    recoveryHashes: [],
    recoverySalt: '',
  })

  expect(await viewer()).toMatchObject({ user: { uid }, wished: ['python-from-zero'] })
})

it('asks nobody, the staff, or everyone but the demo account', async () => {
  await server.db
    .insert(tables.users)
    .values({ id: 'eve', email: 'eve@test.example', name: 'Eve', firstName: 'Eve' })
  await server.db.insert(tables.staff).values({ uid, role: 'owner' })
  const asked = async (rule: 'none' | 'staff' | 'all') =>
    Promise.all(
      [uid, 'eve', 'demo-learner'].map((one) => isTwoFactorRequired(server.db, one, rule)),
    )

  expect(await asked('none')).toEqual([false, false, false])
  expect(await asked('staff')).toEqual([true, false, false])
  expect(await asked('all')).toEqual([true, true, false])
})
