import type { Page } from '@playwright/test'
import {
  createEmail,
  errorBanner,
  fillSignUpForm,
  openPageWithStoppedClock,
  refusedRequestError,
  topBar,
} from '../support/account-forms'
import { expect, test } from '../support/browser'

test('a sign-up shows the errors of its fields, refuses an email that has an account for 5 seconds, and registers a learner only once', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  await openPageWithStoppedClock(page, '/SignUp')
  await expectFieldErrors(page)
  await expectPasswordStrengths(page)

  await fillSignUpForm(page, 'demo@learnify.example')
  await submitButton(page).click()
  const message = 'An account with this email already exists'
  await expect(page.getByText(message)).toHaveCount(2)
  await expect(errorBanner(page)).toHaveText(message)

  await page.clock.runFor(4_900)
  await expect(page.getByText(message)).toHaveCount(2)

  await page.clock.runFor(100)
  await expect(page.getByText(message)).toHaveCount(0)

  const submissions = collectSubmissions(page)
  await page.route(/\/SignUp\.data/, async (route) => {
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
    await expect(page.getByLabel('Email')).toBeDisabled()
    await route.continue()
  })
  await fillSignUpForm(page, createEmail())
  await submitButton(page).evaluate((button: HTMLButtonElement) => {
    button.click()
    // One task later, the first request has been sent, but nothing is painted yet.
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => button.click()
    port2.postMessage(null)
  })

  await expect(page).toHaveURL(/\/Profile$/)
  await expect(topBar(page).getByText('Grace', { exact: true })).toBeVisible()
  expect(submissions).toHaveLength(1)
})

const submitButton = (page: Page) => page.getByRole('button', { name: 'Create Account' })

/**
 * Submits the form with missing and with wrong values. The error of a field disappears when the
 * field is edited.
 */
async function expectFieldErrors(page: Page): Promise<void> {
  await submitButton(page).click()
  for (const message of [
    'First name is required',
    'Last name is required',
    'Email is required',
    'Password is required',
    'Please confirm your password',
    'You must agree to the terms and conditions',
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible()
  }

  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByLabel('First name').fill('G')
  await expect(page.getByText('First name is required')).toBeHidden()

  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByLabel('Confirm password').fill('123456')
  await page.getByLabel('Last name').fill('a'.repeat(101))
  await submitButton(page).click()
  await expect(
    page.getByText('Password must be at least 6 characters', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(page.getByText('Last name must be 100 characters or fewer')).toBeVisible()
}

async function expectPasswordStrengths(page: Page): Promise<void> {
  for (const [password, expectedStrength] of [
    ['', 'none'],
    ['abc', 'weak'],
    ['abcdef', 'medium'],
    ['Abcdefghi1', 'strong'],
  ] as const) {
    await page.getByLabel('Password', { exact: true }).fill(password)
    // Advice about a common password may follow.
    const strength = new RegExp(`^Password strength: ${expectedStrength}`)
    await expect(page.getByText('Password strength:')).toHaveText(strength)
  }
}

/** Collects the URLs to which the page submits a sign-up. */
function collectSubmissions(page: Page): string[] {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/SignUp')) {
      urls.push(request.url())
    }
  })

  return urls
}
