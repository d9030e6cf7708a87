import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

test('an email address is confirmed by a button behind a link, which is sent again on request', async ({
  page,
}) => {
  const { email } = await signUpNewLearner(page)
  await page.goto('/ConfirmEmail?token=never-was-one')
  await expect(page.getByText('This link has expired or has already been used')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByText('We’ve sent you a new link')).toBeVisible()

  const messages = page.getByRole('listitem').filter({ hasText: email })
  await expect(async () => {
    await page.goto('/mail')
    await expect(messages).toHaveCount(2, { timeout: 1000 })
  }).toPass()
  const link = (await messages.first().getByRole('link').getAttribute('href')) ?? ''
  const scannerResponse = await page.request.get(link)
  expect(scannerResponse.status()).toBe(200)

  await page.goto(link)
  await expect(page.getByText(`Someone created an account for ${email}`)).toBeVisible()
  await page.getByRole('button', { name: 'Yes, confirm my address' }).click()
  await expect(page.getByText('Your email address is confirmed')).toBeVisible()
})
