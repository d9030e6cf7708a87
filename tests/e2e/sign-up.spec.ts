import {
  createEmail,
  errorBanner,
  fillSignUpForm,
  openPage,
  refusedRequestError,
  topBar,
} from '../support/account-forms'
import { expect, test } from '../support/browser'

test('a double click on the button registers a learner only once and leads to the profile', async ({
  page,
}) => {
  const sent: string[] = []
  page.on(
    'request',
    (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname),
  )
  await openPage(page, '/SignUp')
  await fillSignUpForm(page, createEmail())
  await page
    .getByRole('button', { name: 'Create Account' })
    .evaluate((button: HTMLButtonElement) => {
      button.click()
      // One task later, the first request has been sent, but nothing is painted yet.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => button.click()
      port2.postMessage(null)
    })

  await expect(page).toHaveURL(/\/Profile$/)
  expect(sent.filter((path) => path === '/SignUp.data')).toHaveLength(1)
  await expect(topBar(page).getByText('Grace', { exact: true })).toBeVisible()
})

test('each field shows its error until it is edited', async ({ page }) => {
  await openPage(page, '/SignUp')
  await page.getByRole('button', { name: 'Create Account' }).click()
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
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(
    page.getByText('Password must be at least 6 characters', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('Last name').fill('a'.repeat(101))
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Last name must be 100 characters or fewer')).toBeVisible()
})

test('the strength of a password is displayed while the learner types', async ({ page }) => {
  await openPage(page, '/SignUp')
  const meter = page.getByText('Password strength:')
  await expect(meter).toHaveText('Password strength: none')
  for (const [password, strength] of [
    ['abc', 'weak'],
    ['abcdef', 'medium'],
    ['Abcdefghi1', 'strong'],
  ] as const) {
    await page.getByLabel('Password', { exact: true }).fill(password)
    // The meter may add advice about a common password.
    await expect(meter).toHaveText(new RegExp(`^Password strength: ${strength}`))
  }
})

test('an email that has an account is refused in the banner and the form for 5 seconds', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  const start = Date.UTC(2026, 0, 1)
  await page.clock.install({ time: start })
  await openPage(page, '/SignUp')
  await page.clock.pauseAt(start + 3_600_000)
  await fillSignUpForm(page, 'demo@learnify.example')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const message = 'An account with this email already exists'
  await expect(page.getByText(message)).toHaveCount(2)
  await expect(errorBanner(page)).toHaveText(message)
  await page.clock.runFor(4_900)
  await expect(page.getByText(message)).toHaveCount(2)
  await page.clock.runFor(100)
  await expect(page.getByText(message)).toHaveCount(0)
})

test('the inputs are disabled while the form is sent', async ({ page }) => {
  await openPage(page, '/SignUp')
  await page.route(/\/SignUp\.data/, async (route) => {
    await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
    await expect(page.getByLabel('Email')).toBeDisabled()
    await route.continue()
  })

  await fillSignUpForm(page, createEmail())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/Profile$/)
})
