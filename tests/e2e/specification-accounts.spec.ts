import type { Page } from '@playwright/test'
import { demoCredentials } from '~/features/accounts/demo-account.server'
import { createEmail, openPage, refusedRequestError } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { removeSession } from '../support/sign-in'

const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })
const forgot = (page: Page) => page.getByRole('button', { name: 'Forgot password?' })
const banner = (page: Page) => page.getByRole('alert')

async function submitLogin(page: Page, address = 'nobody@test.example') {
  await email(page).fill(address)
  await password(page).fill('secret-1')
  await signIn(page).click()
}

async function submitSignUp(page: Page, address = 'nobody@test.example') {
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await email(page).fill(address)
  await password(page).fill('secret-1')
  await page.getByLabel('Confirm password').fill('secret-1')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
}

/** Makes the last step of each sign-in throw, which no operation turns into a result. */
function breakLastStepOfSignIn(page: Page) {
  return page.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => {
      throw new Error('a call that throws')
    }
  })
}

test('the login screen and the sign-up screen have all elements of the specification', async ({
  page,
}) => {
  await page.goto('/Login?from=%2FAllCourses&notice=wish&error=something-new')

  await expect(banner(page)).toHaveText('An error occurred. Please try again')
  await expect(page).toHaveTitle('Login · Learnify')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByText('Sign in to save courses to your wish list.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue with Facebook' })).toBeVisible()
  await expect(email(page)).toHaveAttribute('type', 'email')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
  await expect(forgot(page)).toBeVisible()
  await expect(page.getByText(demoCredentials.email, { exact: true })).toBeVisible()
  await expect(page.getByText(demoCredentials.password, { exact: true })).toBeVisible()

  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()

  await expect(page).toHaveURL('/SignUp?from=%2FAllCourses')
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
  await expect(page).toHaveURL('/Login?from=%2FAllCourses')
})

test('the login form validates email and password, and an error disappears when its field is edited', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  guard.allowConsoleError(refusedRequestError)
  await expectValidationByServer(page)

  await page.reload()
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

/**
 * Opens the login page, whose validation schema is loaded when the form is used. It can fail to
 * load.
 */
async function expectValidationByServer(page: Page) {
  const schemaFiles = /form-schemas/
  const requestedUrls: string[] = []
  await page.route(schemaFiles, (route) => {
    requestedUrls.push(route.request().url())
    return route.abort()
  })
  await openPage(page, '/Login')
  expect(requestedUrls).toEqual([])

  await signIn(page).click()

  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(email(page)).toBeFocused()
  expect(requestedUrls).toHaveLength(1)
  await page.unroute(schemaFiles)
}

test('a form is busy until its operation ends, and says which operation failed if a response is unreadable or a call throws', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/502/)
  const newEmail = createEmail()

  await openPage(page, '/SignUp')
  await expectUnreadableResponse(page, submitSignUp, 'Registration failed')

  await breakLastStepOfSignIn(page)
  await submitSignUp(page, newEmail)
  await expect(
    page.getByText('Registration failed. Please try again.', { exact: true }),
  ).toBeVisible()

  await removeSession(page)
  await openPage(page, '/Login')
  await expectUnreadableResponse(page, submitLogin, 'Login failed')

  await breakLastStepOfSignIn(page)
  await submitLogin(page, newEmail)
  await expect(page.getByText('Login failed. Please try again.', { exact: true })).toBeVisible()
  await expect(signIn(page)).toBeEnabled()

  await breakResponses(page)
  await forgot(page).click()
  await expect(banner(page)).toHaveText('Password reset failed')
  await expectPopupFailures(page)
})

const busyPage = (page: Page) => page.locator('[aria-busy=true]')
const formRequests = /\/(Login|SignUp)\.data/

function breakResponses(page: Page) {
  return page.route(formRequests, (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
  )
}

/** Submits the form of the page, which is busy until an unreadable response arrives. */
async function expectUnreadableResponse(
  page: Page,
  submit: (page: Page) => Promise<void>,
  message: string,
) {
  await breakResponses(page)
  const release = await delayRequests(page, '**/*.data*')
  await expect(busyPage(page)).toHaveCount(0)
  await submit(page)
  await expect(busyPage(page)).toHaveCount(1)
  release()
  await expect(banner(page)).toHaveText(message)
  await expect(busyPage(page)).toHaveCount(0)
  await page.unroute(formRequests)
}

/**
 * The page is busy while a popup is open. A popup that cannot be opened is an unexpected failure.
 */
async function expectPopupFailures(page: Page) {
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const popup = await opening
  await expect(busyPage(page)).toHaveCount(1)
  await popup.close()
  await expect(busyPage(page)).toHaveCount(0)

  await page.evaluate(() => {
    window.open = () => {
      throw new Error('a call that throws')
    }
  })
  for (const provider of ['Google', 'Facebook']) {
    await page.getByRole('button', { name: `Continue with ${provider}` }).click()
    await expect(banner(page)).toHaveText(`${provider} login failed`)
    await expect(page.getByText(`${provider} login failed`)).toHaveCount(1)
  }
}
