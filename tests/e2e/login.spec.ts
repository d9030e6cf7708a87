import {
  createEmail,
  errorBanner,
  fillLoginForm,
  openPage,
  openPageWithStoppedClock,
  refusedRequestError,
  signInButton,
  topBar,
} from '../support/account-forms'
import { expect, test } from '../support/browser'
import { removeSession, signUpNewLearner } from '../support/sign-in'

test('the demo credentials fill the form once and sign in as the demo learner, in all tabs', async ({
  page,
  context,
}) => {
  const otherTab = await context.newPage()
  await otherTab.goto('/')
  await expect(topBar(otherTab).getByRole('link', { name: 'Sign Up' })).toBeVisible()
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
  await expect(topBar(otherTab).getByText('Demo', { exact: true })).toBeVisible()

  await page.goto('/Login')
  await expect(page.getByText('You’re signed in as Demo Learner')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
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

test('each reason for a refused login has its own message, and the same form signs in later', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  guard.allowConsoleError(/ERR_FAILED|status of 503/)
  const { email, password } = await signUpNewLearner(page)
  await page.context().clearCookies()
  await openPageWithStoppedClock(page, '/Login')

  for (const [enteredEmail, enteredPassword, message] of [
    [email, 'wrong-password', 'Incorrect password'],
    [createEmail(), 'Correct-horse-7', 'No user found with this email address'],
    ['a@b@c.de', 'Correct-horse-7', 'Invalid email address'],
  ] as const) {
    await fillLoginForm(page, enteredEmail, enteredPassword)
    await signInButton(page).click()
    await expect(errorBanner(page)).toHaveText(message)
  }

  await fillLoginForm(page, email, password)
  await page.route(/\/Login\.data/, (route) => route.abort())
  await signInButton(page).click()
  await expect(errorBanner(page)).toHaveText('Network error. Please check your connection')

  const busyMessage = 'Learnify is very busy right now. Please try again in a few seconds.'
  await page.unroute(/\/Login\.data/)
  await page.route(/\/Login\.data/, (route) =>
    route.fulfill({ status: 503, contentType: 'text/plain', body: busyMessage }),
  )
  await signInButton(page).click()
  await expect(errorBanner(page)).toHaveText(busyMessage)
  await expect(page.getByLabel('Password')).toHaveValue(password)

  await page.unroute(/\/Login\.data/)
  await signInButton(page).click()
  await expect(page).toHaveURL(/\/Profile$/)
})

test('a login leads back to a page of this site only, and remember-me decides how long it lasts', async ({
  page,
}) => {
  const { email, password } = await signUpNewLearner(page)
  const logIn = async (from: string, { isRemembered }: { isRemembered: boolean }) => {
    await removeSession(page)
    await openPage(page, `/Login?${new URLSearchParams({ from })}`)
    await fillLoginForm(page, email, password)
    await page.getByLabel('Remember me').setChecked(isRemembered)
    await signInButton(page).click()
  }
  const readSessionCookie = async () =>
    (await page.context().cookies()).find(({ name }) => name.endsWith('session_token'))

  await logIn('/AllCourses?level=beginner', { isRemembered: true })
  await expect(page).toHaveURL('/AllCourses?level=beginner')
  const rememberedCookie = await readSessionCookie()
  expect(rememberedCookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  const days = ((rememberedCookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(days).toBeCloseTo(30, 0)

  await logIn('//evil.example/x', { isRemembered: false })
  await expect(page).toHaveURL('/Profile')
  const endsWithBrowser = -1
  expect((await readSessionCookie())?.expires).toBe(endsWithBrowser)
})
