import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import {
  errorBanner,
  fillLoginForm,
  openPage,
  refusedRequestError,
  signInButton,
} from '../support/account-forms'
import { expect, test } from '../support/browser'
import { findFreePort, type Product, startProduct } from '../support/product'

const port = await findFreePort()
const url = `http://localhost:${port}`
test.use({ baseURL: url })
test.describe.configure({ mode: 'default' })

let product: Product | undefined

/**
 * The sample provider stands in for two organizations. One is the only way to sign in for its
 * addresses.
 */
test.beforeAll(async () => {
  test.setTimeout(300_000)
  const client = (id: string, name: string) => ({
    [`SSO_${id}_NAME`]: name,
    [`SSO_${id}_ISSUER`]: `${url}/sample-identity`,
    [`SSO_${id}_CLIENT_ID`]: id,
    [`SSO_${id}_CLIENT_SECRET`]: 'only-here',
    [`SSO_${id}_DOMAINS`]: `${id.toLowerCase()}.example`,
  })
  const variables = {
    ...client('ACME', 'Acme Corporation'),
    ...client('UNI', 'University'),
    SSO_UNI_ONLY_WAY: 'on',
  }

  product = await startProduct({ port, variables: { PUBLIC_URL: url, ...variables } })
})
test.afterAll(() => product?.stop())

/** @param email the person's address at the provider. */
async function choose(page: Page, email: string) {
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Acme Corporation' }).click()
  const popup = await opening
  await popup.getByLabel('Name').fill('Ada King')
  await popup.getByLabel('Email').fill(email)
  await popup.getByRole('button', { name: 'Continue' }).click()
}

test('members of an organization sign in with its button and see it among their sign-in methods', async ({
  page,
  guard,
}) => {
  test.slow()
  guard.allowConsoleError(refusedRequestError)
  await openPage(page, '/Login')
  await choose(page, 'ada@elsewhere.example')
  await expect(errorBanner(page)).toContainText('isn’t one of the organization’s')
  await expectAccessible(page)
  await choose(page, 'ada@acme.example')
  await expect(page).toHaveURL(/\/Profile$/)
  await page.goto('/Profile/settings')
  await expect(page.getByText('Signed in with Acme Corporation')).toBeVisible()
  await page.goto('/Profile/sign-in')
  await expect(page.getByRole('main')).toContainText('Acme CorporationAdded')
  await page.locator('summary', { hasText: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove Acme Corporation' }).click()
  await expect(page.getByText('This is your only way to sign in')).toBeVisible()
  await expectAccessible(page)
})

test('an email that can sign in only through its organization is led to its button', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(refusedRequestError)
  await openPage(page, '/Login')
  await fillLoginForm(page, 'ada@uni.example', 'Correct-horse-7')
  await signInButton(page).click()
  await expect(
    page.getByText('please sign in with your organization’s button').first(),
  ).toBeVisible()
})
