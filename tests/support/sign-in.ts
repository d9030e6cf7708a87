import { randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { demoCredentials } from '~/features/accounts/demo-account.server'
import { users } from '~/server/database/schema'
import { withProductDatabase } from './product-database'

/** A page, or the context of a browser that opens no page. */
type SignedInBrowser = Pick<Page, 'request'>

/** Signs this browser in as the demo learner, with a request to the account service. */
export async function signInAsDemo(page: Page): Promise<void> {
  await postToAccountService(page, '/account/login', demoCredentials)
}

/** Registers a new learner and signs this browser in. */
export async function signUpNewLearner(
  browser: SignedInBrowser,
  names = { firstName: 'Ada', lastName: 'Lovelace' },
) {
  const learner = {
    ...names,
    email: `learner-${randomBytes(6).toString('hex')}@test.example`,
    password: 'Correct-horse-7',
  }

  await postToAccountService(browser, '/account/register', learner)
  return learner
}

/**
 * Signs this browser out by removing its cookies. The open page is left first, because the page may
 * still send requests, which would be refused.
 */
export async function removeSession(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/**
 * Confirms the learner's email address, as the link in the email does.
 *
 * @param dataDir the data folder of a product that the test has started itself
 */
export function confirmEmail(email: string, dataDir?: string): Promise<unknown> {
  return withProductDatabase(
    (db) => db.update(users).set({ emailVerified: true }).where(eq(users.email, email)),
    dataDir,
  )
}

/** Enrolls the learner of this browser with the course page's request. */
export async function enrollIn(page: Page, courseId: string): Promise<void> {
  const response = await page.request.post('/Enrollments', {
    form: { courseIds: courseId },
    headers: { Origin: await readOrigin(page), Accept: 'application/json' },
  })
  expect(response.status(), await response.text()).toBe(200)
}

/** Calls one operation of the account service with this browser's cookies. */
export async function postToAccountService(
  browser: SignedInBrowser,
  path: string,
  data: object,
): Promise<void> {
  const response = await browser.request.post(path, {
    data,
    headers: { Origin: await readOrigin(browser) },
  })
  expect(response.status(), await response.text()).toBe(200)
}

/** Returns whether somebody is signed in to this browser. */
export async function hasSession(browser: SignedInBrowser): Promise<boolean> {
  const response = await browser.request.get('/account/session')
  return (await response.json()).user !== null
}

/** Returns the origin behind the relative URLs of this browser's tests. */
async function readOrigin(browser: SignedInBrowser): Promise<string> {
  const response = await browser.request.get('/healthz')
  return new URL(response.url()).origin
}
