import type { Page } from '@playwright/test'
import { refusedRequestError } from '../support/account-forms'
import { Authenticator } from '../support/authenticator'
import { expect, test } from '../support/browser'
import { confirmEmail, signUpNewLearner } from '../support/sign-in'

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.context().clearCookies()
  await page.goto('/Login?from=%2FProfile%2Fsettings')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code')
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('a learner sets an app up, signs in with its code and with a recovery code, and turns it off', async ({
      page,
      guard,
    }) => {
      test.slow()
      guard.allowConsoleError(refusedRequestError)
      const learner = await signUpNewLearner(page)
      await confirmEmail(learner.email)
      await page.goto('/Profile/settings')
      await page
        .getByRole('region', { name: 'Security' })
        .getByRole('link', { name: 'Set up' })
        .click()
      await page.getByRole('button', { name: 'Set up an app' }).click()
      await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
      const address = await page.getByRole('link', { name: 'Open your app' }).getAttribute('href')
      const app = new Authenticator(address ?? '')
      await page.getByRole('textbox', { name: 'Code' }).fill(await app.createWrongCode(Date.now()))
      await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
      await expect(page.getByText('This code is wrong')).toBeVisible()
      await page.getByRole('textbox', { name: 'Code' }).fill(await app.createCode(Date.now()))
      await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
      const codes = page.getByRole('region', { name: 'Your recovery codes' }).getByRole('listitem')
      await expect(codes).toHaveCount(10)
      const recoveryCode = (await codes.first().textContent()) ?? ''

      await signIn(page, learner)
      await page.getByRole('textbox', { name: 'Code' }).fill(await app.createWrongCode(Date.now()))
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByText('This code is wrong').first()).toBeVisible()
      // The next one, because the one of now may be the one that was used.
      await page
        .getByRole('textbox', { name: 'Code' })
        .fill(await app.createCode(Date.now() + 30_000))
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page).toHaveURL(/\/Profile\/settings$/)

      await signIn(page, learner)
      await page.getByRole('link', { name: /recovery code/ }).click()
      await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page).toHaveURL(/\/Profile\/settings$/)

      await page
        .getByRole('region', { name: 'Security' })
        .getByRole('link', { name: 'Manage' })
        .click()
      await expect(page.getByText('9 of 10 are left.')).toBeVisible()
      await page.getByRole('button', { name: 'Turn off two-step sign-in' }).click()
      await expect(page.getByRole('heading', { name: 'Two-step sign-in is off.' })).toBeVisible()
    })
  })
}
