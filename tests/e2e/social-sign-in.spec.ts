import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import { createEmail, errorBanner, openPage } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { postToAccountService, signUpNewLearner } from '../support/sign-in'

/**
 * Presses a provider's button. The banner's errors last only five seconds, so this doesn't wait for
 * the popup's page.
 */
async function openPopup(page: Page, provider = 'Google'): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: `Continue with ${provider}` }).click()

  return opening
}

type Person = { name: string; email: string; isVerified?: boolean }

async function signInAtProvider(
  popup: Page,
  { name, email, isVerified = true }: Person,
): Promise<void> {
  await popup.getByLabel('Name').fill(name)
  await popup.getByLabel('Email').fill(email)
  await popup.getByLabel('has verified').setChecked(isVerified)
  await popup.getByRole('button', { name: 'Continue' }).click()
}

async function readUser(page: Page) {
  return (await (await page.request.get('/account/session')).json()).user
}

test('a sign-in with Google shows each failure in the banner only, then creates the profile and derives the names from the display name', async ({
  page,
}) => {
  const { email: takenEmail } = await signUpNewLearner(page)
  await postToAccountService(page, '/account/logout', {})
  await openPage(page, '/SignUp')

  const firstPopup = await openPopup(page)
  const firstPopupClosing = firstPopup.waitForEvent('close')
  const secondPopup = await openPopup(page)
  await expect(errorBanner(page)).toHaveText('Sign-in was cancelled')

  await firstPopupClosing
  await expect(secondPopup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()

  await secondPopup.close()
  await expect(errorBanner(page)).toHaveText('Sign-in popup was closed')
  await expect(page.getByText('Sign-in popup was closed')).toHaveCount(1)

  const stranger = { name: 'Not Ada', email: takenEmail, isVerified: false }
  await signInAtProvider(await openPopup(page), stranger)
  await expect(errorBanner(page)).toHaveText('An account with this email already exists')

  const gabriel = { name: 'Gabriel José García Márquez', email: createEmail() }
  const popup = await openPopup(page)
  const closing = popup.waitForEvent('close')
  await signInAtProvider(popup, gabriel)
  await expect(page).toHaveURL(/\/Profile$/)

  await closing
  expect(await readUser(page)).toMatchObject({
    firstName: 'Gabriel',
    lastName: 'José García Márquez',
    provider: 'google',
    photoURL: null,
  })

  await openPage(page, '/Confirm?from=%2FProfile%2Fsign-in')
  await expectAccessible(page, 'main')

  await signInAtProvider(await openPopup(page), { name: 'Eve Wrong', email: createEmail() })
  await expect(errorBanner(page)).toContainText('That’s a different account')

  await signInAtProvider(await openPopup(page), gabriel)
  await expect(page).toHaveURL(/\/Profile\/sign-in$/)
})

test('a first sign-in with Facebook, which sends no name, asks for it by keyboard and leads to the page that was wanted', async ({
  page,
}) => {
  await openPage(page, '/Login?from=%2FProfile%2Fpersonal-info')
  await signInAtProvider(await openPopup(page, 'Facebook'), { name: '', email: createEmail() })
  await expect(page.getByRole('heading', { name: 'What’s your name?' })).toBeVisible()
  await expectAccessible(page)

  const firstName = page.getByLabel('First name')
  await firstName.press('Enter')
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(firstName).toBeFocused()

  await page.keyboard.type('Ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Lovelace')
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/\/Profile\/personal-info$/)
  await expect(page.getByRole('main')).toContainText('Ada Lovelace')
  await expect(page.getByRole('banner')).toContainText('Ada')
  expect(await readUser(page)).toMatchObject({ firstName: 'Ada', provider: 'facebook' })
})
