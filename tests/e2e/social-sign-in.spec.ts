import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import { createEmail, errorBanner, openPage } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { postToAccountService, signUpNewLearner } from '../support/sign-in'

/** Presses a provider's button. The banner's errors last only five seconds, so this doesn't wait for the popup's page. */
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

for (const provider of ['Google', 'Facebook']) {
  test(`a first sign-in with ${provider} creates the profile and derives the names from the display name`, async ({
    page,
  }) => {
    await openPage(page, '/SignUp')
    const popup = await openPopup(page, provider)
    const closing = popup.waitForEvent('close')
    await signInAtProvider(popup, { name: 'Gabriel José García Márquez', email: createEmail() })

    await expect(page).toHaveURL(/\/Profile$/)
    await closing
    const { user } = await (await page.request.get('/account/session')).json()
    expect(user).toMatchObject({
      firstName: 'Gabriel',
      lastName: 'José García Márquez',
      provider: provider.toLowerCase(),
      photoURL: null,
    })
  })
}

test('a learner whose provider sends no name enters it by keyboard and gets to the page they wanted', async ({
  page,
}) => {
  await openPage(page, '/Login?from=%2FProfile%2Fpersonal-info')
  await signInAtProvider(await openPopup(page), { name: '', email: createEmail() })
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
})

test('each reason for a failed sign-in by popup is displayed in the banner only', async ({
  page,
}) => {
  const { email } = await signUpNewLearner(page)
  await postToAccountService(page, '/account/logout', {})
  await openPage(page, '/Login')

  const firstPopup = await openPopup(page)
  const firstPopupClosing = firstPopup.waitForEvent('close')
  const secondPopup = await openPopup(page)
  await expect(errorBanner(page)).toHaveText('Sign-in was cancelled')
  await firstPopupClosing

  await expect(secondPopup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
  await secondPopup.close()
  await expect(errorBanner(page)).toHaveText('Sign-in popup was closed')
  await expect(page.getByText('Sign-in popup was closed')).toHaveCount(1)

  const cancelledPopup = await openPopup(page)
  await cancelledPopup.getByRole('button', { name: 'Cancel' }).click()
  await expect(errorBanner(page)).toHaveText('Sign-in was cancelled')

  await signInAtProvider(await openPopup(page), { name: 'No Email', email: '' })
  await expect(errorBanner(page)).toContainText('didn’t share an email address')

  await signInAtProvider(await openPopup(page), { name: 'Not Ada', email, isVerified: false })
  await expect(errorBanner(page)).toHaveText('An account with this email already exists')
})

test('a sign-in with a different account does not confirm the current one and shows an error', async ({
  page,
}) => {
  const ada = { name: 'Ada Lovelace', email: createEmail() }
  await openPage(page, '/SignUp')
  await signInAtProvider(await openPopup(page), ada)
  await expect(page).toHaveURL(/\/Profile$/)

  await openPage(page, '/Confirm?from=%2FProfile%2Fsign-in')
  await signInAtProvider(await openPopup(page), { name: 'Eve Wrong', email: createEmail() })
  await expect(errorBanner(page)).toContainText('That’s a different account')
  await signInAtProvider(await openPopup(page), ada)
  await expect(page).toHaveURL(/\/Profile\/sign-in$/)
})
