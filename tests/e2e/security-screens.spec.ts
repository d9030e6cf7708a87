import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import { refusedRequestError } from '../support/account-forms'
import { Authenticator } from '../support/authenticator'
import { expect, test } from '../support/browser'
import { confirmEmail, signUpNewLearner } from '../support/sign-in'

/** Focuses a button, and presses it by keyboard. */
async function press(page: Page, name: string) {
  const button = page.getByRole('button', { name, exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
}

test('the screens of Security are accessible in each state, fit 320 px in both themes, and work by keyboard', async ({
  page,
  guard,
}) => {
  test.slow()
  guard.allowConsoleError(refusedRequestError)
  const { email, password } = await signUpNewLearner(page, {
    firstName: 'Maximiliane-Theodora',
    lastName: 'L'.repeat(90),
  })
  await confirmEmail(email)
  await page.goto('/Profile/settings')
  await expect(page.getByText('Signed in with your password')).toBeVisible()
  await expectAccessible(page)

  await page.goto('/Profile/sign-in')
  await expect(page.getByRole('link', { name: 'sign out all other devices' })).toBeVisible()
  const remove = page.locator('summary', { hasText: 'Remove' })
  await remove.focus()
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await press(page, 'Remove your password')
  await expect(page.getByText('This is your only way to sign in')).toBeVisible()
  await expectAccessible(page)

  await page.goto('/Profile/two-step')
  await expectAccessible(page)
  await press(page, 'Set up an app')
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const address = await page.getByRole('link', { name: 'Open your app' }).getAttribute('href')
  await expectAccessible(page)
  const app = new Authenticator(address ?? '')
  await page.getByRole('textbox', { name: 'Code' }).focus()
  await page.keyboard.type(await app.createCode(Date.now()))
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('region', { name: 'Your recovery codes' }).getByRole('listitem'),
  ).toHaveCount(10)
  await expectAccessible(page)

  await page.goto('/Confirm')
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto('/Login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code')
  await page.getByRole('textbox', { name: 'Code' }).focus()
  await page.keyboard.type(await app.createWrongCode(Date.now()))
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is wrong').first()).toBeVisible()
  await expectAccessible(page)
})
