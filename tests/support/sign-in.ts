import { randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { demoCredentials } from '~/features/accounts/demo-account.server'
import { users } from '~/server/database/schema'
import { withProductDatabase } from './product-database'

/** Signs this browser in as the demo learner, through the account service itself. */
export async function signInAsDemo(page: Page): Promise<void> {
  await postToAccountService(page, '/account/login', demoCredentials)
}

/** Registers a new learner and signs this browser in. */
export async function signUpNewLearner(
  page: Page,
  names = { firstName: 'Ada', lastName: 'Lovelace' },
) {
  const learner = {
    ...names,
    email: `learner-${randomBytes(6).toString('hex')}@test.example`,
    password: 'Correct-horse-7',
  }

  await postToAccountService(page, '/account/register', learner)
  return learner
}

/**
 * Confirms the learner's address, as the link of a mail does.
 *
 * @param dataDir of a product that a test started itself.
 */
export function confirmEmail(email: string, dataDir?: string): Promise<unknown> {
  const confirmed = { emailVerified: true }
  return withProductDatabase(
    (db) => db.update(users).set(confirmed).where(eq(users.email, email)),
    dataDir,
  )
}

/** Enrolls the learner of this browser, as the course page does it. */
export async function enrollIn(page: Page, courseId: string): Promise<void> {
  const response = await page.request.post('/Enrollments', {
    form: { courseIds: courseId },
    headers: { Origin: await originOf(page), Accept: 'application/json' },
  })
  expect(response.status(), await response.text()).toBe(200)
}

/** Calls one operation of the account service with this browser's cookies. */
export async function postToAccountService(page: Page, path: string, data: object): Promise<void> {
  const response = await page.request.post(path, {
    data,
    headers: { Origin: await originOf(page) },
  })
  expect(response.status(), await response.text()).toBe(200)
}

async function originOf(page: Page): Promise<string> {
  return new URL((await page.request.get('/healthz')).url()).origin
}
