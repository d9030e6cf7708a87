import {
  createEmail,
  errorBanner,
  fillLoginForm,
  openPage,
  openPageWithStoppedClock,
  refusedRequestError,
  signInButton,
} from '../support/account-forms'
import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

test('a forgotten password is replaced through an emailed link, which works once and ends all other sessions', async ({
  page,
  browser,
}) => {
  test.slow()
  const { email } = await signUpNewLearner(page)
  const elsewhere = await browser.newContext()
  const visitor = await elsewhere.newPage()
  await openPage(visitor, '/Login')
  await visitor.getByLabel('Email').fill(email)
  await visitor.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(visitor.getByText('Password reset email sent')).toBeVisible()

  const message = visitor
    .getByRole('listitem')
    .filter({ hasText: email })
    .filter({ hasText: 'Reset your' })
  await expect(async () => {
    await visitor.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()
  const link = await message.getByRole('link').getAttribute('href')
  await visitor.goto(link ?? '')
  await visitor.getByLabel('New password').fill('Another-horse-8')
  await visitor.getByLabel('Confirm password').fill('Another-horse-8')
  await visitor.getByRole('button', { name: 'Set new password' }).click()
  await expect(visitor.getByText('Your password has been changed.')).toBeVisible()

  await page.goto('/Profile')
  await expect(page).toHaveURL(/\/Login$/)
  await visitor.goto(link ?? '')
  await expect(visitor.getByText('This link has expired or has already been used.')).toBeVisible()
  await openPage(visitor, '/Login')
  await fillLoginForm(visitor, email, 'Another-horse-8')
  await signInButton(visitor).click()
  await expect(visitor).toHaveURL(/\/Profile$/)
  await elsewhere.close()
})

test('a forgotten password needs the email of an account', async ({ page, guard }) => {
  guard.allowConsoleError(refusedRequestError)
  await openPageWithStoppedClock(page, '/Login')
  const forgotButton = page.getByRole('button', { name: 'Forgot password?' })

  await forgotButton.click()
  await expect(page.getByText('Please enter your email address first')).toBeVisible()

  await page.getByLabel('Email').fill(createEmail())
  await forgotButton.click()
  await expect(errorBanner(page)).toHaveText('No user found with this email address')
})
