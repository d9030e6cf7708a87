import type { Page } from '@playwright/test'
import { createEmail, fillSignUpForm } from './account-forms'
import { expect, test } from './browser'
import { findFreePort, type Product, startProduct } from './product'

type Settings = Record<string, string>

const startTimeoutMs = 300_000
const ownerLinkPattern = /http\S+\/Desk\/Join\?token=\S+/

/**
 * Starts a product without an owner for the tests of one file. Call this function once, at the top of
 * the file.
 *
 * @param getSettings returns environment variables to add
 * @param readConfirmationLink returns the link in the email that asks to confirm the address
 */
export async function startProductWithoutOwner(
  getSettings: () => Settings | Promise<Settings> = () => ({}),
  readConfirmationLink = readLinkInMailFolder,
) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  let product: Product | undefined
  let ownerLink = ''

  test.use({ baseURL: url })

  test.beforeAll(async () => {
    test.setTimeout(startTimeoutMs)

    const readOwnerLink = (line: string) => {
      ownerLink = ownerLinkPattern.exec(line)?.[0] ?? ownerLink
    }
    product = await startProduct({
      port,
      variables: { PUBLIC_URL: url, ...(await getSettings()) },
      onLine: readOwnerLink,
    })
  })

  test.afterAll(() => product?.stop())

  return {
    getFolder() {
      if (!product) {
        throw new Error('The product has not been started.')
      }

      return product.folder
    },
    /**
     * Opens the link that the product printed when it started, and creates the owner's account.
     *
     * @returns the account's email address
     */
    async becomeOwner(page: Page): Promise<string> {
      await expect.poll(() => ownerLink).toContain('/Desk/Join')
      await page.goto(ownerLink)
      await page.getByRole('link', { name: 'Create an account' }).click()

      const email = createEmail()
      await fillSignUpForm(page, email)
      await page.getByRole('button', { name: 'Create Account' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email address')

      await page.goto(await readConfirmationLink(page, email))
      await page.getByRole('button', { name: 'Yes, confirm my address' }).click()
      await expect(page.getByText('your email address is confirmed')).toBeVisible()

      await page.goto(ownerLink)
      await page.getByRole('button', { name: 'Become the owner' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')

      return email
    },
  }
}

/** Returns the link in the newest email to an address, from the page that lists unsent emails. */
async function readLinkInMailFolder(page: Page, email: string): Promise<string> {
  const message = page.getByRole('listitem').filter({ hasText: email })
  await expect(async () => {
    await page.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()

  const link = await message.getByRole('link').first().getAttribute('href')
  if (link === null) {
    throw new Error(`The email to ${email} has no link.`)
  }

  return link
}
