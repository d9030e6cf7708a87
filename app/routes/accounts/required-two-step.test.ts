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
  const registration = await server.request('/account/register', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  })
  headers.Cookie = (registration.headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

  const [user] = await server.db
    .select()
    .from(tables.users)
    .where(eq(tables.users.email, person.email))
  uid = user?.id ?? ''
})
afterAll(() => server.stop())

const setUpPage = '/Profile/two-step'

/** Requests a page. Returns the path to which it redirects, or its status. */
const open = async (path: string) => {
  const response = await server.request(path, { headers })
  return response.headers.location ?? response.status
}

const postForm = (path: string, body: string, extraHeaders: Record<string, string> = {}) =>
  server.request(path, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/x-www-form-urlencoded',
      ...extraHeaders,
    },
    body,
  })

it('a learner without the second factor can send no request that changes something', async () => {
  const course = 'python-from-zero'
  for (const [path, body] of [
    ['/Enrollments', `courseIds=${course}`],
    ['/Wishes', `courseId=${course}&wished=yes`],
    ['/Reviews', `intent=remove&course=${course}`],
    ['/Gift/NOSUCHCODE222222', ''],
  ] as const) {
    const response = await postForm(path, body)
    expect([path, response.status, response.headers.location]).toEqual([path, 303, setUpPage])
  }

  expect(await server.db.$count(tables.enrollments, eq(tables.enrollments.uid, uid))).toBe(0)
  expect(await server.db.$count(tables.wishes, eq(tables.wishes.uid, uid))).toBe(0)
  expect(await open(`/Learn/${course}/names-and-values/film`)).toBe(setUpPage)

  const jsonHeaders = { ...headers, 'Content-Type': 'application/json' }
  const profileChange = await server.request(`/account/users/${uid}`, {
    method: 'PATCH',
    headers: jsonHeaders,
    body: '{"firstName":"Eve"}',
  })
  expect(profileChange.status).toBe(403)
  expect(await open(`/account/users/${uid}`)).toBe(403)

  const newPasskey = await server.request('/account/new-passkey', {
    method: 'POST',
    headers: jsonHeaders,
    body: '{}',
  })
  expect([newPasskey.status, JSON.parse(newPasskey.body).code]).toEqual([403, 'forbidden'])
  expect(await open(`${setUpPage}.data`)).toBe(200)
  expect(await open('/ConfirmEmail')).toBe(200)
})

it('a learner without the second factor can only open the page that sets it up, even with an unconfirmed email address', async () => {
  for (const path of [
    '/Profile',
    '/Profile/settings',
    '/Practice',
    '/OwnData',
    '/Profile/sign-in',
  ]) {
    expect([path, await open(path)]).toEqual([path, setUpPage])
  }

  for (const path of [setUpPage, '/Confirm', '/']) {
    expect([path, await open(path)]).toEqual([path, 200])
  }

  const { body } = await postForm(setUpPage, 'intent=begin')
  expect(body).toContain('Set up your app')
  expect(await open('/Profile')).toBe(setUpPage)

  await server.db
    .update(tables.twoFactor)
    .set({ enabledAt: new Date() })
    .where(eq(tables.twoFactor.uid, uid))

  expect(await open('/Profile')).toBe(200)
})

it('background requests of a page get 401, so that the browser keeps them until the next sign-in', async () => {
  await server.db.delete(tables.twoFactor).where(eq(tables.twoFactor.uid, uid))

  for (const [path, body] of [
    ['/Enrollments', 'courseIds=python-from-zero'],
    ['/TimeZone', 'timezone=Europe/Berlin'],
  ] as const) {
    const response = await postForm(path, body, { Accept: 'application/json' })
    expect([path, response.status, JSON.parse(response.body)]).toEqual([
      path,
      401,
      twoFactorTexts.required,
    ])
  }
})

it('public pages show a learner without the second factor as signed in, but without courses', async () => {
  await server.db.delete(tables.twoFactor).where(eq(tables.twoFactor.uid, uid))
  await server.db.insert(tables.wishes).values({ uid, courseId: 'python-from-zero' })
  const readViewer = async () => JSON.parse((await server.request('/viewer', { headers })).body)

  expect(await readViewer()).toMatchObject({
    user: { uid },
    wished: [],
    courses: [],
    practice: false,
  })

  await server.db.insert(tables.twoFactor).values({
    uid,
    secret: 'x',
    createdAt: new Date(),
    enabledAt: new Date(),
    recoveryHashes: [],
    recoverySalt: '',
  })

  expect(await readViewer()).toMatchObject({ user: { uid }, wished: ['python-from-zero'] })
})

it('the second factor is required of nobody, of staff, or of everyone but the demo account', async () => {
  await server.db
    .insert(tables.users)
    .values({ id: 'eve', email: 'eve@test.example', name: 'Eve', firstName: 'Eve' })
  await server.db.insert(tables.staff).values({ uid, role: 'owner' })
  const [owner, learner, demoLearner] = [uid, 'eve', 'demo-learner']
  const checkRule = async (rule: 'none' | 'staff' | 'all') =>
    Promise.all([owner, learner, demoLearner].map((id) => isTwoFactorRequired(server.db, id, rule)))

  expect(await checkRule('none')).toEqual([false, false, false])
  expect(await checkRule('staff')).toEqual([true, false, false])
  expect(await checkRule('all')).toEqual([true, true, false])
})
