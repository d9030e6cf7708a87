import {
  createEmail,
  errorBanner,
  fillLoginForm,
  openPage,
  refusedRequestError,
  signInButton,
  topBar,
} from '../support/account-forms'
import { expect, test } from '../support/browser'
import { signInAsDemo, signUpNewLearner } from '../support/sign-in'

test('the demo credentials fill the form once and sign in as the demo learner', async ({
  page,
}) => {
  await openPage(page, '/Login')
  await expect(page.getByText('demo@learnify.example')).toBeVisible()
  await page.getByRole('button', { name: 'Use demo credentials' }).click()
  await expect(page.getByRole('heading', { name: 'Demo credentials' })).toBeHidden()
  await expect(page.getByLabel('Email')).toHaveValue('demo@learnify.example')
  await page.route(/\/Login\.data/, async (route) => {
    await expect(page.getByRole('button', { name: 'Signing In...' })).toBeDisabled()
    await expect(page.getByLabel('Password')).toBeDisabled()
    await route.continue()
  })

  await signInButton(page).click()
  await expect(page).toHaveURL(/\/Profile$/)
})

test('the validation schema loads when the form is used; if it fails to load, the server validates', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  guard.allowConsoleError(refusedRequestError)
  const requestedUrls: string[] = []
  await page.route(/form-schemas/, (route) => {
    requestedUrls.push(route.request().url())
    return route.abort()
  })
  await openPage(page, '/Login')
  expect(requestedUrls).toEqual([])
  await signInButton(page).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(requestedUrls).toHaveLength(1)
})

test('each reason for a refused login has its own message', async ({ page, guard }) => {
  guard.allowConsoleError(refusedRequestError)
  guard.allowConsoleError(/ERR_FAILED/)
  const { email } = await signUpNewLearner(page)
  await page.context().clearCookies()
  await openPage(page, '/Login')
  for (const [typed, password, message] of [
    [email, 'wrong-password', 'Incorrect password'],
    [createEmail(), 'Correct-horse-7', 'No user found with this email address'],
    ['a@b@c.de', 'Correct-horse-7', 'Invalid email address'],
  ] as const) {
    await fillLoginForm(page, typed, password)
    await signInButton(page).click()
    await expect(errorBanner(page)).toHaveText(message)
  }

  await page.route(/\/Login\.data/, (route) => route.abort())
  await signInButton(page).click()
  await expect(errorBanner(page)).toHaveText('Network error. Please check your connection')
})

test('the message of a busy server is displayed, and the same form signs in later', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/status of 503/)
  const { email, password } = await signUpNewLearner(page)
  await page.context().clearCookies()
  await openPage(page, '/Login')
  const body = 'Learnify is very busy right now. Please try again in a few seconds.'
  await page.route(/\/Login\.data/, (route) =>
    route.fulfill({ status: 503, contentType: 'text/plain', body }),
  )
  await fillLoginForm(page, email, password)
  await signInButton(page).click()
  await expect(errorBanner(page)).toHaveText(body)
  await expect(page.getByLabel('Password')).toHaveValue(password)
  await page.unroute(/\/Login\.data/)
  await signInButton(page).click()
  await expect(page).toHaveURL(/\/Profile$/)
})

for (const remember of [true, false]) {
  test(`the session ${remember ? 'outlives' : 'ends with'} the browser ${remember ? 'with' : 'without'} remember-me`, async ({
    page,
  }) => {
    const { email, password } = await signUpNewLearner(page)
    await page.context().clearCookies()
    await openPage(page, '/Login')
    await fillLoginForm(page, email, password)
    await page.getByLabel('Remember me').setChecked(remember)
    await signInButton(page).click()
    await expect(page).toHaveURL(/\/Profile$/)
    const cookies = await page.context().cookies()
    const session = cookies.find(({ name }) => name.endsWith('session_token'))
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    const days = ((session?.expires ?? 0) - Date.now() / 1000) / 86_400
    if (remember) {
      expect(days).toBeCloseTo(30, 0)
    } else {
      expect(session?.expires).toBe(-1)
    }
  })
}

test('a login leads back only to a page of this site', async ({ page, guard }) => {
  test.slow()
  // The previous page may still send requests after its cookies are removed.
  guard.allowConsoleError(/401/)
  const { email, password } = await signUpNewLearner(page)
  for (const [from, leads] of [
    ['/AllCourses?level=beginner', /\/AllCourses\?level=beginner$/],
    ['//evil.example/x', /\/Profile$/],
    ['https://evil.example/', /\/Profile$/],
  ] as const) {
    await page.context().clearCookies()
    await openPage(page, `/Login?${new URLSearchParams({ from })}`)
    await fillLoginForm(page, email, password)
    await signInButton(page).click()
    await expect(page).toHaveURL(leads)
  }
})

test('the login page tells signed-in learners who they are and links to their profile', async ({
  page,
}) => {
  await signInAsDemo(page)
  await page.goto('/Login')
  await expect(page.getByText('You’re signed in as Demo Learner')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(page).toHaveURL(/\/Profile$/)
})

test('a login updates other tabs', async ({ page, context }) => {
  test.slow()
  const other = await context.newPage()
  await other.goto('/')
  await expect(topBar(other).getByRole('link', { name: 'Sign Up' })).toBeVisible()
  await openPage(page, '/Login')
  await page.getByRole('button', { name: 'Use demo credentials' }).click()
  await signInButton(page).click()
  await expect(topBar(other).getByText('Demo', { exact: true })).toBeVisible()
})

test('the login page explains why saving a course to the wish list needs a login', async ({
  page,
}) => {
  await page.goto('/Login?from=%2FAllCourses&notice=wish')
  await expect(page.getByText('Sign in to save courses to your wish list.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})
