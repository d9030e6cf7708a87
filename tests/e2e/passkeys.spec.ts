import type { CDPSession, Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { confirmEmail, removeSession, signUpNewLearner } from '../support/sign-in'

/** A phone or computer with its own lock, which answers by itself. */
async function plugIn(page: Page): Promise<CDPSession> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })

  return device
}

test('a learner adds a passkey, signs in with it by its button and in the email field, and removes it', async ({
  page,
}) => {
  test.slow()
  const learner = await signUpNewLearner(page)
  await confirmEmail(learner.email)
  await plugIn(page)
  await page.goto('/Profile/sign-in')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const passkeys = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await expect(passkeys).toHaveText([/Chrom.*Not used yet/])
  await expect(page.getByText('The passkey is added.')).toBeVisible()

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('alert')).toHaveText(/passkey/)
  await expect(page.getByText('The passkey is added.')).toBeHidden()

  await page.getByLabel(/^Rename /).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(passkeys).toHaveText([/^My laptop/])
  await expect(page.getByRole('status')).toHaveText(['The passkey is now called “My laptop”.'])
  await expect(page.getByRole('alert')).toBeHidden()

  await removeSession(page)
  await page.goto('/Login?from=%2FProfile%2Fsign-in')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/Profile\/sign-in$/)
  await expect(passkeys).toHaveText([/^My laptop.*Last used/])

  await removeSession(page)
  await page.goto('/Login?from=%2FProfile%2Fsign-in')
  await page.getByLabel('Email').focus()
  await expect(page).toHaveURL(/\/Profile\/sign-in$/)

  await page.getByLabel('Remove My laptop').click()
  await page.getByRole('button', { name: 'Remove My laptop' }).click()
  await expect(page.getByText('No passkeys yet.')).toBeVisible()
})
