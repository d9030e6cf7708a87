import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

/** Waits until a number of emails to an address has arrived, and returns the link of the newest. */
async function readNewestLink(page: Page, email: string, emailCount: number): Promise<string> {
  const messages = page.getByRole('listitem').filter({ hasText: email })
  await expect(async () => {
    await page.goto('/mail')
    await expect(messages).toHaveCount(emailCount, { timeout: 1000 })
  }).toPass()

  return (await messages.first().getByRole('link').getAttribute('href')) ?? ''
}

test('an email address is confirmed by a button behind a link, which is sent again on request', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow()
  const { email } = await signUpNewLearner(page)
  const context = await browser.newContext({ baseURL })
  const reader = await context.newPage()
  await readNewestLink(reader, email, 1)

  await page.goto('/ConfirmEmail?token=never-was-one')
  await expect(page.getByText('This link has expired or has already been used')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByText('We’ve sent you a new link')).toBeVisible()

  const link = await readNewestLink(reader, email, 2)
  for (const _reader of ['an email scanner', 'the learner']) {
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

test('without scripts, the owner of an email address locks the account that someone else created', async ({
  page,
  browser,
  baseURL,
}) => {
  const { email } = await signUpNewLearner(page)
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const reader = await context.newPage()
  await reader.goto(await readNewestLink(reader, email, 1))

  await reader.getByRole('button', { name: 'No, it wasn’t me' }).click()

  await expect(reader.getByText('That account is now locked')).toBeVisible()
  await page.goto('/Profile')
  await expect(page).toHaveURL(/\/Login$/)
  await context.close()
})
