import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import {
  createEmail,
  fillLoginForm,
  openPage,
  refusedRequestError,
  signInButton,
} from '../support/account-forms'
import { expect, test } from '../support/browser'

/** Signs in with the organization's button. The provider lets people choose their email. */
async function signInAtOrganization(page: Page, email: string): Promise<void> {
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Acme Corporation' }).click()
  const popup = await opening
  await popup.getByLabel('Name').fill('Ada King')
  await popup.getByLabel('Email').fill(email)
  await popup.getByRole('button', { name: 'Continue' }).click()
}

test('members of an organization sign in with its button only, and see it among their sign-in methods', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  const email = createEmail().replace('test.example', 'acme.example')
  await openPage(page, '/Login')

  await fillLoginForm(page, email, 'Correct-horse-7')
  await signInButton(page).click()
  await expect(
    page.getByText('please sign in with your organization’s button').first(),
  ).toBeVisible()

  await signInAtOrganization(page, email)
  await expect(page).toHaveURL(/\/Profile$/)

  await page.goto('/Profile/sign-in')
  await expect(page.getByRole('main')).toContainText('Acme CorporationAdded')

  await page.locator('summary', { hasText: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove Acme Corporation' }).click()
  await expect(page.getByText('This is your only way to sign in')).toBeVisible()
  await expectAccessible(page, 'main')
})
