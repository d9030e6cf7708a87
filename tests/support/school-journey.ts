import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { test as base, expect } from './browser'
import { waitForHydration } from './hydration'
import { courseId } from './lesson-journey'
import { type School, startSchool } from './school'

/** Playwright's `test` for a school behind a TLS proxy, which alternates between two processes. */
export const test = base.extend<{ learner: Learner }, { school: School }>({
  school: [
    async ({ browserName: _any }, use) => {
      const school = await startSchool()
      process.env.E2E_DATABASE_URL = school.databaseUrl
      await use(school)
      delete process.env.E2E_DATABASE_URL
      await school.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ school }, use) => use(school.publicUrl),
  otherHosts: ({ school }, use) => use([school.providerHost]),
  /** Someone who has just signed up on the page. */
  learner: async ({ page }, use) => {
    const learner = createCredentials()
    await signUp(page, learner)
    await use(learner)
  },
})

type Learner = ReturnType<typeof createCredentials>

export const createCredentials = () => ({
  email: `ada-${randomBytes(6).toString('hex')}@test.example`,
  password: 'Correct-horse-7',
})
export const topBar = (page: Page) => page.getByRole('banner')
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })
export const createPhoto = () =>
  sharp({ create: { width: 300, height: 500, channels: 3, background: '#0b7350' } })
    .png()
    .toBuffer()

export async function signUp(page: Page, { email, password }: Learner) {
  await page.goto('/SignUp')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByLabel('I agree').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/Profile')
}

export async function signIn(page: Page, { email, password }: Learner) {
  await page.goto('/Login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await signInButton(page).click()
}

export async function signOut(page: Page) {
  await topBar(page).getByRole('button', { name: 'Ada' }).click()
  await topBar(page).getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  await expect(topBar(page).getByRole('link', { name: 'Login' })).toBeVisible()
}

/** Waits for an email with a link that matches the pattern, and returns the newest such link. */
export async function waitForEmailedLink(
  school: School,
  { email }: Learner,
  linkPattern: RegExp,
): Promise<string> {
  const findLink = () =>
    school
      .listEmailsTo(email)
      .map((text) => linkPattern.exec(text)?.[0])
      .findLast((link) => link !== undefined)

  await expect.poll(findLink).toBeDefined()
  return String(findLink())
}

export async function confirmEmailByLink(page: Page, school: School, learner: Learner) {
  const link = await waitForEmailedLink(school, learner, /https:\/\/\S*confirm\S*/i)
  expect(link.startsWith(`${school.publicUrl}/`)).toBe(true)
  await page.goto(link)
  await page.getByRole('button', { name: 'Yes, confirm my address' }).click()
  await expect(page).toHaveURL(/[?]notice=email-verified$/)
}

export async function enroll(page: Page) {
  await page.goto(`/OneCourse/${courseId}`)
  // The button changes before the server has stored the enrollment.
  const enrollmentStored = page.waitForResponse(
    (response) => response.url().endsWith('/Enrollments') && response.ok(),
  )
  await page.getByRole('button', { name: 'Enroll Now' }).click()
  await expect(page.getByRole('button', { name: '✓ Enrolled' })).toBeVisible()
  await enrollmentStored
}

/** Signs in with the popup of the sample provider that stands for Google. */
export async function signInWithGoogle(page: Page, button: Locator, email: string) {
  await waitForHydration(page)
  const popupOpened = page.waitForEvent('popup')
  await button.click()
  const popup = await popupOpened
  await popup.getByLabel('Name').fill('Grace Hopper')
  await popup.getByLabel('Email').fill(email)
  await popup.getByLabel('has verified').check()
  const popupClosed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Continue' }).click()
  await popupClosed
}
