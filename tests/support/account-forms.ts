import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { waitForHydration } from './hydration'

/**
 * The browser's own console error for a request that the server refused, as some journeys provoke.
 */
export const refusedRequestError =
  /Failed to load resource: the server responded with a status of (400|401|403|404|409|429)/

export const createEmail = () => `learner-${randomBytes(6).toString('hex')}@test.example`

/** Opens a page and waits until React has hydrated it. */
export async function openPage(page: Page, path: string) {
  await page.goto(path)
  await waitForHydration(page)
}

/**
 * Opens a page and stops its clock, so that an error banner, which disappears after five seconds,
 * stays until the test advances the clock.
 */
export async function openPageWithStoppedClock(page: Page, path: string) {
  const openedAt = Date.UTC(2026, 0, 1)
  await page.clock.install({ time: openedAt })
  await openPage(page, path)
  await page.clock.pauseAt(openedAt + 3_600_000)
}

export async function fillSignUpForm(page: Page, email: string, password = 'Correct-horse-7') {
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByLabel('I agree').check()
}

export async function fillLoginForm(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
}

export const errorBanner = (page: Page) => page.getByRole('alert')
export const signInButton = (page: Page) =>
  page.getByRole('button', { name: 'Sign In', exact: true })
export const topBar = (page: Page) => page.getByRole('banner')
