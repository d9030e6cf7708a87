import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueCertificateIfDue } from '~/features/certificates/certificate-issuing.server'
import { issueWaitingCertificates } from '~/features/certificates/rewards.server'
import * as tables from '~/server/database/schema'
import type { AccountClient } from '../../../tests/support/account-client'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'
import {
  signInSocially,
  startSampleIdentityProvider,
} from '../../../tests/support/sample-identity-provider'

const publicUrl = 'http://localhost:3000'
const courseId = 'python-from-zero'
const ssoSettings = {
  SSO_ACME_NAME: 'Acme Corporation',
  SSO_ACME_CLIENT_ID: 'acme',
  SSO_ACME_CLIENT_SECRET: 'acme-secret',
}
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' }
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let server: ProductServer
let createClient: () => AccountClient

beforeAll(async () => {
  provider = await startSampleIdentityProvider({ origin: publicUrl, sso: ssoSettings })
  server = await startProductServer({
    PUBLIC_URL: publicUrl,
    PORT: '3000',
    ...ssoSettings,
    SSO_ACME_ISSUER: `${provider.publicUrl}/sample-identity`,
  })

  // The server has its own copy of each module, which the client needs, too.
  const { accountService } = await import('~/features/accounts/account-service.server')
  const { AccountClient } = await import('../../../tests/support/account-client')
  createClient = () => new AccountClient(accountService, publicUrl)
})
afterAll(async () => {
  await server.stop()
  provider.stop()
})

let personCount = 0

/** Signs in a new learner with single sign-on. Without a name, the provider sends no name claim. */
async function signIn(name = '') {
  personCount += 1
  const person = { name, email: `learner-${personCount}@acme.example`, verified: true }
  const client = createClient()
  await signInSocially(client, 'sso-acme', person)
  const user = await client.readUser()
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')

  return {
    uid: String(user?.uid),
    headers: { Host: 'localhost:3000', Origin: publicUrl, Cookie: cookie },
  }
}

type SignedInLearner = Awaited<ReturnType<typeof signIn>>

/** @returns the URL of the redirect, or the status if there is none */
async function open(learner: SignedInLearner, path: string) {
  const { headers, status } = await server.request(path, { headers: learner.headers })
  return headers.location ?? status
}

function send(
  learner: SignedInLearner,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return server.request(path, {
    method: 'POST',
    headers: { ...learner.headers, ...formHeaders, ...headers },
    body: new URLSearchParams(form).toString(),
  })
}

async function findUser({ uid }: SignedInLearner) {
  const [user] = await server.db.select().from(tables.users).where(eq(tables.users.id, uid))
  return user
}

const ada = { firstName: ' Ada ', lastName: 'Lovelace' }

it('a learner whose provider sent no name gives it on the first page, and then gets to that page', async () => {
  const learner = await signIn()
  const checkout = `/Checkout/${courseId}?coupon=SUMMER`
  const namePage = `/Profile/name?${new URLSearchParams({ from: checkout })}`

  expect(await open(learner, checkout)).toBe(namePage)

  const { status, body } = await server.request(namePage, { headers: learner.headers })
  expect(status).toBe(200)
  expect(body).toContain('What’s your name?')

  const response = await send(learner, namePage, ada)
  expect([response.status, response.headers.location]).toEqual([303, checkout])
  expect(await findUser(learner)).toMatchObject({
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
  })
  expect(await open(learner, '/Profile')).toBe(200)
})

it('a learner whose name is an email address from an earlier release is asked for the name', async () => {
  const learner = await signIn('Ada Lovelace')
  const emailAsName = { name: 'ada@acme.example', firstName: 'ada@acme.example', lastName: '' }
  await server.db.update(tables.users).set(emailAsName).where(eq(tables.users.id, learner.uid))

  expect(await open(learner, '/Practice')).toBe('/Profile/name?from=%2FPractice')

  await send(learner, '/Profile/name', ada)
  expect(await findUser(learner)).toMatchObject({ name: 'Ada Lovelace', firstName: 'Ada' })
  expect(await open(learner, '/Practice')).toBe(200)
})

it('a person with one name needs no last name', async () => {
  const learner = await signIn()
  const response = await send(learner, '/Profile/name', { firstName: 'Sukarno', lastName: '' })

  expect(response.status).toBe(303)
  expect(await findUser(learner)).toMatchObject({
    name: 'Sukarno',
    firstName: 'Sukarno',
    lastName: '',
  })
})

it.each([
  ['/Profile', '/Profile/name'],
  ['/Profile/purchases', '/Profile/name?from=%2FProfile%2Fpurchases'],
  [
    '/Learn/python-from-zero?from=email',
    '/Profile/name?from=%2FLearn%2Fpython-from-zero%3Ffrom%3Demail',
  ],
  ['/Exam/python-from-zero', '/Profile/name?from=%2FExam%2Fpython-from-zero'],
  ['/Practice', '/Profile/name?from=%2FPractice'],
])('a learner without a name is led from %s to %s', async (path, namePage) => {
  const learner = await signIn()
  expect(await open(learner, path)).toBe(namePage)
})

