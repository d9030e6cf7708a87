import {
  createEmail,
  fillLoginForm,
  fillSignUpForm,
  refusedRequestError,
  signInButton,
} from '../support/account-forms'
import { expect, test } from '../support/browser'

test.use({ javaScriptEnabled: false })

test('without scripts, learners can sign up, log in, reset a password and use Google', async ({
  page,
  guard,
}) => {
  test.slow()
  guard.allowConsoleError(refusedRequestError)
  const email = createEmail()
  await page.goto('/SignUp')
  await fillSignUpForm(page, email)
  await page.getByLabel('Confirm password').fill('different')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')

  await fillSignUpForm(page, email)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/Profile$/)

  await page.context().clearCookies()
  await page.goto('/Login')
  const forgotButton = page.getByRole('button', { name: 'Forgot password?' })
  await forgotButton.click()
  await expect(page.getByText('Please enter your email address first')).toBeVisible()

  await page.getByLabel('Email').fill(email)
  await forgotButton.click()
  await expect(page.getByText('Password reset email sent')).toBeVisible()

  await fillLoginForm(page, email, 'wrong-password')
  await signInButton(page).click()
  await expect(page.getByRole('alert')).toHaveText('Incorrect password')

  await fillLoginForm(page, email, 'Correct-horse-7')
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL(/\/Profile$/)

  await page.context().clearCookies()
  await page.goto('/Login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Maya Okonkwo' }).click()
  await expect(page).toHaveURL(/\/Profile$/)
})
