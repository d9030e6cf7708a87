import type { Page } from '@playwright/test'
import { disableAccountByEmail } from '~/features/accounts/account-queries.server'
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
import { withProductDatabase } from '../support/product-database'
import { signUpNewLearner } from '../support/sign-in'

async function readSessionCookie(page: Page) {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name.endsWith('session_token'))
}

test('the demo credentials fill the form once and sign in as the demo learner, in all tabs', async ({
  page,
  context,
}) => {
  const otherTab = await context.newPage()
  await otherTab.goto('/Terms')
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

  const endsWithBrowser = -1
  expect((await readSessionCookie(page))?.expires).toBe(endsWithBrowser)

  await page.goto('/Login')
  await expect(page.getByText('You’re signed in as Demo Learner')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to your profile' })).toHaveAttribute(
    'href',
    '/Profile',
  )
})

test('each reason for a refused login has its own message, and the same form remembers the learner and leads back later', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  guard.allowConsoleError(/ERR_FAILED|status of 503/)
  const disabledLearner = await signUpNewLearner(page)
  await withProductDatabase((db) => disableAccountByEmail(db, disabledLearner.email))
  const { email, password } = await signUpNewLearner(page)
  await page.context().clearCookies()
  await openPageWithStoppedClock(page, '/Login?from=%2FAllCourses%3Flevel%3Dbeginner')

  for (const [enteredEmail, enteredPassword, message] of [
    [email, 'wrong-password', 'Incorrect password'],
    [createEmail(), 'Correct-horse-7', 'No user found with this email address'],
    ['a@b@c.de', 'Correct-horse-7', 'Invalid email address'],
    [disabledLearner.email, disabledLearner.password, 'This account has been disabled'],
  ] as const) {
    await fillLoginForm(page, enteredEmail, enteredPassword)
    await signInButton(page).click()
    await expect(errorBanner(page)).toHaveText(message)
    await expect(page.locator('form').getByText(message, { exact: true })).toBeVisible()
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
  await page.getByLabel('Remember me').check()
  await signInButton(page).click()
  await expect(page).toHaveURL('/AllCourses?level=beginner')

  const cookie = await readSessionCookie(page)
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })

  const rememberedDays = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(rememberedDays).toBeCloseTo(30, 0)
})
