import type { Page } from '@playwright/test'
import { disableAccountByEmail } from '~/features/accounts/account-queries.server'
import { demoCredentials } from '~/features/accounts/demo-account.server'
import { createEmail } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import { withProductDatabase } from '../support/product-database'
import { postToAccountService, signUpNewLearner } from '../support/sign-in'

const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })
const forgot = (page: Page) => page.getByRole('button', { name: 'Forgot password?' })
const banner = (page: Page) => page.getByRole('alert')

/** Submits the login form with valid values. */
async function tryLogin(page: Page) {
  await email(page).fill('nobody@test.example')
  await password(page).fill('secret-1')
  await signIn(page).click()
}

async function trySignUp(page: Page, address = 'nobody@test.example') {
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await email(page).fill(address)
  await password(page).fill('secret-1')
  await page.getByLabel('Confirm password').fill('secret-1')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
}

/**
 * From here on the last step of every sign-in throws, which no operation can turn into a result.
 */
function breakAnnouncing(page: Page) {
  return page.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => {
      throw new Error('a call that throws')
    }
  })
}

test('the login screen has all elements of the specification', async ({ page }) => {
  await page.goto('/Login')
  await expect(page).toHaveTitle('Login · Learnify')
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Facebook' })).toBeVisible()
  await expect(email(page)).toHaveAttribute('type', 'email')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
  await expect(forgot(page)).toBeVisible()
  await expect(page.getByText(demoCredentials.email, { exact: true })).toBeVisible()
  await expect(page.getByText(demoCredentials.password, { exact: true })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL('/SignUp')
})

test('the sign-up screen has all elements of the specification', async ({ page }) => {
  await page.goto('/SignUp')
  await expect(page).toHaveTitle('Sign up · Learnify')
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Facebook' })).toBeVisible()
  for (const label of ['First name', 'Last name', 'Email', 'Confirm password']) {
    await expect(page.getByLabel(label)).toBeEditable()
  }

  await expect(password(page)).toHaveAccessibleDescription(/Password strength: none/)
  await expect(
    page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }),
  ).not.toBeChecked()
  await expect(page.getByRole('link', { name: 'terms and conditions' })).toHaveAttribute(
    'href',
    '/Terms',
  )
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/Login')
})

test('the login form validates email and password, and an error disappears when its field is edited', async ({
  page,
}) => {
  await page.goto('/Login')
  await waitForHydration(page)
  await signIn(page).click()
  await expect(page.getByText('Email is required', { exact: true })).toBeVisible()
  await expect(page.getByText('Password is required', { exact: true })).toBeVisible()
  await expect(email(page)).toHaveAccessibleDescription('Email is required')
  await email(page).pressSequentially('n')
  await expect(page.getByText('Email is required', { exact: true })).toBeHidden()
  await expect(page.getByText('Password is required', { exact: true })).toBeVisible()
  await password(page).pressSequentially('12345')
  await expect(page.getByText('Password is required', { exact: true })).toBeHidden()
  await signIn(page).click()
  await expect(page.getByText('Please enter a valid email', { exact: true })).toBeVisible()
  await expect(
    page.getByText('Password must be at least 6 characters', { exact: true }),
  ).toBeVisible()
  await expect(page).toHaveURL('/Login')
})

test("the login form shows the service's message for a disabled account", async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/403/)
  const learner = await signUpNewLearner(page)
  await page.context().clearCookies()
  await withProductDatabase((db) => disableAccountByEmail(db, learner.email))
  await page.goto('/Login')
  await waitForHydration(page)
  await email(page).fill(learner.email)
  await password(page).fill(learner.password)
  await signIn(page).click()
  const message = 'This account has been disabled'
  await expect(banner(page)).toHaveText(message)
  await expect(page.locator('form').getByText(message, { exact: true })).toBeVisible()
})

test('the login form has a message for unknown error codes', async ({ page }) => {
  await page.goto('/Login?error=something-new')
  await expect(banner(page)).toHaveText('An error occurred. Please try again')
})

test('an operation with an unreadable response says which operation failed', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/502/)
  const broken = { status: 502, body: '<h1>Bad gateway</h1>' }
  await page.route(/\/(Login|SignUp)\.data/, (route) => route.fulfill(broken))
  await page.goto('/Login')
  await waitForHydration(page)
  await tryLogin(page)
  await expect(banner(page)).toHaveText('Login failed')
  await forgot(page).click()
  await expect(banner(page)).toHaveText('Password reset failed')
  await page.evaluate(() => {
    window.open = () => {
      throw new Error('no window for anybody')
    }
  })

  for (const provider of ['Google', 'Facebook']) {
    await page.getByRole('button', { name: `Continue with ${provider}` }).click()
    await expect(banner(page)).toHaveText(`${provider} login failed`)
    await expect(page.getByText(`${provider} login failed`)).toHaveCount(1)
  }

  await page.goto('/SignUp')
  await waitForHydration(page)
  await trySignUp(page)
  await expect(banner(page)).toHaveText('Registration failed')
})

