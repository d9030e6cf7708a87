import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

async function linkFor(page: Page, email: string): Promise<string> {
  const message = page.getByRole('listitem').filter({ hasText: email })
  await expect(async () => {
    await page.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()
  return (await message.getByRole('link').getAttribute('href')) ?? ''
}

for (const javaScriptEnabled of [true, false]) {
  test(`confirms the email by its button and not by being opened, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    page,
    browser,
    baseURL,
  }) => {
    test.slow()
    const { email } = await signUpNewLearner(page)
    const context = await browser.newContext({ javaScriptEnabled, baseURL })
    const reader = await context.newPage()
    const link = await linkFor(reader, email)
    for (const _ of ['a scanner', 'the learner']) {
      await reader.goto(link)
    }

    await expect(reader.getByText(`Someone created an account for ${email}`)).toBeVisible()
    await reader.getByRole('button', { name: 'Yes, confirm my address' }).click()
    await expect(reader.getByText('your email address is confirmed')).toBeVisible()
    await reader.goto(link)
    await expect(reader.getByText('This link has expired or has already been used')).toBeVisible()
    await page.goto('/ConfirmEmail')
    await expect(page.getByText('Your email address is confirmed')).toBeVisible()
    await context.close()
  })
}

test('is sent again on request', async ({ page }) => {
  await signUpNewLearner(page)
  await page.goto('/ConfirmEmail?token=never-was-one')
  await expect(page.getByText('This link has expired or has already been used')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByText('We’ve sent you a new link')).toBeVisible()
})

test('locks the account if someone else created it', async ({ page, browser, baseURL }) => {
  const { email } = await signUpNewLearner(page)
  const context = await browser.newContext({ baseURL })
  const reader = await context.newPage()
  await reader.goto(await linkFor(reader, email))
  await reader.getByRole('button', { name: 'No, it wasn’t me' }).click()
  await expect(reader.getByText('That account is now locked')).toBeVisible()
  await page.goto('/Profile')
  await expect(page).toHaveURL(/\/Login$/)
  await context.close()
})
