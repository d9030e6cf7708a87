import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { identities, rateLimits, users } from '~/server/database/schema/index'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { type AccountService, createAccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { createRequestContext, type RequestContext } from '../session/request-context.server'
import { registerAccount } from '../sign-up/registration.server'
import { recentSignInMs } from '../step-up/step-up.server'
import { confirmOwner } from './password-check.server'

const publicUrl = 'http://localhost:3000'
const secret = 'a secret that is only used by tests, 0123456789'
const person = {
  email: 'ada@test.example',
  password: 'Correct-horse-7',
  firstName: 'Ada',
  lastName: 'Lovelace',
}
let db: Database
let service: AccountService
let requestContext: RequestContext
let uid: string
let sessionAgeMs: number

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  const now = () => Date.now() + sessionAgeMs
  service = createAccountService({ db, publicUrl, isLoopback: true, secret, providers: [], now })
})

/** Each test has a client that has just signed up. */
beforeEach(async () => {
  await db.delete(users)
  await db.delete(rateLimits)
  sessionAgeMs = 0
  const first = createRequestContext(new Request(publicUrl))

  expect(await registerAccount(service, first, person)).toBeNull()

  const cookie = first.responseCookies.getSetCookie().map((line) => line.split(';')[0])
  requestContext = createRequestContext(
    new Request(publicUrl, { headers: { cookie: cookie.join('; ') } }),
  )
  uid = (await db.select({ uid: users.id }).from(users))[0]?.uid ?? ''
})

const confirm = (password: string) => confirmOwner(service, requestContext, { uid, password })

describe('the owner of an account', () => {
  it('shows it by the password, however old the session is', async () => {
    sessionAgeMs = 24 * 3600_000

    expect(await confirm(person.password)).toBeNull()
    expect(await confirm('wrong')).toBe('wrong-password')
    expect(await confirm('')).toBe('wrong-password')
  })

  it('has as many attempts as at the login', async () => {
    for (let attempt = 0; attempt < attemptLimits.wrongPasswordByAccount.max; attempt++) {
      expect(await confirm('wrong')).toBe('wrong-password')
    }

    expect(await confirm(person.password)).toBe('too-many-requests')
  })

  it('without a password shows it by a confirmed session, and nothing that is typed helps', async () => {
    await db.delete(identities).where(eq(identities.userId, uid))

    expect(await confirm('')).toBeNull()

    sessionAgeMs = recentSignInMs + 1

    expect(await confirm('')).toBe('confirm-first')
    expect(await confirm(person.password)).toBe('confirm-first')
  })

  it('is nobody who is signed in to another account, or to none', async () => {
    const other = { uid: 'somebody-else', password: person.password }

    expect(await confirmOwner(service, requestContext, other)).toBe('forbidden')

    const visitor = createRequestContext(new Request(publicUrl))

    expect(await confirmOwner(service, visitor, { uid, password: person.password })).toBe(
      'not-signed-in',
    )
  })
})
