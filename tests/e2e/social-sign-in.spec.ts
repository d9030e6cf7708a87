import type { Page } from '@playwright/test'
import { createEmail, errorBanner, openPage } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

for (const provider of ['Google', 'Facebook']) {
  test.describe(`${provider} by popup`, () => {
    const button = (page: Page) => page.getByRole('button', { name: `Continue with ${provider}` })
    async function openPopup(page: Page): Promise<Page> {
      const opening = page.waitForEvent('popup')
      await button(page).click()
      const popup = await opening
      await expect(popup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()

      return popup
    }

    async function choose(popup: Page, name: string, email: string, verified = true) {
      await popup.getByLabel('Name').fill(name)
      await popup.getByLabel('Email').fill(email)
      await popup.getByLabel('has verified').setChecked(verified)
      await popup.getByRole('button', { name: 'Continue' }).click()
    }

    test('a first sign-in creates the profile and derives the names from the display name', async ({
      page,
    }) => {
      await openPage(page, '/SignUp')
      const popup = await openPopup(page)
      await choose(popup, 'Gabriel José García Márquez', createEmail())
      await expect(page).toHaveURL(/\/Profile$/)
      expect(popup.isClosed()).toBe(true)
      const { user } = await page.evaluate(() =>
        fetch('/account/session').then((response) => response.json()),
      )
      expect(user).toMatchObject({
        firstName: 'Gabriel',
        lastName: 'José García Márquez',
        provider: provider.toLowerCase(),
        photoURL: null,
      })
    })

    test('closing the popup shows an error in the banner only', async ({ page }) => {
      await openPage(page, '/Login')
      const popup = await openPopup(page)
      await popup.close()
      await expect(errorBanner(page)).toHaveText('Sign-in popup was closed')
      await expect(page.getByText('Sign-in popup was closed')).toHaveCount(1)
    })

    test('a second popup closes the first', async ({ page }) => {
      await openPage(page, '/Login')
      const first = await openPopup(page)
      const second = await openPopup(page)
      await expect(errorBanner(page)).toHaveText('Sign-in was cancelled')
      expect(first.isClosed()).toBe(true)
      await choose(second, 'Second Try', createEmail())
      await expect(page).toHaveURL(/\/Profile$/)
    })

    test('canceling at the provider shows an error', async ({ page }) => {
      await openPage(page, '/Login')
      const popup = await openPopup(page)
      await popup.getByRole('button', { name: 'Cancel' }).click()
      await expect(errorBanner(page)).toHaveText('Sign-in was cancelled')
    })

    test('an unverified email never signs in to an existing account', async ({ page }) => {
      const { email } = await signUpNewLearner(page)
      await page.context().clearCookies()
      await openPage(page, '/Login')
      await choose(await openPopup(page), 'Not Ada', email, false)
      await expect(errorBanner(page)).toHaveText('An account with this email already exists')
    })

    test('a sign-in with a different account does not confirm the current one and shows an error', async ({
      page,
    }) => {
      const email = createEmail()
      await openPage(page, '/SignUp')
      await choose(await openPopup(page), 'Ada Lovelace', email)
      await expect(page).toHaveURL(/\/Profile$/)
      await openPage(page, '/Confirm?from=%2FProfile%2Fsign-in')
      await choose(await openPopup(page), 'Eve Wrong', createEmail())
      await expect(errorBanner(page)).toContainText('That’s a different account')
      await choose(await openPopup(page), 'Ada Lovelace', email)
      await expect(page).toHaveURL(/\/Profile\/sign-in$/)
    })

    test('a provider that shares no email leads to an error', async ({ page }) => {
      await openPage(page, '/Login')
      await choose(await openPopup(page), 'No Address', '')
      await expect(errorBanner(page)).toContainText('didn’t share an email address')
    })
  })
}
