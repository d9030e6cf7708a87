import {
  createEmail,
  errorBanner,
  openPageWithStoppedClock,
  refusedRequestError,
} from '../support/account-forms'
import { expect, test } from '../support/browser'
import { hasSession, postToAccountService, signUpNewLearner } from '../support/sign-in'

test('a forgotten password is replaced through an emailed link, which works once and ends all other sessions', async ({
  page,
  browser,
  baseURL,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  const otherBrowser = await browser.newContext({ baseURL })
  const { email } = await signUpNewLearner(otherBrowser)
  await openPageWithStoppedClock(page, '/Login')
  const forgotButton = page.getByRole('button', { name: 'Forgot password?' })

  await forgotButton.click()
  await expect(page.getByText('Please enter your email address first')).toBeVisible()

  await page.getByLabel('Email').fill(createEmail())
  await forgotButton.click()
  await expect(errorBanner(page)).toHaveText('No user found with this email address')

  await page.clock.resume()
  await page.getByLabel('Email').fill(email)
  await forgotButton.click()
  await expect(page.getByText('Password reset email sent')).toBeVisible()

  const message = page
    .getByRole('listitem')
    .filter({ hasText: email })
    .filter({ hasText: 'Reset your' })
  await expect(async () => {
    await page.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()

  const link = await message.getByRole('link').getAttribute('href')
  await page.goto(link ?? '')
  await page.getByLabel('New password').fill('Another-horse-8')
  await page.getByLabel('Confirm password').fill('Another-horse-8')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page.getByText('Your password has been changed.')).toBeVisible()

  expect(await hasSession(otherBrowser)).toBe(false)

  const reopenedPage = await page.request.get(link ?? '')
  expect(await reopenedPage.text()).toContain('This link has expired or has already been used.')

  await postToAccountService(otherBrowser, '/account/login', { email, password: 'Another-horse-8' })
  expect(await hasSession(otherBrowser)).toBe(true)

  await otherBrowser.close()
})