test('each form has its own message for a call that throws', async ({ page }) => {
  const learner = await signUpNewLearner(page)
  await page.context().clearCookies()
  await page.goto('/Login')
  await waitForHydration(page)
  await breakAnnouncing(page)
  await email(page).fill(learner.email)
  await password(page).fill(learner.password)
  await signIn(page).click()
  await expect(page.getByText('Login failed. Please try again.', { exact: true })).toBeVisible()
  await expect(signIn(page)).toBeEnabled()
  await page.context().clearCookies()
  await page.goto('/SignUp')
  await waitForHydration(page)
  await breakAnnouncing(page)
  await trySignUp(page, createEmail())
  await expect(
    page.getByText('Registration failed. Please try again.', { exact: true }),
  ).toBeVisible()
})

test('a logout with an unreadable response shows an unexpected error, and the learner stays signed in', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500/)
  await signUpNewLearner(page)
  await page.goto('/AllCourses')
  await page.getByRole('button', { name: 'Ada' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.route('**/account/logout', (route) =>
    route.fulfill({ status: 500, body: 'nobody can read this' }),
  )
  const question = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  await question.getByRole('button', { name: 'Logout' }).click()
  await expect(question.getByText('Logout failed', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/AllCourses')
})

test('every login records its time and keeps the time at which the account was created', async ({
  page,
}) => {
  const { email, password } = await signUpNewLearner(page)
  const record = async () => (await (await page.request.get('/account/session')).json()).user
  const made = await record()
  for (const time of [made.createdAt, made.lastLoginAt]) {
    expect(new Date(time).toISOString()).toBe(time)
  }

  await postToAccountService(page, '/account/logout', {})
  expect(await record()).toBeNull()
  await postToAccountService(page, '/account/login', { email, password })
  const later = await record()
  expect(later.createdAt).toBe(made.createdAt)
  expect(Date.parse(later.lastLoginAt)).toBeGreaterThan(Date.parse(made.lastLoginAt))
  expect(later).toMatchObject({
    displayName: 'Ada Lovelace',
    provider: 'email',
    photoURL: null,
    email,
  })
})

test('an account page is busy during a login, a registration or a popup', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/500/)
  const open: (() => void)[] = []
  const letGo = () => open.splice(0).map((release) => release())
  await page.route(/\/(Login|SignUp)\.data/, async (route) => {
    await new Promise<void>((resolve) => open.push(resolve))
    await route.fulfill({ status: 500, body: 'nobody can read this' })
  })
  const busy = page.locator('[aria-busy=true]')
  for (const [path, attempt] of [
    ['/Login', tryLogin],
    ['/SignUp', trySignUp],
  ] as const) {
    await page.goto(path)
    await waitForHydration(page)
    await expect(busy).toHaveCount(0)
    await attempt(page)
    await expect(busy).toHaveCount(1)
    // The page is busy before its request reaches the route.
    await expect.poll(() => open.length).toBe(1)
    letGo()
    await expect(busy).toHaveCount(0)
  }

  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const popup = await opening
  await expect(busy).toHaveCount(1)
  await popup.close()
  await expect(busy).toHaveCount(0)
})

test('a later social login uses the profile that the first one created and updates only its time', async ({
  page,
}) => {
  const address = createEmail()
  const signInAs = async (name: string) => {
    await page.goto('/Login')
    await waitForHydration(page)
    const opening = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Continue with Facebook' }).click()
    const popup = await opening
    await popup.getByLabel('Name').fill(name)
    await popup.getByLabel('Email').fill(address)
    await popup.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/Profile')

    return (await (await page.request.get('/account/session')).json()).user
  }
  const first = await signInAs('Rosa Luisa Parks')
  expect(first).toMatchObject({ firstName: 'Rosa', lastName: 'Luisa Parks', provider: 'facebook' })
  await postToAccountService(page, '/account/logout', {})
  const { lastLoginAt, ...later } = await signInAs('Somebody Else')
  expect(later).toEqual({ ...first, lastLoginAt: undefined })
  expect(Date.parse(lastLoginAt)).toBeGreaterThan(Date.parse(first.lastLoginAt))
})