it('a learner without a name can open public pages and those with which the account is deleted', async () => {
  const learner = await signIn()
  for (const path of ['/', '/OneCourse', '/Profile/settings', '/Profile/sign-in', '/Confirm']) {
    expect([path, await open(learner, path)]).toEqual([path, 200])
  }
})

it('the settings of a learner without a name ask for the first name, too', async () => {
  const learner = await signIn()
  const { body } = await server.request('/Profile/settings', { headers: learner.headers })

  expect(body).toMatch(/<input[^>]* name="firstName"[^>]* value=""/)
})

it('a script that opens a page is led to the name as well, without its own parameters', async () => {
  const learner = await signIn()
  const { headers, body } = await server.request('/Practice.data?_routes=root', {
    headers: learner.headers,
  })

  expect(`${headers.location ?? ''}${body}`).toContain('/Profile/name?from=%2FPractice')
  expect(`${headers.location ?? ''}${body}`).not.toContain('_routes')
})

it.each([
  [{ firstName: '', lastName: 'Lovelace' }, 'First name is required', 'Lovelace'],
  [{ firstName: '12', lastName: 'Lovelace' }, 'First name needs at least one letter', 'Lovelace'],
  [{ firstName: 'Ada', lastName: 'x'.repeat(101) }, 'must be 100 characters or fewer', 'Ada'],
])('the form refuses %j, says why and keeps the entered names', async (form, message, text) => {
  const learner = await signIn()
  const { status, body } = await send(learner, '/Profile/name', form)

  expect(status).toBe(400)
  expect(body).toContain(message)
  expect(body).toContain(text)
  expect(await findUser(learner)).toMatchObject({ name: 'User', firstName: 'User', lastName: '' })
})

it('a learner who has a name is led on, and a form that is sent twice does not change it', async () => {
  const learner = await signIn('Grace Hopper')

  expect(await open(learner, '/Profile/name?from=%2FPractice')).toBe('/Practice')
  expect(await open(learner, '/Profile/name')).toBe('/Profile')
  expect((await send(learner, '/Profile/name', ada)).headers.location).toBe('/Profile')
  expect(await findUser(learner)).toMatchObject({ name: 'Grace Hopper' })
})

it('a one-word name from a provider is a name', async () => {
  expect(await open(await signIn('Björk'), '/Profile')).toBe(200)
})

it('never leads to another site', async () => {
  const learner = await signIn()
  const response = await send(learner, '/Profile/name?from=%2F%2Fevil.example', ada)

  expect(response.headers.location).toBe('/Profile')
})

it('a member of staff without a name gives it before they open the desk', async () => {
  const learner = await signIn()
  await server.db.insert(tables.staff).values({ uid: learner.uid, role: 'owner' })

  expect(await open(learner, '/Desk/People?q=ada')).toBe(
    `/Profile/name?${new URLSearchParams({ from: '/Desk/People?q=ada' })}`,
  )

  await send(learner, '/Profile/name', ada)
  expect(await open(learner, '/Desk/People?q=ada')).toBe(200)
})

it('what an open page of a learner without a name sends is stored', async () => {
  const learner = await signIn()
  const script = { Accept: 'application/json' }
  const response = await send(learner, '/Enrollments', { courseIds: courseId }, script)

  expect(response.status).toBe(200)
  expect(await server.db.$count(tables.enrollments, eq(tables.enrollments.uid, learner.uid))).toBe(
    1,
  )
})

it.each([
  ['', 'User'],
  ['Ada Lovelace', 'ada@acme.example'],
])(
  'a certificate waits for the name of a learner whose provider sends %j and who is called %j',
  async (providerName, name) => {
    const learner = await signIn(providerName)
    const { uid } = learner
    await server.db.update(tables.users).set({ name }).where(eq(tables.users.id, uid))
    const now = new Date()
    const attempt = { id: `attempt-${uid}`, title: 'Exam', maxScore: 8, score: 8, submittedAt: now }
    await server.db.insert(tables.enrollments).values({ uid, courseId, completedAt: now })
    await server.db.insert(tables.examAttempts).values({ ...attempt, uid, courseId })
    const listCertificates = () =>
      server.db.select().from(tables.certificates).where(eq(tables.certificates.uid, uid))

    const certificateId = await server.db.transaction((transaction) =>
      issueCertificateIfDue(transaction, uid, courseId, now),
    )
    await issueWaitingCertificates(server.db, now)
    expect([certificateId, await listCertificates()]).toEqual([null, []])

    await send(learner, '/Profile/name', ada)
    await issueWaitingCertificates(server.db, now)
    expect(await listCertificates()).toMatchObject([{ courseId, learnerName: 'Ada Lovelace' }])
  },
)
