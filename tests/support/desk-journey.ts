import type { Page } from '@playwright/test'
import { createEmail, fillSignUpForm } from './account-forms'
import { expect, test } from './browser'
import { findFreePort, type Product, startProduct } from './product'

type Settings = Record<string, string>

/** Reads the link in the newest email to an address, from the page that shows unsent mail. */
async function readLinkInMailFolder(page: Page, email: string): Promise<string> {
  const message = page.getByRole('listitem').filter({ hasText: email })
  await expect(async () => {
    await page.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()

  return (await message.getByRole('link').first().getAttribute('href')) ?? ''
}

/**
 * Starts a product without an owner for the journeys of one file. Call this function once, at the
 * top of the file.
 *
 * @param readConfirmationLink returns the link in the email that confirms an address
 */
export async function startProductWithoutOwner(
  settings: () => Settings | Promise<Settings> = () => ({}),
  readConfirmationLink = readLinkInMailFolder,
) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  let product: Product | undefined
  let ownerLink = ''

  test.use({ baseURL: url })

  test.beforeAll(async () => {
    test.setTimeout(300_000)
    const readOwnerLink = (line: string) => {
      ownerLink = /http\S+\/Desk\/Join\?token=\S+/.exec(line)?.[0] ?? ownerLink
    }
    product = await startProduct({
      port,
      variables: { PUBLIC_URL: url, ...(await settings()) },
      onLine: readOwnerLink,
    })
  })

  test.afterAll(() => product?.stop())

  return {
    folder: () => product?.folder ?? '',
    /**
     * Opens the link that the start printed, and creates the owner's account.
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
